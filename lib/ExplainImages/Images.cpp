//===- Images.cpp - GPU images in whatever holds them ---------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "ExplainImages/Images.h"

#include "ExplainImages/Parts.h"

#include "llvm/Object/Archive.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Object/OffloadBinary.h"
#include "llvm/Object/OffloadBundle.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace wf::explain;
using namespace wf::explain::images;
using llvm::StringRef;
namespace endian = llvm::support::endian;

static constexpr StringRef elfMagic("\x7f"
                                    "ELF");
static constexpr StringRef bundleMagic("__CLANG_OFFLOAD_BUNDLE__");
static constexpr StringRef compressedMagic("CCOB");
static constexpr StringRef fatbinMagic("\x50\xed\x55\xba");
static constexpr StringRef offloadMagic("\x10\xff\x10\xad");
static constexpr StringRef archiveMagic("!<arch>\n");

bool wf::explain::isImage(std::string_view bytes) {
  StringRef text(bytes.data(), bytes.size());
  for (StringRef magic : {elfMagic, bundleMagic, compressedMagic, fatbinMagic,
                          offloadMagic, archiveMagic})
    if (text.starts_with(magic))
      return true;
  return false;
}

std::optional<Header> images::headerOf(StringRef bytes) {
  if (bytes.size() < 64 || !bytes.starts_with(elfMagic) || bytes[5] != 1)
    return std::nullopt;
  Header header;
  header.is64 = bytes[4] == 2;
  header.abiVersion = static_cast<uint8_t>(bytes[8]);
  header.machine = endian::read16le(bytes.data() + 18);
  header.flags = endian::read32le(bytes.data() + (header.is64 ? 48 : 36));
  return header;
}

namespace {

class Collector {
public:
  Collector(StringRef name) : name(name) {}
  void open(StringRef bytes, int depth = 0);
  Result<std::string> finish(StringRef bytes);

private:
  void program(StringRef bytes, int depth);
  void bundles(StringRef bytes, int depth);
  void offload(StringRef bytes, int depth);
  void archive(StringRef bytes, int depth);
  void decompress(StringRef bytes, int depth);

  StringRef name;
  std::string text;
  std::optional<Fault> fault;
  std::vector<StringRef> cubins;
  std::vector<std::unique_ptr<llvm::MemoryBuffer>> buffers;
  bool fatBinary = false, host = false;
  std::string hostKind;
};

} // namespace

/// Containers within containers are few; damaged ones must not nest for ever.
void Collector::open(StringRef bytes, int depth) {
  if (depth > 4)
    return;
  if (bytes.starts_with(archiveMagic))
    return archive(bytes, depth);
  if (bytes.starts_with(bundleMagic))
    return bundles(bytes, depth);
  if (bytes.starts_with(compressedMagic))
    return decompress(bytes, depth);
  if (bytes.starts_with(offloadMagic))
    return offload(bytes, depth);
  if (bytes.starts_with(fatbinMagic)) {
    fatBinary = true;
    auto within = cubinsIn(bytes);
    cubins.insert(cubins.end(), within.begin(), within.end());
    return;
  }
  auto header = headerOf(bytes);
  if (!header)
    return;
  if (header->machine == machineAmdgpu) {
    auto wrong = amdListing(bytes, name, text);
    if (wrong && !fault)
      fault = std::move(wrong);
  } else if (header->machine == machineCuda) {
    cubins.push_back(bytes);
  } else {
    host = true;
    program(bytes, depth);
  }
}

/// A program or object for the CPU: its sections may hold images.
void Collector::program(StringRef bytes, int depth) {
  auto object = llvm::object::ObjectFile::createObjectFile(
      llvm::MemoryBufferRef(bytes, name));
  if (!object) {
    llvm::consumeError(object.takeError());
    return;
  }
  hostKind = (*object)->getFileFormatName().str();
  for (const llvm::object::SectionRef &section : (*object)->sections()) {
    auto title = section.getName();
    auto contents = section.getContents();
    if (!title || !contents) {
      llvm::consumeError(title.takeError());
      llvm::consumeError(contents.takeError());
      continue;
    }
    if (*title == ".hip_fatbin" || *title == ".llvm.offloading" ||
        title->starts_with("__CLANG_OFFLOAD_BUNDLE__"))
      open(*contents, depth + 1);
    else if (*title == ".nv_fatbin" || *title == "__nv_relfatbin")
      open(*contents, depth + 1);
  }
}

