//===- Program.h - A checked reduction as scalar functions ------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// What leaves the language: names resolved, types known, records taken apart
// into scalars. A function is a list of nodes in execution order, each naming
// earlier nodes as its operands:
//
//   combine(a, b) = a + b      %0 = arg 0 : f32
//                              %1 = arg 1 : f32
//                              %2 = add %0, %1 : f32      results [%2]
//
// The dialect importer turns nodes into arith operations, the oracle
// (Numerics) evaluates them, and canonicalText() of a program is the part of
// the kernel key that says what is computed. The user's names live in
// locations only, so they are not in that text.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_LANGUAGE_PROGRAM_H
#define WARPFOLD_LANGUAGE_PROGRAM_H

#include "warpfold/Type.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace wf {

// X(enumerator, name, operand count). Operands have the node's type unless the
// third column of the comment says otherwise. Every operation is total.
//   arithmetic   : integers wrap; / and % truncate; x/0 = 0; x%0 = x;
//                  INT_MIN / -1 = INT_MIN; INT_MIN % -1 = 0
//   shifts       : amount masked to the width; >> arithmetic for signed
//   Eq..Ge       : operands of one type, result bool; IEEE for floats
//   More/Less/Same: total orders of floats, NaN first (more(NaN, x) and
//                  less(NaN, x) are true for any non-NaN x; same(NaN, NaN)),
//                  -0 equal to +0; integers and bool as > < ==
//   Min/Max      : floats propagate NaN and order -0 below +0
//   Select       : (bool, T, T) -> T
//   Cast         : any -> type: integer to integer wraps; float to integer
//                  saturates, NaN -> 0; to bool is != 0 (NaN is true); bool to
//                  number is 0 / 1; rounds to nearest even
//   Bitcast      : same byte size; bool only to bool
//   And/Or/Xor/Not: integers bitwise, bool logical
#define WF_NODE_OPS(X)                                                         \
  X(Constant, "constant", 0)                                                   \
  X(Argument, "argument", 0)                                                   \
  X(Add, "add", 2)                                                             \
  X(Sub, "sub", 2)                                                             \
  X(Mul, "mul", 2)                                                             \
  X(Div, "div", 2)                                                             \
  X(Rem, "rem", 2)                                                             \
  X(And, "and", 2)                                                             \
  X(Or, "or", 2)                                                               \
  X(Xor, "xor", 2)                                                             \
  X(Shl, "shl", 2)                                                             \
  X(Shr, "shr", 2)                                                             \
  X(Neg, "neg", 1)                                                             \
  X(Not, "not", 1)                                                             \
  X(Eq, "eq", 2)                                                               \
  X(Ne, "ne", 2)                                                               \
  X(Lt, "lt", 2)                                                               \
  X(Le, "le", 2)                                                               \
  X(Gt, "gt", 2)                                                               \
  X(Ge, "ge", 2)                                                               \
  X(More, "more", 2)                                                           \
  X(Less, "less", 2)                                                           \
  X(Same, "same", 2)                                                           \
  X(Select, "select", 3)                                                       \
  X(Cast, "cast", 1)                                                           \
  X(Bitcast, "bitcast", 1)                                                     \
  X(Min, "min", 2)                                                             \
  X(Max, "max", 2)                                                             \
  X(Abs, "abs", 1)                                                             \
  X(Sqrt, "sqrt", 1)                                                           \
  X(Rsqrt, "rsqrt", 1)                                                         \
  X(Fma, "fma", 3)                                                             \
  X(Floor, "floor", 1)                                                         \
  X(Ceil, "ceil", 1)                                                           \
  X(IsNan, "isnan", 1)

enum class NodeOp : uint8_t {
#define X(E, ...) E,
  WF_NODE_OPS(X)
#undef X
};

/// Where a node comes from: `file` may be a file name or a command-line flag
/// such as "--combine". Line and column count from 1; 0 means unknown.
struct SourceLocation {
  std::string file;
  uint32_t line = 0, column = 0;
  std::string name; ///< the user's name for the value, where there is one
};

struct Node {
  NodeOp op;
  ScalarType type;
  /// Indices of earlier nodes of the same function.
  std::vector<uint32_t> operands;
  /// Constant: the stored bits of the value, zero-extended (bool: 0 or 1;
  /// f32: the 32 bits). Argument: the position in Function::arguments.
  uint64_t payload = 0;
  SourceLocation where;
};

/// What an argument of a function stands for.
enum class ArgumentRole : uint8_t {
  StateA, ///< member `index` of the left (or only) state
  StateB, ///< member `index` of the right state of combine
  Input,  ///< element of input `index`, in its stored type
  Index,  ///< i64: linear position k along the reduced axes
  CountA, ///< i64: elements in the left (or only) state; in finish: present
  CountB, ///< i64: elements in the right state
  Param,  ///< run-time scalar `index`
};

struct Argument {
  ArgumentRole role;
  uint32_t index;
  ScalarType type;
};

struct Function {
  std::string name; ///< "map", "combine", "update", "finish", …
  std::vector<Argument> arguments;
  std::vector<Node> nodes;
  std::vector<uint32_t> results; ///< node indices

  /// True if some node reachable from the results reads an argument of `role`
  /// (with any index).
  bool uses(ArgumentRole role) const;
};

/// A named scalar: a state member, a result, or a param.
struct Field {
  std::string name; ///< results of a one-value finish have an empty name
  ScalarType type;
};

struct Param {
  std::string name;
  ScalarType type;
  /// Bits as in Node::payload: the default, or what the user set.
  std::optional<uint64_t> value;
};

/// One reduction at fixed input types. The argument lists are always these, in
/// this order, used or not:
///   map     Input 0..n-1, Index, Param 0..
///   combine StateA 0.., StateB 0.., CountA, CountB, Param 0..
///   update  StateA 0.., CountA, Input 0..n-1, Index, Param 0..
///   finish  StateA 0.., CountA, Param 0..
///   neutral Param 0..           empty Param 0..
/// update and finish are always there (derived where the user gave none:
/// combine(s, map(x)) and the state itself).
struct Program {
  std::string name;
  std::vector<ScalarType> inputs; ///< stored types, one to four
  std::vector<Field> state;
  std::vector<Field> results;
  std::vector<Param> params;
  Function map, combine, update, finish;
  std::optional<Function> neutral; ///< -> state
  std::optional<Function> empty;   ///< -> results; finish(neutral) if derived
  bool hasOwnUpdate = false;       ///< the user wrote `update`
  bool commutative = false;        ///< declared or recognised
  bool commutativeDeclared = false;
  /// Any tree gives the same bits: recognised (integer + * & | ^, bool && ||,
  /// min, max, and arg reductions under the total orders) or declared.
  bool exact = false;
  /// `--nan ignore`: the last state member is the i64 count of present
  /// elements, every function already takes absent elements into account.
  bool nanIgnore = false;
  /// nanIgnore and no `empty`: the last result is the i64 count, and a 0 in it
  /// is an error the caller reports ("empty reduction").
  bool reportsAbsence = false;
  /// Sum of the state members' bytes without padding, as the order contract
  /// counts them (the count member of nanIgnore is not in it).
  int64_t stateBytes = 0;
  /// Bytes of the widest stored input that map or update reads (if none is
  /// read: of the widest input).
  int64_t widestInputBytes = 0;
  /// Which inputs map or update read.
  std::vector<bool> readsInput;

  /// What is computed, without the user's names: equal texts mean equal
  /// kernels. Includes types, facts and params (not their values).
  std::string canonicalText() const;
};

} // namespace wf

#endif // WARPFOLD_LANGUAGE_PROGRAM_H
