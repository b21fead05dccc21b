//===- AmdgcnModule.cpp - What surrounds AMD code in a text ---------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Read/AmdgcnModule.h"

#include "Explain/Read/AmdgcnLine.h"

#include <algorithm>
#include <iterator>

using namespace wf::explain;
using namespace wf::explain::amdgcn;

static std::string_view unquoted(std::string_view text) {
  text = trimmed(text);
  if (text.size() >= 2 && (text[0] == '\'' || text[0] == '"') &&
      text.back() == text[0])
    return text.substr(1, text.size() - 2);
  return text;
}

void MetadataReader::line(std::string_view text) {
  size_t indent = text.find_first_not_of(' ');
  if (indent == std::string_view::npos)
    return;
  std::string_view body = text.substr(indent);
  bool item = body.starts_with("- ");
  if (!item && !body.starts_with('.')) {
    inKernels = body.starts_with("amdhsa.kernels:");
    if (body.starts_with("amdhsa.target:"))
      target = chipIn(body);
    return;
  }
  if (!inKernels)
    return;
  if (item) {
    std::string_view rest = body.substr(2);
    size_t blanks = std::min(rest.find_first_not_of(' '), rest.size());
    body = rest.substr(blanks);
    if (kernelIndent == SIZE_MAX)
      kernelIndent = indent;
    if (indent <= kernelIndent) {
      kernels.emplace_back();
      inArguments = false;
    } else if (inArguments && body.starts_with('.')) {
      kernels.back().arguments.emplace_back();
    } else {
      return; // of a list that nobody asks for
    }
    indent += 2 + blanks;
  }
  size_t colon = body.find(':');
  if (colon == std::string_view::npos || kernels.empty())
    return;
  field(indent, body.substr(0, colon), unquoted(body.substr(colon + 1)));
}

void MetadataReader::field(size_t indent, std::string_view key,
                           std::string_view value) {
  Metadata &kernel = kernels.back();
  if (indent <= kernelIndent + 2 || !inArguments) {
    inArguments = key == ".args";
    kernel.fields.emplace(key, value);
  } else if (!kernel.arguments.empty()) {
    kernel.arguments.back().emplace(key, value);
  }
}

std::string amdgcn::chipIn(std::string_view text) {
  for (size_t at = text.find("gfx"); at != std::string_view::npos;
       at = text.find("gfx", at + 1)) {
    std::string_view digits = hexPrefix(text.substr(at + 3));
    // Not the first letters of a file's extension that are digits by chance.
    size_t longest = digits.starts_with("9") ? 3 : 4;
    if (digits.size() >= longest && digits[0] >= '1')
      return "gfx" + std::string(digits.substr(0, longest));
  }
  return "";
}

namespace {
/// A name of ours for what the runtime passes.
struct Hidden {
  std::string_view kind, name;
};
constexpr Hidden hiddenNames[] = {{"hidden_block_count_x", "gridDim.x"},
                                  {"hidden_block_count_y", "gridDim.y"},
                                  {"hidden_block_count_z", "gridDim.z"},
                                  {"hidden_group_size_x", "blockDim.x"},
                                  {"hidden_group_size_y", "blockDim.y"},
                                  {"hidden_group_size_z", "blockDim.z"},
                                  {"hidden_remainder_x", "lastBlockDim.x"},
                                  {"hidden_remainder_y", "lastBlockDim.y"},
                                  {"hidden_remainder_z", "lastBlockDim.z"},
                                  {"hidden_global_offset_x", "globalOffset.x"},
                                  {"hidden_global_offset_y", "globalOffset.y"},
                                  {"hidden_global_offset_z", "globalOffset.z"},
                                  {"hidden_grid_dims", "gridDims"}};
} // namespace

using Fields = std::map<std::string, std::string, std::less<>>;

static std::string_view text(const Fields &fields, std::string_view key) {
  auto found = fields.find(key);
  return found == fields.end() ? std::string_view() : found->second;
}

static std::optional<uint32_t> number(const Fields &fields,
                                      std::string_view key) {
  auto value = integer(text(fields, key));
  if (!value || *value < 0 || *value > UINT32_MAX)
    return std::nullopt;
  return static_cast<uint32_t>(*value);
}

/// As C writes it; metadata may name no type, and then a pointer is a void *.
static std::string typeOf(const Fields &argument) {
  std::string type(text(argument, ".type_name"));
  std::string_view kind = text(argument, ".value_kind");
  bool pointer = kind == "global_buffer" || kind == "dynamic_shared_pointer";
  if (type.empty())
    return pointer ? "void *" : "";
  if (type.ends_with('*')) {
    type.pop_back();
    while (type.ends_with(' '))
      type.pop_back();
    type += " *";
    if (text(argument, ".is_const") == "true" && !type.starts_with("const "))
      type = "const " + type;
  }
  return type;
}

