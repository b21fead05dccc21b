//===- Input.cpp - From an INPUT of the command line to arrays -----------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// An option that the input can not use is an error, never ignored.
//===----------------------------------------------------------------------===//
#include "IO/Input.h"

#include "Error/Error.h"
#include "IO/Generators.h"
#include "IO/Npy.h"
#include "IO/Raw.h"
#include "IO/Slice.h"

#include <algorithm>

using namespace wf;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

using NamedArrays = std::vector<NamedArray>;

static Expected<NamedArrays> one(StringRef name, Expected<Array> array) {
  if (!array)
    return array.takeError();
  NamedArrays list;
  list.push_back({name.str(), std::move(*array)});
  return list;
}

static Expected<NamedArrays> chooseTensors(const SafetensorsFile &file,
                                           StringRef name,
                                           const InputOptions &options) {
  if (options.tensorGlob)
    return file.select(*options.tensorGlob);
  std::string names;
  size_t shown = std::min<size_t>(file.tensors().size(), 5);
  for (const Tensor &tensor : file.tensors().take_front(shown))
    names += (names.empty() ? "" : ", ") + tensor.name;
  if (shown < file.tensors().size())
    names += ", … (" + std::to_string(file.tensors().size()) + " in all)";
  return userError(name + " holds tensors, and none is chosen",
                   "give --tensor GLOB; there are: " + names);
}

static Error notRecognised(StringRef name, const Bytes &bytes) {
  StringRef start(bytes.data, std::min<uint64_t>(bytes.size, 4));
  StringRef what = " has no format that Warpfold knows";
  if (bytes.size == 0)
    what = " is empty";
  else if (start == StringRef("PK\x03\x04", 4))
    what = " is a zip archive such as .npz, which is not read yet";
  return userError(name + what,
                   "supported: .npy, .safetensors with --tensor GLOB, bare "
                   "numbers with --raw T:SHAPE, and gen:… generators");
}

/// By the name's ending where it says what is meant, so that a damaged file
/// gets its own format's message; otherwise by the first bytes.
static Expected<NamedArrays> parseBytes(StringRef name, const Bytes &bytes,
                                        const InputOptions &options) {
  if (options.raw)
    return one(name, parseRaw(bytes, name, *options.raw));
  bool npy = name.ends_with(".npy") || name == "-" || looksLikeNpy(bytes);
  if (!npy && (name.ends_with(".safetensors") || looksLikeSafetensors(bytes))) {
    Expected<SafetensorsFile> file = parseSafetensors(bytes, name);
    if (!file)
      return file.takeError();
    return chooseTensors(*file, name, options);
  }
  if (!npy)
    return notRecognised(name, bytes);
  if (options.tensorGlob)
    return userError(name + " is a .npy file and holds one array, so --tensor "
                            "says nothing about it",
                     "leave --tensor out");
  return one(name, parseNpy(bytes, name == "-" ? "standard input" : name));
}

static Expected<NamedArrays> openWhole(StringRef text,
                                       const InputOptions &options) {
  if (text.starts_with("gen:")) {
    if (options.raw || options.tensorGlob)
      return userError("a generator takes neither --raw nor --tensor",
                       "its arguments say the type and the shape");
    return one(text, parseGenerator(text));
  }
  if (options.raw && options.tensorGlob)
    return userError("--raw and --tensor exclude each other",
                     "--raw is for bare numbers, --tensor for .safetensors");
  Expected<Bytes> bytes = text == "-" ? mapStandardInput() : mapFile(text);
  if (!bytes)
    return bytes.takeError();
  return parseBytes(text, *bytes, options);
}

Expected<NamedArrays> wf::openInput(StringRef text,
                                    const InputOptions &options) {
  Expected<NamedArrays> list = openWhole(text, options);
  if (!list)
    return list.takeError();
  for (NamedArray &item : *list) {
    if (options.together && item.array.type != list->front().array.type)
      return userError("--together needs one type, but " + list->front().name +
                           " is " + StringRef(name(list->front().array.type)) +
                           " and " + item.name + " is " +
                           StringRef(name(item.array.type)),
                       "choose tensors of one type with --tensor");
    if (!options.slice)
      continue;
    Expected<Array> view = slice(item.array, *options.slice);
    if (!view)
      return view.takeError();
    item.array = std::move(*view);
  }
  return list;
}
