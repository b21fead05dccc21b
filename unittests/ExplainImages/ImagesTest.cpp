//===- ImagesTest.cpp - GPU images as listings ----------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "ExplainImages/Images.h"
#include "Explain/Machine/Effect.h"

#include "llvm/Object/OffloadBundle.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

using namespace wf::explain;

namespace {

std::string image(const std::string &name) {
  std::ifstream in(std::string(WARPFOLD_IMAGES "/") + name, std::ios::binary);
  EXPECT_TRUE(in.good()) << name;
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

void putWord(std::string &bytes, size_t at, uint64_t value, size_t size) {
  if (bytes.size() < at + size)
    bytes.resize(at + size);
  for (size_t i = 0; i < size; ++i)
    bytes[at + i] = static_cast<char>(value >> (8 * i));
}

/// A clang offload bundle of the two code objects, as HIP's compiler makes it.
std::string bundle() {
  std::vector<std::pair<std::string, std::string>> entries = {
      {"host-x86_64-unknown-linux-gnu", ""},
      {"hipv4-amdgcn-amd-amdhsa--gfx1100", image("scale.gfx1100.hsaco")},
      {"hipv4-amdgcn-amd-amdhsa--gfx90a", image("scale.gfx90a.hsaco")}};
  std::string bytes = "__CLANG_OFFLOAD_BUNDLE__";
  putWord(bytes, bytes.size(), entries.size(), 8);
  uint64_t offset = 4096;
  std::string body;
  for (const auto &[id, object] : entries) {
    putWord(bytes, bytes.size(), offset + body.size(), 8);
    putWord(bytes, bytes.size(), object.size(), 8);
    putWord(bytes, bytes.size(), id.size(), 8);
    bytes += id;
    body += object;
    body.resize((body.size() + 4095) / 4096 * 4096);
  }
  bytes.resize(4096);
  return bytes + body;
}

/// An ELF header for `machine`, and nothing else.
std::string elf(uint16_t machine, uint32_t flags, uint8_t abi = 7) {
  std::string bytes = "\x7f"
                      "ELF\x02\x01\x01";
  bytes.resize(64);
  bytes[8] = static_cast<char>(abi);
  putWord(bytes, 16, 2, 2);
  putWord(bytes, 18, machine, 2);
  putWord(bytes, 48, flags, 4);
  return bytes;
}

Listing listingOf(const std::string &bytes) {
  auto text = imageListing(bytes, "scale.hsaco");
  if (!text) {
    ADD_FAILURE() << text.fault().message;
    return {};
  }
  auto listing = readListing(*text, "scale.hsaco");
  if (!listing) {
    ADD_FAILURE() << listing.fault().message;
    return {};
  }
  return std::move(*listing);
}

/// A stand-in for NVIDIA's tools: says how it was called.
struct FakeTool {
  std::string path;
  const char *variable;
  FakeTool(const char *variable, const char *script) : variable(variable) {
    path = (std::filesystem::temp_directory_path() /
            ("warpfold-fake-" + std::to_string(getpid())))
               .string();
    std::ofstream(path) << "#!/bin/sh\n" << script << "\n";
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    setenv(variable, path.c_str(), 1);
  }
  ~FakeTool() {
    unsetenv(variable);
    std::filesystem::remove(path);
  }
};

/// No tool of this machine's is found.
struct EmptyPath {
  std::string old = std::getenv("PATH") ? std::getenv("PATH") : "";
  EmptyPath() { setenv("PATH", "/nowhere", 1); }
  ~EmptyPath() { setenv("PATH", old.c_str(), 1); }
};

} // namespace

/// What scale.hip says: 64 floats of shared memory, four arguments.
TEST(Images, CodeObject) {
  for (auto [name, chip, lanes] :
       {std::tuple("scale.gfx1100.hsaco", "gfx1100", 32),
        std::tuple("scale.gfx90a.hsaco", "gfx90a", 64)}) {
    const Listing listing = listingOf(image(name));
    ASSERT_EQ(listing.kernels.size(), 1u) << name;
    EXPECT_EQ(listing.unreadLines, 0u);
    const Kernel &kernel = listing.kernels[0];
    EXPECT_EQ(kernel.name, "_Z5scalePKfPffi");
    EXPECT_EQ(kernel.target, chip);
    EXPECT_FALSE(kernel.targetInferred);
    EXPECT_EQ(kernel.lanes, lanes);
    EXPECT_TRUE(kernel.entry);
    EXPECT_EQ(kernel.resources.sharedBytes, 256u);
    EXPECT_EQ(kernel.resources.stackBytes, 0u);
    EXPECT_TRUE(kernel.resources.registers);
    ASSERT_EQ(kernel.parameters.size(), 4u);
    EXPECT_EQ(kernel.parameters[0].type, "const float *");
    EXPECT_EQ(kernel.parameters[1].offset, 8u);
    EXPECT_EQ(kernel.parameters[2].type, "float");
    EXPECT_EQ(kernel.parameters[3].offset, 20u);
    EXPECT_EQ(kernel.code.back().mnemonic, "s_endpgm"); // no padding
    EXPECT_FALSE(kernel.code.front().encoding.empty());
    const Program program = decode(kernel);
    size_t stores = 0, barriers = 0;
    for (const Decoded &d : program.code) {
      EXPECT_TRUE(d.known);
      for (const Effect &e : d.effects) {
        stores += e.op == Op::Store;
        barriers += e.op == Op::Barrier;
      }
    }
    EXPECT_EQ(stores, 2u); // the tile, and y
    EXPECT_EQ(barriers, 1u);
    bool kernarg = false;
    for (const EntryValue &entry : program.entry)
      kernarg |= entry.name == "kernarg";
    EXPECT_TRUE(kernarg);
  }
}

TEST(Images, Bundle) {
  const Listing listing = listingOf(bundle());
  ASSERT_EQ(listing.kernels.size(), 2u);
  EXPECT_EQ(listing.kernels[0].target, "gfx1100");
  EXPECT_EQ(listing.kernels[1].target, "gfx90a");
  EXPECT_EQ(listing.kernels[0].lanes, 32);
  EXPECT_EQ(listing.kernels[1].lanes, 64);
}

TEST(Images, CompressedBundle) {
  if (!llvm::compression::zstd::isAvailable())
    GTEST_SKIP() << "LLVM without zstd";
  std::string plain = bundle();
  auto buffer = llvm::MemoryBuffer::getMemBuffer(plain, "", false);
  auto compressed = llvm::object::CompressedOffloadBundle::compress(
      llvm::compression::Params(llvm::compression::Format::Zstd), *buffer, 3);
  ASSERT_TRUE(bool(compressed));
  EXPECT_EQ(listingOf((*compressed)->getBuffer().str()).kernels.size(), 2u);
}

/// An image cut or bent anywhere gives a fault or a listing, and no crash.
TEST(Images, Damaged) {
  for (const std::string &whole : {image("scale.gfx90a.hsaco"), bundle()}) {
    for (size_t end = 0; end < whole.size(); end += 97)
      imageListing(whole.substr(0, end), "cut");
    for (size_t at = 0; at < std::min<size_t>(whole.size(), 6000); at += 13) {
      std::string bent = whole;
      bent[at] = static_cast<char>(bent[at] ^ 0xff);
      imageListing(bent, "bent");
    }
  }
}

TEST(Images, NoGpuCode) {
  auto host = imageListing(elf(62, 0), "a.out");
  ASSERT_FALSE(host);
  EXPECT_NE(host.fault().message.find("no GPU code"), std::string::npos);
  auto text = imageListing("hello", "a.txt");
  ASSERT_FALSE(text);
  EXPECT_FALSE(text.fault().hint.empty());
  EXPECT_FALSE(isImage("hello"));
  EXPECT_TRUE(isImage(elf(62, 0)));
  auto old = imageListing(elf(224, 0x28), "fiji.hsaco"); // gfx801
  ASSERT_FALSE(old);
  EXPECT_NE(old.fault().message.find("not known"), std::string::npos);
}

/// The number of the chip moved within the flags with version 8 of the ABI.
TEST(Images, CubinWithoutTools) {
  EmptyPath none;
  auto old = imageListing(elf(190, 0x5a055a, 7), "k.cubin");
  ASSERT_FALSE(old);
  EXPECT_NE(old.fault().message.find("sm_90"), std::string::npos);
  EXPECT_NE(old.fault().hint.find("nvidia-cuda-nvdisasm"), std::string::npos);
  EXPECT_NE(old.fault().hint.find("CUDA toolkit"), std::string::npos);
  auto recent = imageListing(elf(190, 0x06007802, 8), "k.cubin");
  ASSERT_FALSE(recent);
  EXPECT_NE(recent.fault().message.find("sm_120"), std::string::npos);
}

TEST(Images, CubinByChild) {
  EmptyPath none;
  {
    FakeTool tool("WARPFOLD_NVDISASM", "echo \"$1 $2\"");
    auto text = imageListing(elf(190, 0x5a, 7), "k.cubin");
    ASSERT_TRUE(text);
    EXPECT_EQ(*text, "-c -hex\n");
  }
  {
    FakeTool tool("WARPFOLD_CUOBJDUMP", "echo \"$1\"");
    auto text = imageListing(elf(190, 0x5a, 7), "k.cubin");
    ASSERT_TRUE(text);
    EXPECT_EQ(*text, "-sass\n");
  }
  FakeTool tool("WARPFOLD_NVDISASM", "echo not that one >&2; exit 3");
  auto text = imageListing(elf(190, 0x5a, 7), "k.cubin");
  ASSERT_FALSE(text);
  EXPECT_NE(text.fault().message.find("not that one"), std::string::npos);
}
