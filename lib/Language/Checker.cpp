//===- Checker.cpp - AST and types to a program ---------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// The order of work, top to bottom in check(): params; map, which gives the
// state its type; the other clauses against it; what the user left out; the
// facts; `--nan ignore`; what the plan wants to know.
//===----------------------------------------------------------------------===//
#include "Language/Checker.h"

#include "Language/ExprChecker.h"
#include "Language/ExprParser.h"
#include "Language/Facts.h"
#include "Language/Lexer.h"
#include "Language/Literal.h"
#include "Language/NanIgnore.h"
#include "Language/Parser.h"
#include "Language/Printer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>

using namespace wf;

namespace {
class ReductionChecker {
public:
  ReductionChecker(const ReductionAst &ast, const CheckOptions &options)
      : ast(ast), options(options), context{ast, options.acc, {}} {}

  llvm::Expected<Program> run();

private:
  llvm::Error setParam(llvm::StringRef nameAndType, llvm::StringRef text);
  bool checkInputs();
  bool declareParams();
  bool checkClauses();
  bool checkMap();
  bool checkCombine();
  bool checkUpdate();
  bool checkFinish();
  std::optional<Function> constantState(const Clause &clause, FunctionKind kind,
                                        const ValueType &type);
  Function derivedUpdate() const;
  Function derivedFinish() const;
  Function derivedEmpty() const;
  /// The clause's body as a function whose type must be `type`, called `what`.
  std::optional<Value> checkBody(ExprChecker &checker, const Clause &clause,
                                 FunctionKind kind, const ValueType &type,
                                 const std::string &what);
  void bindInputTypes(ExprChecker &checker);
  void describeReads(const Function &map, const Function &update);
  bool fail(Diag id, const SourceLocation &where,
            std::vector<std::string> arguments = {}) {
    context.fail(id, where, std::move(arguments));
    return false;
  }

  const ReductionAst &ast;
  const CheckOptions &options;
  CheckContext context;
  Program &program = context.program;
  ValueType stateType, resultType;
};
} // namespace

bool ReductionChecker::checkInputs() {
  program.name = ast.name;
  program.inputs = options.inputs;
  if (options.inputs.size() == ast.inputs.size())
    return true;
  return fail(Diag::InputCount, ast.where,
              {ast.name, counted(ast.inputs.size(), "input"),
               counted(options.inputs.size(), "input")});
}

bool ReductionChecker::declareParams() {
  for (const ParamAst &param : ast.params) {
    if (!param.type)
      context.accUsed = true;
    Param out{param.name, param.type.value_or(context.likeType()),
              std::nullopt};
    if (param.value) {
      uint64_t bits = 0;
      if (literalBits(*param.value, out.type, bits) != LiteralFit::Fits)
        return fail(Diag::ParamValue, param.value->where,
                    {print(*param.value), param.name, shown(out.type),
                     "write a value of that type, or another type"});
      out.value = bits;
    }
    program.params.push_back(std::move(out));
  }
  return true;
}

/// `--param name:type=text`. Its error has no place in the reduction.
llvm::Error ReductionChecker::setParam(llvm::StringRef nameAndType,
                                       llvm::StringRef text) {
  llvm::Expected<ParamDecl> decl = parseParamDecl(nameAndType);
  if (!decl)
    return decl.takeError();
  auto param = llvm::find_if(
      program.params, [&](const Param &p) { return p.name == decl->name; });
  if (param == program.params.end()) {
    std::vector<std::string> names;
    for (const Param &p : program.params)
      names.push_back(p.name);
    std::string all = names.empty()
                          ? "'" + ast.name + "' has no params"
                          : "its params are " + llvm::join(names, ", ");
    return diagnose(Diag::ParamUnknown, {}, {},
                    {decl->name, nearestHint(decl->name, names, all)});
  }
  if (decl->type && *decl->type != param->type)
    return diagnose(Diag::ParamType, {}, {},
                    {decl->name, shown(param->type), shown(*decl->type)});
  TokenStream tokens(std::make_shared<SourceText>(
      SourceText{"--param " + decl->name, text.str()}));
  ExprPtr value = tokens.failed() ? nullptr : parseLiteral(tokens);
  if (value && tokens.peek().kind != Token::End)
    tokens.fail(Diag::ParamLiteral, tokens.peek(),
                {TokenStream::shown(tokens.peek())});
  if (tokens.failed())
    return tokens.takeError();
  uint64_t bits = 0;
  if (literalBits(*value, param->type, bits) != LiteralFit::Fits) {
    bool typed =
        ast.params[size_t(param - program.params.begin())].type.has_value();
    return diagnose(
        Diag::ParamValue, {}, {},
        {text.str(), decl->name, shown(param->type),
         typed ? "write a value of that type"
               : "without a type it has the one that like(…) gives: write "
                 "--param " +
                     decl->name + ":f64=" + text.str()});
  }
  param->value = bits;
  return llvm::Error::success();
}