/// A magic word, a count, and for each: offset, size, a name and its length.
/// Linked programs have one such bundle after the other.
void Collector::bundles(StringRef bytes, int depth) {
  for (size_t at = 0; at != StringRef::npos;
       at = bytes.find(bundleMagic, at + bundleMagic.size())) {
    StringRef bundle = bytes.drop_front(at);
    size_t place = bundleMagic.size() + 8;
    if (bundle.size() < place)
      return;
    uint64_t count = endian::read64le(bundle.data() + bundleMagic.size());
    for (uint64_t i = 0; i < count && place + 24 <= bundle.size(); ++i) {
      uint64_t offset = endian::read64le(bundle.data() + place);
      uint64_t size = endian::read64le(bundle.data() + place + 8);
      uint64_t length = endian::read64le(bundle.data() + place + 16);
      place += 24;
      if (length > bundle.size() - place)
        return;
      StringRef id = bundle.substr(place, length);
      place += length;
      bool inside = offset <= bundle.size() && size <= bundle.size() - offset;
      if (inside && size && !id.starts_with("host"))
        open(bundle.substr(offset, size), depth + 1);
    }
  }
}

void Collector::decompress(StringRef bytes, int depth) {
  auto input = llvm::MemoryBuffer::getMemBuffer(bytes, name, false);
  auto plain = llvm::object::CompressedOffloadBundle::decompress(*input);
  if (!plain) {
    if (!fault)
      fault = Fault{"the compressed bundle cannot be opened: " +
                        llvm::toString(plain.takeError()),
                    "clang-offload-bundler --unbundle may open it"};
    else
      llvm::consumeError(plain.takeError());
    return;
  }
  buffers.push_back(std::move(*plain));
  open(buffers.back()->getBuffer(), depth + 1);
}

/// LLVM's own container: each image has a size, and they follow each other.
void Collector::offload(StringRef bytes, int depth) {
  while (bytes.size() >= 32 && bytes.starts_with(offloadMagic)) {
    uint64_t size = endian::read64le(bytes.data() + 8);
    if (size < 32 || size > bytes.size())
      return;
    // It must begin where a structure may.
    buffers.push_back(
        llvm::MemoryBuffer::getMemBufferCopy(bytes.take_front(size), name));
    auto binary = llvm::object::OffloadBinary::create(*buffers.back());
    if (!binary) {
      llvm::consumeError(binary.takeError());
      return;
    }
    open((*binary)->getImage(), depth + 1);
    bytes = bytes.drop_front(size);
    while (!bytes.empty() && bytes[0] == 0)
      bytes = bytes.drop_front();
  }
}

void Collector::archive(StringRef bytes, int depth) {
  auto archive =
      llvm::object::Archive::create(llvm::MemoryBufferRef(bytes, name));
  if (!archive) {
    llvm::consumeError(archive.takeError());
    return;
  }
  llvm::Error error = llvm::Error::success();
  for (const auto &child : (*archive)->children(error)) {
    auto contents = child.getBuffer();
    if (contents)
      open(*contents, depth + 1);
    else
      llvm::consumeError(contents.takeError());
  }
  llvm::consumeError(std::move(error));
}

Result<std::string> Collector::finish(StringRef bytes) {
  if (!cubins.empty() || fatBinary) {
    auto wrong = nvidiaListing(bytes, name, cubins, text);
    if (wrong && text.empty())
      return *wrong;
  }
  if (!text.empty())
    return std::move(text);
  if (fault)
    return *fault;
  if (host)
    return Fault{"it is " + (hostKind.empty() ? "a program" : hostKind) +
                     " code for a CPU, with no GPU code in it",
                 "give the program that launches the kernels, a .cubin or "
                 ".hsaco, or a listing"};
  return Fault{"it holds no GPU code, or is damaged",
               "give a .cubin, a .hsaco, a program with GPU code in it, or a "
               "listing"};
}

Result<std::string> wf::explain::imageListing(std::string_view bytes,
                                              std::string_view name) {
  StringRef image(bytes.data(), bytes.size());
  if (!isImage(bytes))
    return Fault{"it is no image of GPU code",
                 "give a .cubin, a .hsaco, a program with GPU code in it, or a "
                 "listing"};
  Collector collector(StringRef(name.data(), name.size()));
  collector.open(image);
  return collector.finish(image);
}
