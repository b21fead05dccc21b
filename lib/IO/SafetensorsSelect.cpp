//===- SafetensorsSelect.cpp - Choosing tensors by name ------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// `--tensor 'blk.*.w'`: matching, and what is said when nothing matches.
//===----------------------------------------------------------------------===//
#include "Error/Error.h"
#include "IO/Safetensors.h"
#include "IO/Shape.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace wf;
using llvm::Expected;
using llvm::StringRef;

/// Greedy with one point to come back to: linear for one star, never
/// exponential.
static bool matches(StringRef text, StringRef glob) {
  size_t t = 0, g = 0, afterStar = StringRef::npos, resume = 0;
  while (t < text.size()) {
    if (g < glob.size() && glob[g] == '*') {
      afterStar = ++g;
      resume = t;
    } else if (g < glob.size() && (glob[g] == '?' || glob[g] == text[t])) {
      ++g;
      ++t;
    } else if (afterStar != StringRef::npos) {
      g = afterStar;
      t = ++resume;
    } else {
      return false;
    }
  }
  return glob.drop_front(g).find_first_not_of('*') == StringRef::npos;
}

/// Up to five names, the most similar to `glob` first.
static std::string nearestNames(llvm::ArrayRef<Tensor> tensors,
                                StringRef glob) {
  std::vector<std::pair<unsigned, StringRef>> ranked;
  // The distance takes time length × length; a longer name tells no more.
  for (const Tensor &tensor : tensors) {
    StringRef name = tensor.name;
    ranked.push_back({name.take_front(200).edit_distance(glob.take_front(200)),
                      name.take_front(200)});
  }
  llvm::sort(ranked);
  std::string text;
  for (size_t i = 0; i < std::min<size_t>(ranked.size(), 5); ++i)
    text += (i ? ", " : "") + ranked[i].second.str();
  return text + (ranked.size() > 5 ? ", …" : "");
}

Expected<std::vector<NamedArray>>
SafetensorsFile::select(StringRef glob) const {
  std::vector<NamedArray> selected;
  for (const Tensor &tensor : list) {
    if (!matches(tensor.name, glob))
      continue;
    if (!tensor.type)
      return userError("tensor " + tensor.name + " of " + file + " has type " +
                           tensor.dtype + ", which is not supported",
                       "supported: " + supportedTypes() +
                           "; convert it, or let --tensor match others only");
    Array array;
    array.type = *tensor.type;
    array.shape = tensor.shape;
    array.strides = rowMajorStrides(array.shape);
    array.data = data.data + tensor.begin;
    array.owner = data.owner;
    selected.push_back({tensor.name, std::move(array)});
  }
  if (selected.empty())
    return userError("no tensor of " + file + " matches '" + glob + "'",
                     list.empty()
                         ? "the file has no tensors"
                         : "* and ? stand for any characters; nearest names: " +
                               nearestNames(list, glob));
  return selected;
}
