//===- IrTypes.cpp - Tensor types and layouts of MLIR's text --------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Inspect/IrTypes.h"

#include <algorithm>
#include <charconv>

namespace wf::explain {

uint64_t TensorType::bytes() const {
  uint64_t bits = element == "ptr" ? 64 : ir::bitsOfElement(element);
  uint64_t count = 1;
  for (int64_t n : shape) {
    if (n < 0 || count > (1ull << 40))
      return 0;
    count *= static_cast<uint64_t>(n);
  }
  // What is narrower than a byte takes one in shared memory.
  return count * std::max<uint64_t>(1, bits / 8);
}

std::string TensorType::shapeText() const {
  std::string text;
  for (int64_t n : shape)
    text += (n < 0 ? "?" : std::to_string(n)) + "x";
  return text + element;
}

} // namespace wf::explain

namespace wf::explain::ir {

unsigned bitsOfElement(std::string_view element) {
  if (element == "index")
    return 64;
  size_t digit = element.find_first_of("0123456789");
  unsigned bits = 0;
  if (digit != std::string_view::npos)
    std::from_chars(element.data() + digit, element.data() + element.size(),
                    bits);
  return bits;
}

std::string timesText(const std::vector<int64_t> &numbers) {
  std::string text;
  for (int64_t n : numbers)
    text += (text.empty() ? "" : "x") + std::to_string(n);
  return text;
}

static void strip(std::string_view &text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\n'))
    text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\n'))
    text.remove_suffix(1);
}

std::optional<TensorType> readTensor(std::string_view text) {
  bool shaped = false;
  for (std::string_view kind : {"tensor", "memref", "vector"})
    if (text.substr(0, kind.size()) == kind) {
      text.remove_prefix(kind.size());
      shaped = true;
    }
  if (!shaped)
    return std::nullopt;
  if (!text.empty() && text.front() == '<') {
    text.remove_prefix(1);
    if (!text.empty() && text.back() == '>')
      text.remove_suffix(1);
  }
  TensorType type;
  while (true) {
    size_t end = 0;
    while (end < text.size() && text[end] >= '0' && text[end] <= '9')
      ++end;
    bool unknown = end == 0 && !text.empty() && text[0] == '?';
    end += unknown ? 1 : 0;
    if (end == 0 || end >= text.size() || text[end] != 'x')
      break;
    int64_t n = -1;
    if (!unknown)
      std::from_chars(text.data(), text.data() + end, n);
    type.shape.push_back(n);
    text.remove_prefix(end + 1);
  }
  size_t depth = 0, comma = text.size();
  for (size_t i = 0; i < text.size(); ++i) {
    depth += text[i] == '<' ? 1 : 0;
    depth -= text[i] == '>' && depth > 0 ? 1 : 0;
    if (text[i] == ',' && depth == 0) {
      comma = i;
      break;
    }
  }
  std::string_view element = text.substr(0, comma);
  strip(element);
  bool pointer = element.find("ptr") != std::string_view::npos;
  type.element = pointer ? "ptr" : std::string(element);
  if (type.element.empty() || type.shape.empty())
    return std::nullopt;
  if (comma < text.size()) {
    std::string_view layout = text.substr(comma + 1);
    strip(layout);
    type.layout = layout;
  }
  return type;
}

/// The numbers of "key = [1, 4]" or "key = 1"; empty where there is no key.
static std::vector<int64_t> numbersOf(std::string_view text,
                                      std::string_view key) {
  std::vector<int64_t> numbers;
  size_t at = text.find(key);
  if (at == std::string_view::npos)
    return numbers;
  at += key.size();
  bool list = false;
  for (; at < text.size(); ++at) {
    char c = text[at];
    if (c >= '0' && c <= '9') {
      int64_t n = 0;
      auto end =
          std::from_chars(text.data() + at, text.data() + text.size(), n).ptr;
      // Bounded, so that products of three stay numbers.
      numbers.push_back(std::clamp<int64_t>(n, 0, 1 << 20));
      at = static_cast<size_t>(end - text.data()) - 1;
      if (!list)
        break;
    } else if (c == '[') {
      list = true;
    } else if (c == ']' || c == '}' || c == '<') {
      break;
    } else if (c != ' ' && c != '=' && c != ',') {
      break;
    }
  }
  return numbers;
}

/// "lane = [[0, 1], [0, 2]]"
static std::vector<std::vector<int64_t>> basesOf(std::string_view text,
                                                 std::string_view key) {
  std::vector<std::vector<int64_t>> bases;
  size_t at = text.find(key);
  if (at == std::string_view::npos)
    return bases;
  int depth = 0;
  for (at += key.size(); at < text.size(); ++at) {
    char c = text[at];
    if (c == '[' && ++depth == 2) {
      bases.emplace_back();
    } else if (c == ']' && --depth == 0) {
      break;
    } else if (depth == 2 && c >= '0' && c <= '9') {
      int64_t n = 0;
      auto end =
          std::from_chars(text.data() + at, text.data() + text.size(), n).ptr;
      bases.back().push_back(n);
      at = static_cast<size_t>(end - text.data()) - 1;
    }
  }
  return bases;
}

Layout readLayout(std::string_view text) {
  Layout layout;
  layout.text = text;
  size_t open = text.find('<');
  std::string_view name = text.substr(0, open);
  size_t dot = name.rfind('.');
  layout.kind = dot == std::string_view::npos ? "" : name.substr(dot + 1);
  if (open == std::string_view::npos)
    return layout;
  std::string_view body = text.substr(open);
  if (layout.kind == "slice") {
    auto dim = numbersOf(body, "dim");
    layout.dim = dim.empty() ? -1 : dim[0];
    size_t parent = body.find("parent");
    size_t hash = body.find('#', parent == std::string_view::npos ? 0 : parent);
    if (hash != std::string_view::npos) {
      layout.parent = body.substr(hash);
      while (!layout.parent.empty() &&
             (layout.parent.back() == '>' || layout.parent.back() == '}' ||
              layout.parent.back() == ' ')) {
        // A parent that is written out keeps the bracket that is its own.
        auto count = [&](char c) {
          return std::count(layout.parent.begin(), layout.parent.end(), c);
        };
        char last = layout.parent.back();
        if ((last == '>' && count('>') <= count('<')) ||
            (last == '}' && count('}') <= count('{')))
          break;
        layout.parent.pop_back();
      }
    }
    return layout;
  }
  layout.sizePerThread = numbersOf(body, "sizePerThread");
  layout.threadsPerWarp = numbersOf(body, "threadsPerWarp");
  layout.warpsPerCta = numbersOf(body, "warpsPerCTA");
  layout.order = numbersOf(body, "order");
  layout.registerBases = basesOf(body, "register");
  layout.laneBases = basesOf(body, "lane");
  layout.warpBases = basesOf(body, "warp =");
  return layout;
}

Layout layoutOf(const std::vector<Layout> &known, std::string_view text) {
  for (const Layout &l : known)
    if (l.name == text)
      return l;
  return readLayout(text);
}

std::vector<int64_t> covers(const Layout &layout) {
  std::vector<int64_t> tile;
  size_t rank = layout.sizePerThread.size();
  if (layout.threadsPerWarp.size() != rank || layout.warpsPerCta.size() != rank)
    return tile;
  for (size_t i = 0; i < rank; ++i)
    tile.push_back(layout.sizePerThread[i] * layout.threadsPerWarp[i] *
                   layout.warpsPerCta[i]);
  return tile;
}

/// 2 for each basis that moves along `axis`.
static int64_t moves(const std::vector<std::vector<int64_t>> &bases,
                     size_t axis) {
  int64_t count = 1;
  for (const auto &b : bases)
    if (axis < b.size() && b[axis] != 0 && count < (1 << 30))
      count *= 2;
  return count;
}

std::optional<Spread> spreadOf(const std::vector<Layout> &known,
                               const TensorType &type, int64_t axis) {
  if (axis < 0 || axis >= static_cast<int64_t>(type.shape.size()))
    return std::nullopt;
  Layout layout = layoutOf(known, type.layout);
  size_t at = static_cast<size_t>(axis);
  for (int depth = 0; layout.kind == "slice" && depth < 8; ++depth) {
    if (layout.dim >= 0 && at >= static_cast<size_t>(layout.dim))
      ++at; // the parent has one dimension more
    std::string parent = layout.parent;
    layout = layoutOf(known, parent);
  }
  Spread spread;
  if (layout.kind == "linear" || layout.kind == "generic_linear") {
    spread.registers = moves(layout.registerBases, at);
    spread.lanes = moves(layout.laneBases, at);
    spread.warps = moves(layout.warpBases, at);
    return spread;
  }
  std::vector<int64_t> tile = covers(layout);
  int64_t length = type.shape[static_cast<size_t>(axis)];
  if (at >= tile.size() || tile[at] <= 0 || length <= 0)
    return std::nullopt;
  // Registers first, then lanes, then warps; what is left is copies.
  int64_t left = length;
  auto take = [&](int64_t wanted) {
    int64_t taken = std::max<int64_t>(1, std::min(left, wanted));
    left = (left + taken - 1) / taken;
    return taken;
  };
  int64_t passes = std::max<int64_t>(1, length / tile[at]);
  spread.registers = take(layout.sizePerThread[at]);
  spread.lanes = take(layout.threadsPerWarp[at]);
  spread.warps = take(layout.warpsPerCta[at]);
  spread.registers *= passes;
  return spread;
}

} // namespace wf::explain::ir