static std::string conversionHint(const ValueType &from, const ValueType &to) {
  if (to.isRecord())
    return "a record with the same fields in the same order";
  if (from.isRecord())
    return "one field of it, as in r." + from.fields[0].first;
  return shown(to) + "(…)";
}

std::optional<Value> ReductionChecker::checkBody(ExprChecker &checker,
                                                 const Clause &clause,
                                                 FunctionKind kind,
                                                 const ValueType &type,
                                                 const std::string &what) {
  std::optional<Value> value = checker.check(*clause.body, &type);
  if (!value)
    return std::nullopt;
  ValueType given = checker.typeOf(*value);
  if (given != type)
    return context.fail(Diag::ClauseType, clause.body->where,
                        {functionName(kind), shown(given), what, shown(type),
                         conversionHint(given, type)});
  return value;
}

void ReductionChecker::bindInputTypes(ExprChecker &checker) {
  for (size_t i = 0; i != ast.inputs.size(); ++i)
    checker.bindInput(ast.inputs[i].name, uint32_t(i), /*hasValue=*/false);
}

bool ReductionChecker::checkMap() {
  if (!ast.map && ast.inputs.size() > 1)
    return fail(Diag::MapNeeded, ast.where,
                {std::to_string(ast.inputs.size()),
                 "map = " + ast.inputs[0].name + " * " + ast.inputs[1].name});
  ExprChecker checker(context, FunctionKind::Map);
  std::optional<Value> value;
  if (ast.map) {
    for (size_t i = 0; i != ast.inputs.size(); ++i)
      checker.bindInput(ast.inputs[i].name, uint32_t(i), /*hasValue=*/true);
    value = checker.check(*ast.map->body, nullptr);
  } else {
    value = checker.inputValue(0, ast.inputs[0].where);
  }
  if (!value)
    return false;
  stateType = checker.typeOf(*value);
  program.state = flattened(stateType);
  program.map = checker.finish(*value);
  return true;
}

bool ReductionChecker::checkCombine() {
  ExprChecker checker(context, FunctionKind::Combine);
  bindInputTypes(checker);
  checker.bindState(ast.combine->names[0].name, ArgumentRole::StateA,
                    stateType);
  checker.bindState(ast.combine->names[1].name, ArgumentRole::StateB,
                    stateType);
  auto value = checkBody(checker, *ast.combine, FunctionKind::Combine,
                         stateType, "the state");
  if (!value)
    return false;
  program.combine = checker.finish(*value);
  return true;
}

/// combine(s, map(x…)).
Function ReductionChecker::derivedUpdate() const {
  FunctionBuilder builder(FunctionKind::Update, program);
  auto argumentsOf = [&](const Function &callee) {
    std::vector<uint32_t> out;
    for (const Argument &argument : callee.arguments)
      out.push_back(builder.argument(argument.role, argument.index));
    return out;
  };
  std::vector<uint32_t> element =
      builder.inlineCall(program.map, argumentsOf(program.map));
  std::vector<uint32_t> arguments;
  for (const Argument &argument : program.combine.arguments) {
    if (argument.role == ArgumentRole::StateB)
      arguments.push_back(element[argument.index]);
    else if (argument.role == ArgumentRole::CountB)
      arguments.push_back(builder.constant(ScalarType::I64, 1));
    else
      arguments.push_back(builder.argument(argument.role, argument.index));
  }
  return builder.finish(builder.inlineCall(program.combine, arguments));
}

bool ReductionChecker::checkUpdate() {
  program.hasOwnUpdate = ast.update.has_value();
  if (!ast.update) {
    program.update = derivedUpdate();
    return true;
  }
  ExprChecker checker(context, FunctionKind::Update);
  checker.bindState(ast.update->names[0].name, ArgumentRole::StateA, stateType);
  for (size_t i = 0; i != ast.inputs.size(); ++i)
    checker.bindInput(ast.update->names[i + 1].name, uint32_t(i),
                      /*hasValue=*/true);
  auto value = checkBody(checker, *ast.update, FunctionKind::Update, stateType,
                         "the state");
  if (!value)
    return false;
  program.update = checker.finish(*value);
  return true;
}

Function ReductionChecker::derivedFinish() const {
  FunctionBuilder builder(FunctionKind::Finish, program);
  std::vector<uint32_t> results;
  for (size_t i = 0; i != program.state.size(); ++i)
    results.push_back(builder.argument(ArgumentRole::StateA, uint32_t(i)));
  return builder.finish(results);
}

