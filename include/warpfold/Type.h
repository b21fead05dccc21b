//===- Type.h - The scalar types of arrays and states ------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// One list of the scalar types that arrays store and reduction states hold.
// Everything that enumerates types (readers, printers, the compiler, the
// oracle) derives from WF_SCALAR_TYPES; nothing keeps a list of its own.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_TYPE_H
#define WARPFOLD_TYPE_H

#include <cstdint>
#include <optional>
#include <string_view>

namespace wf {

// X(enumerator, name in the language, bytes, NumPy descr without byte order,
//   safetensors name, C++ storage type)
#define WF_SCALAR_TYPES(X)                                                     \
  X(Bool, "bool", 1, "b1", "BOOL", uint8_t)                                    \
  X(I8, "i8", 1, "i1", "I8", int8_t)                                           \
  X(I16, "i16", 2, "i2", "I16", int16_t)                                       \
  X(I32, "i32", 4, "i4", "I32", int32_t)                                       \
  X(I64, "i64", 8, "i8", "I64", int64_t)                                       \
  X(U8, "u8", 1, "u1", "U8", uint8_t)                                          \
  X(U16, "u16", 2, "u2", "U16", uint16_t)                                      \
  X(U32, "u32", 4, "u4", "U32", uint32_t)                                      \
  X(U64, "u64", 8, "u8", "U64", uint64_t)                                      \
  X(F32, "f32", 4, "f4", "F32", float)                                         \
  X(F64, "f64", 8, "f8", "F64", double)

enum class ScalarType : uint8_t {
#define X(E, ...) E,
  WF_SCALAR_TYPES(X)
#undef X
};

/// The type's name in the language and on the command line: "f32".
constexpr std::string_view name(ScalarType t) {
  switch (t) {
#define X(E, N, ...)                                                           \
  case ScalarType::E:                                                          \
    return N;
    WF_SCALAR_TYPES(X)
#undef X
  }
  return "?";
}

/// Bytes of one stored element.
constexpr int64_t byteSize(ScalarType t) {
  switch (t) {
#define X(E, N, B, ...)                                                        \
  case ScalarType::E:                                                          \
    return B;
    WF_SCALAR_TYPES(X)
#undef X
  }
  return 0;
}

/// The type called `text` in the language, or nothing.
constexpr std::optional<ScalarType> scalarTypeNamed(std::string_view text) {
#define X(E, N, ...)                                                           \
  if (text == N)                                                               \
    return ScalarType::E;
  WF_SCALAR_TYPES(X)
#undef X
  return std::nullopt;
}

constexpr bool isFloat(ScalarType t) {
  return t == ScalarType::F32 || t == ScalarType::F64;
}
constexpr bool isSigned(ScalarType t) {
  return t >= ScalarType::I8 && t <= ScalarType::I64;
}
constexpr bool isUnsigned(ScalarType t) {
  return t >= ScalarType::U8 && t <= ScalarType::U64;
}
/// Signed or unsigned; bool is not an integer.
constexpr bool isInteger(ScalarType t) { return isSigned(t) || isUnsigned(t); }

} // namespace wf

#endif // WARPFOLD_TYPE_H