static void addArguments(Kernel &kernel, const Metadata &metadata) {
  for (const Fields &argument : metadata.arguments) {
    Parameter parameter;
    parameter.offset = number(argument, ".offset").value_or(0);
    parameter.bytes = number(argument, ".size").value_or(0);
    std::string_view kind = text(argument, ".value_kind");
    if (kind.starts_with("hidden_")) {
      parameter.name = kind.substr(7);
      for (const Hidden &hidden : hiddenNames)
        if (hidden.kind == kind)
          parameter.name = hidden.name;
      if (kind != "hidden_none")
        kernel.hidden.push_back(std::move(parameter));
      continue;
    }
    parameter.name = text(argument, ".name");
    if (parameter.name.empty())
      parameter.name = "arg" + std::to_string(kernel.parameters.size());
    parameter.type = typeOf(argument);
    kernel.parameters.push_back(std::move(parameter));
  }
}

/// HIP's metadata has no types, but the mangled name does.
static void addTypes(Kernel &kernel) {
  std::vector<Parameter> named = parametersOfName(kernel.name);
  if (named.size() != kernel.parameters.size())
    return;
  for (size_t i = 0; i < named.size(); ++i)
    if (std::string &type = kernel.parameters[i].type;
        type.empty() || type == "void *")
      type = named[i].type;
}

static void addMetadata(Kernel &kernel, const Metadata &metadata) {
  const Fields &fields = metadata.fields;
  Resources &r = kernel.resources;
  r.registers = number(fields, ".vgpr_count");
  r.uniformRegisters = number(fields, ".sgpr_count");
  r.accumulators = number(fields, ".agpr_count");
  r.sharedBytes = number(fields, ".group_segment_fixed_size");
  r.stackBytes = number(fields, ".private_segment_fixed_size");
  r.maxThreads = number(fields, ".max_flat_workgroup_size");
  if (auto spills = number(fields, ".vgpr_spill_count"))
    r.spillBytes = *spills * 4;
  if (auto lanes = number(fields, ".wavefront_size"))
    kernel.lanes = *lanes == 64 ? 64 : 32;
  addArguments(kernel, metadata);
  addTypes(kernel);
}

static std::optional<int64_t> directive(const Kernel &kernel, const char *key) {
  auto found = kernel.descriptor.find(key);
  if (found == kernel.descriptor.end())
    return std::nullopt;
  return found->second;
}

static void fill(std::optional<uint32_t> &place, std::optional<int64_t> value) {
  if (!place && value && *value >= 0 && *value <= UINT32_MAX)
    place = static_cast<uint32_t>(*value);
}

void amdgcn::describe(Kernel &kernel, const Module &module) {
  for (const Metadata &metadata : module.metadata.kernels)
    if (text(metadata.fields, ".name") == kernel.name ||
        text(metadata.fields, ".symbol") == kernel.name + ".kd") {
      addMetadata(kernel, metadata);
      break;
    }
  if (auto found = module.descriptors.find(kernel.name);
      found != module.descriptors.end())
    kernel.descriptor = found->second;
  auto symbol = [&](const char *suffix) -> std::optional<int64_t> {
    auto found = module.symbols.find(kernel.name + suffix);
    if (found == module.symbols.end())
      return std::nullopt;
    return found->second;
  };
  Resources &r = kernel.resources;
  fill(r.registers, symbol(".num_vgpr"));
  fill(r.registers, directive(kernel, "next_free_vgpr"));
  fill(r.accumulators, symbol(".num_agpr"));
  fill(r.uniformRegisters, symbol(".numbered_sgpr"));
  fill(r.uniformRegisters, directive(kernel, "next_free_sgpr"));
  fill(r.sharedBytes, directive(kernel, "group_segment_fixed_size"));
  fill(r.stackBytes, directive(kernel, "private_segment_fixed_size"));
  if (auto wide = directive(kernel, "wavefront_size32"))
    kernel.lanes = *wide ? 32 : 64;
  kernel.target = module.target;
  if (kernel.target.empty())
    kernel.target = module.metadata.target;
  if (kernel.target.empty())
    kernel.target = chipIn(module.fileName);
  // gfx9 has waves of 64 only, and its assembler no directive for them.
  if (kernel.target.starts_with("gfx9"))
    kernel.lanes = 64;
}