bool ReductionChecker::checkFinish() {
  if (!ast.finish) {
    resultType = stateType;
    program.results = program.state;
    program.finish = derivedFinish();
    return true;
  }
  ExprChecker checker(context, FunctionKind::Finish);
  bindInputTypes(checker);
  checker.bindState(ast.finish->names[0].name, ArgumentRole::StateA, stateType);
  std::optional<Value> value = checker.check(*ast.finish->body, nullptr);
  if (!value)
    return false;
  resultType = checker.typeOf(*value);
  program.results = flattened(resultType);
  program.finish = checker.finish(*value);
  return true;
}

std::optional<Function> ReductionChecker::constantState(const Clause &clause,
                                                        FunctionKind kind,
                                                        const ValueType &type) {
  ExprChecker checker(context, kind);
  bindInputTypes(checker);
  auto value =
      checkBody(checker, clause, kind, type,
                kind == FunctionKind::Neutral ? "the state" : "the result");
  if (!value)
    return std::nullopt;
  return checker.finish(*value);
}

/// finish(neutral), over no elements.
Function ReductionChecker::derivedEmpty() const {
  FunctionBuilder builder(FunctionKind::Empty, program);
  std::vector<uint32_t> params;
  for (size_t i = 0; i != program.params.size(); ++i)
    params.push_back(builder.argument(ArgumentRole::Param, uint32_t(i)));
  std::vector<uint32_t> arguments =
      builder.inlineCall(*program.neutral, params);
  arguments.push_back(builder.constant(ScalarType::I64, 0)); // count
  llvm::append_range(arguments, params);
  return builder.finish(builder.inlineCall(program.finish, arguments));
}

bool ReductionChecker::checkClauses() {
  if (!checkMap() || !checkCombine() || !checkUpdate() || !checkFinish())
    return false;
  if (ast.neutral)
    program.neutral =
        constantState(*ast.neutral, FunctionKind::Neutral, stateType);
  if (ast.empty)
    program.empty = constantState(*ast.empty, FunctionKind::Empty, resultType);
  else if (program.neutral)
    program.empty = derivedEmpty();
  return !context.fault;
}

static std::vector<bool> readsOf(const Function &map, const Function &update,
                                 size_t inputs) {
  std::vector<bool> out(inputs);
  for (const Function *f : {&map, &update})
    for (const Node &node : f->nodes)
      if (node.op == NodeOp::Argument &&
          f->arguments[node.payload].role == ArgumentRole::Input)
        out[f->arguments[node.payload].index] = true;
  return out;
}

/// Sizes for the order contract: from the user's functions, since a filter
/// (`--nan ignore`) is not an input.
void ReductionChecker::describeReads(const Function &map,
                                     const Function &update) {
  for (const Field &member : program.state)
    program.stateBytes += byteSize(member.type);
  std::vector<bool> reads = readsOf(map, update, program.inputs.size());
  bool readsNone = llvm::none_of(reads, [](bool r) { return r; });
  for (size_t i = 0; i != program.inputs.size(); ++i)
    if (reads[i] || readsNone)
      program.widestInputBytes =
          std::max(program.widestInputBytes, byteSize(program.inputs[i]));
}

llvm::Expected<Program> ReductionChecker::run() {
  if (!checkInputs() || !declareParams())
    return context.fault->error(ast.sources);
  std::vector<std::string> set;
  for (const auto &[nameAndType, text] : options.params) {
    std::string paramName = llvm::StringRef(nameAndType).split(':').first.str();
    if (llvm::is_contained(set, paramName))
      return diagnose(Diag::ParamTwice, {}, {}, {paramName});
    set.push_back(paramName);
    if (llvm::Error error = setParam(nameAndType, text))
      return std::move(error);
  }
  if (!checkClauses())
    return context.fault->error(ast.sources);
  if (options.acc && !context.accUsed)
    return diagnose(Diag::AccUnused, {}, {}, {shown(*options.acc), ast.name});
  program.commutativeDeclared = ast.commutative;
  program.commutative = ast.commutative || isCommutative(program.combine);
  program.exact = ast.exact || isExact(program.map, program.combine);
  describeReads(program.map, program.update);
  if (options.nanIgnore)
    ignoreNan(program);
  program.readsInput =
      readsOf(program.map, program.update, program.inputs.size());
  return std::move(program);
}

llvm::Expected<Program> wf::check(const ReductionAst &ast,
                                  const CheckOptions &options) {
  return ReductionChecker(ast, options).run();
}
