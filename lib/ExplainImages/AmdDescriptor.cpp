//===- AmdDescriptor.cpp - Kernel descriptors as directives ---------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "ExplainImages/Parts.h"

#include "llvm/Support/AMDHSAKernelDescriptor.h"
#include "llvm/Support/Endian.h"

using namespace wf::explain;
using namespace llvm::amdhsa;
using llvm::StringRef;

namespace {
/// A field of a 32-bit word.
struct Field {
  const char *name;
  uint8_t shift, bits;
};
constexpr Field words2[] = {
    {"enable_private_segment", 0, 1},      {"system_sgpr_workgroup_id_x", 7, 1},
    {"system_sgpr_workgroup_id_y", 8, 1},  {"system_sgpr_workgroup_id_z", 9, 1},
    {"system_sgpr_workgroup_info", 10, 1}, {"system_vgpr_workitem_id", 11, 2}};
constexpr Field modes[] = {{"float_round_mode_32", 12, 2},
                           {"float_round_mode_16_64", 14, 2},
                           {"float_denorm_mode_32", 16, 2},
                           {"float_denorm_mode_16_64", 18, 2}};
constexpr Field properties[] = {{"user_sgpr_private_segment_buffer", 0, 1},
                                {"user_sgpr_dispatch_ptr", 1, 1},
                                {"user_sgpr_queue_ptr", 2, 1},
                                {"user_sgpr_kernarg_segment_ptr", 3, 1},
                                {"user_sgpr_dispatch_id", 4, 1},
                                {"user_sgpr_flat_scratch_init", 5, 1},
                                {"user_sgpr_private_segment_size", 6, 1},
                                {"uses_dynamic_stack", 11, 1}};
} // namespace

static uint32_t word(StringRef bytes, size_t offset) {
  return llvm::support::endian::read32le(bytes.data() + offset);
}

static void printFields(llvm::ArrayRef<Field> fields, uint32_t value,
                        llvm::raw_ostream &os) {
  for (const Field &field : fields)
    os << "\t\t.amdhsa_" << field.name << ' '
       << (value >> field.shift & ((1u << field.bits) - 1)) << '\n';
}

bool images::isWave32(StringRef descriptor) {
  return descriptor.size() >= sizeof(kernel_descriptor_t) &&
         word(descriptor, KERNEL_CODE_PROPERTIES_OFFSET) >> 10 & 1;
}

void images::printDescriptor(StringRef kernel, StringRef bytes, bool gfx1250,
                             llvm::raw_ostream &os) {
  if (bytes.size() < sizeof(kernel_descriptor_t))
    return;
  uint32_t rsrc2 = word(bytes, COMPUTE_PGM_RSRC2_OFFSET);
  os << "\t.amdhsa_kernel " << kernel << '\n';
  os << "\t\t.amdhsa_group_segment_fixed_size "
     << word(bytes, GROUP_SEGMENT_FIXED_SIZE_OFFSET) << '\n';
  os << "\t\t.amdhsa_private_segment_fixed_size "
     << word(bytes, PRIVATE_SEGMENT_FIXED_SIZE_OFFSET) << '\n';
  os << "\t\t.amdhsa_kernarg_size " << word(bytes, KERNARG_SIZE_OFFSET) << '\n';
  os << "\t\t.amdhsa_user_sgpr_count " << (rsrc2 >> 1 & (gfx1250 ? 63 : 31))
     << '\n';
  uint32_t property = word(bytes, KERNEL_CODE_PROPERTIES_OFFSET) & 0xffff;
  printFields(properties, property, os);
  os << "\t\t.amdhsa_wavefront_size32 " << (property >> 10 & 1) << '\n';
  printFields(words2, rsrc2, os);
  printFields(modes, word(bytes, COMPUTE_PGM_RSRC1_OFFSET), os);
  os << "\t.end_amdhsa_kernel\n";
}
