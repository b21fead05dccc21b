//===- SassJson.cpp - nvdisasm -json --------------------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// An array of the image's description and its functions. Instructions have no
// addresses: they follow from the function's start, 16 bytes each. Nor do they
// have encodings, so that no control fields can be known.
//===----------------------------------------------------------------------===//
#include "Explain/Read/SassLine.h"

#include "nlohmann/json.hpp"

#include <algorithm>

using namespace wf::explain;
using nlohmann::json;

namespace {

/// A member that is a string, or "".
std::string stringOf(const json &object, const char *key) {
  const auto at = object.find(key);
  return at != object.end() && at->is_string() ? at->get<std::string>()
                                               : std::string();
}

uint64_t numberOf(const json &object, const char *key) {
  const auto at = object.find(key);
  return at != object.end() && at->is_number_integer() ? at->get<uint64_t>()
                                                       : 0;
}

std::string targetOf(const json &about) {
  const auto sm = about.find("SM");
  if (sm == about.end() || !sm->is_object())
    return {};
  const auto version = sm->find("version");
  if (version == sm->end() || !version->is_object())
    return {};
  const uint64_t number =
      numberOf(*version, "major") * 10 + numberOf(*version, "minor");
  return number > 0 && number < 1000 ? "sm_" + std::to_string(number)
                                     : std::string();
}

class JsonReader {
public:
  explicit JsonReader(std::string_view text) : text(text) {}

  void function(const json &object, const std::string &target);
  Listing listing;

private:
  std::string_view text;
  size_t from = 0;   ///< where the last function's name was found
  uint32_t line = 1; ///< its line
  uint64_t end = 0;  ///< of the last function, in bytes

  /// Where a function is in the text; the library keeps no positions.
  uint32_t lineOf(const std::string &name) {
    const size_t at = text.find("\"" + name + "\"", from);
    if (at == std::string_view::npos)
      return line;
    line += static_cast<uint32_t>(
        std::count(text.begin() + from, text.begin() + at, '\n'));
    from = at;
    return line;
  }
};

void JsonReader::function(const json &object, const std::string &target) {
  const auto code = object.find("sass-instructions");
  if (!object.is_object() || code == object.end() || !code->is_array())
    return;
  const std::string name = stringOf(object, "function-name");
  const uint64_t start = numberOf(object, "start");
  // A device function stands in its kernel's section, right behind it.
  const bool within = start > 0 && start == end && !listing.kernels.empty();
  if (!within) {
    listing.kernels.emplace_back();
    Kernel &made = listing.kernels.back();
    made.name = name;
    made.target = target;
    made.origin = "nvdisasm -json";
    made.line = lineOf(name);
  }
  Kernel &kernel = listing.kernels.back();
  if (within)
    kernel.labels.emplace(name, kernel.code.size());
  const size_t first = kernel.code.size();
  // Before sm_70 an instruction has 8 bytes, and every fourth word is control.
  const int sm = smNumber(target);
  const bool small = sm > 0 && sm < 70;
  for (const json &item : *code) {
    Instruction made;
    const size_t i = kernel.code.size() - first;
    made.address = start + (small ? i / 3 * 32 + i % 3 * 8 + 8 : i * 16);
    made.line = kernel.line;
    ++listing.instructionLines;
    const std::string words =
        item.is_object()
            ? stringOf(item, "predicate") + " " + stringOf(item, "opcode") +
                  " " + stringOf(item, "operands")
            : item.dump(-1, ' ', false, json::error_handler_t::replace);
    if (!splitSass(words, made)) {
      ++listing.unreadLines;
      made.text = words;
      listing.remarks.push_back({made.line, "not an instruction: " + words});
    } else if (item.contains("other-attributes") && !made.operands.empty() &&
               !looksLikeSassOperand(made.operands.back())) {
      // A jump's symbol, which other forms print as `(symbol).
      made.operands.back() = "`(" + made.operands.back() + ")";
      composeText(made);
    }
    kernel.code.push_back(std::move(made));
  }
  if (within && kernel.code.size() > first)
    kernel.code[first].label = name;
  // "length" has the functions behind it too.
  end = kernel.code.empty() ? 0 : kernel.code.back().address + (small ? 8 : 16);
  if (kernel.code.empty())
    listing.kernels.pop_back();
}

} // namespace

Result<Listing> wf::explain::readSassJson(std::string_view text,
                                          std::string_view name) {
  const json root = json::parse(text, nullptr, /*allow_exceptions=*/false);
  const std::string file(name.empty() ? "the text" : name);
  if (root.is_discarded())
    return Fault{file + " is JSON that ends early or is broken",
                 "print it again with nvdisasm -json"};
  JsonReader reader(text);
  std::string target;
  // One pair of description and functions, or several in one array.
  const auto visit = [&](const json &part) {
    if (part.is_object() && part.contains("SM"))
      target = targetOf(part);
    else if (part.is_array())
      for (const json &object : part)
        reader.function(object, target);
    else if (part.is_object())
      reader.function(part, target);
  };
  if (root.is_array())
    for (const json &part : root)
      visit(part);
  else
    visit(root);
  if (reader.listing.kernels.empty())
    return Fault{"no kernels in this image: " + file +
                     " lists no function with instructions",
                 "disassemble the linked program, or the object that holds "
                 "the kernel's own image"};
  return std::move(reader.listing);
}
