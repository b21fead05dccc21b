//===- CInterface.cpp - include/warpfold/warpfold.h -----------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "warpfold/warpfold.h"

#include "Error/Error.h"
#include "Language/Catalogue.h"
#include "Language/Parser.h"
#include "Pipeline/Prepare.h"
#include "llvm/Support/MathExtras.h"

#include <cstring>

#include <mutex>

using namespace wf;

// The C enumerators are the positions in WF_SCALAR_TYPES.
static_assert(int(ScalarType::Bool) == WF_BOOL &&
              int(ScalarType::I8) == WF_I8 && int(ScalarType::U8) == WF_U8 &&
              int(ScalarType::F32) == WF_F32 && int(ScalarType::F64) == WF_F64);

struct wf_handle {
  Preparation preparation;
  std::string plan, order;
  std::mutex mutex; ///< a launch has scratch of its own
};

static thread_local std::string lastError;

static wf_status fail(llvm::Error error) {
  wf_status status = WF_INTERNAL_ERROR;
  lastError.clear();
  llvm::handleAllErrors(std::move(error), [&](const llvm::ErrorInfoBase &e) {
    llvm::raw_string_ostream os(lastError);
    e.log(os);
    if (e.isA<WarpfoldError>())
      status = wf_status(
          exitCode(static_cast<const WarpfoldError &>(e).kind));
  });
  return status;
}

static std::optional<std::string> text(const char *s) {
  return s ? std::optional<std::string>(s) : std::nullopt;
}

static llvm::Expected<ReductionAst> reductionOf(const wf_request &r) {
  bool clauses = r.combine || r.map || r.update || r.finish || r.neutral ||
                 r.empty;
  if (r.op && clauses)
    return userError("both op and clauses are given", "give one of them");
  if (r.op)
    return lookupOp(r.op);
  ClauseTexts texts;
  texts.combine = text(r.combine);
  texts.map = text(r.map);
  texts.update = text(r.update);
  texts.finish = text(r.finish);
  texts.neutral = text(r.neutral);
  texts.empty = text(r.empty);
  texts.commutative = r.commutative != 0;
  for (size_t i = 0; i < r.param_count; ++i) {
    auto declared = parseParamDecl(r.params[i].name);
    if (!declared)
      return declared.takeError();
    texts.params.push_back(*declared);
  }
  return parseClauses(texts);
}

static llvm::Expected<Array> arrayOf(const wf_array &a) {
  if (unsigned(a.type) > unsigned(WF_F64))
    return userError("unknown type " + llvm::Twine(int(a.type)),
                     "use an enumerator of wf_type");
  if (a.rank < 0 || (a.rank > 0 && !a.shape))
    return userError("an input has rank " + llvm::Twine(a.rank) +
                         " and no shape",
                     "give shape rank numbers");
  Array array;
  array.type = ScalarType(a.type);
  int64_t elements = 1;
  for (int32_t d = 0; d < a.rank; ++d) {
    if (a.shape[d] < 0 ||
        llvm::MulOverflow(elements, a.shape[d], elements))
      return userError("an input's shape is negative or too large along axis " +
                       llvm::Twine(d));
    array.shape.push_back(a.shape[d]);
  }
  if (a.strides)
    array.strides.assign(a.strides, a.strides + a.rank);
  else
    array.strides = rowMajorStrides(array.shape);
  return array;
}

static llvm::Expected<ReduceRequest> requestOf(const wf_request &r) {
  ReduceRequest request;
  auto reduction = reductionOf(r);
  if (!reduction)
    return reduction.takeError();
  request.reduction = std::move(*reduction);
  for (size_t i = 0; i < r.input_count; ++i) {
    auto array = arrayOf(r.inputs[i]);
    if (!array)
      return array.takeError();
    request.inputs.push_back(std::move(*array));
  }
  request.axes.assign(r.axes, r.axes + r.axis_count);
  request.allAxes = r.axis_count == 0 && !r.no_axes;
  request.keepDims = r.keep_dims != 0;
  if (r.acc) {
    request.acc = scalarTypeNamed(r.acc);
    if (!request.acc)
      return userError(llvm::Twine("unknown accumulator type '") + r.acc + "'",
                       "types: bool i8 … i64 u8 … u64 f32 f64");
  }
  request.nan = r.nan_ignore ? NanPolicy::Ignore : NanPolicy::Propagate;
  request.order = text(r.order);
  if (r.device)
    request.device = r.device;
  request.plan = text(r.plan);
  request.threads = r.threads;
  for (size_t i = 0; i < r.param_count; ++i)
    request.params.emplace_back(r.params[i].name, r.params[i].value);
  return request;
}

wf_status wf_prepare(const wf_request *request, wf_handle **handle) {
  *handle = nullptr;
  auto converted = requestOf(*request);
  if (!converted)
    return fail(converted.takeError());
  auto made = std::make_unique<wf_handle>();
  // The results' rank is known once the axes are.
  PhaseTimes times;
  std::vector<std::vector<int64_t>> strides;
  if (request->result_strides) {
    ReduceRequest plain = *converted;
    auto first = prepare(plain, times);
    if (!first)
      return fail(first.takeError());
    for (size_t i = 0; i < userResults(first->program); ++i) {
      const int64_t *s = request->result_strides[i];
      strides.emplace_back(s, s + first->shapeOut.size());
    }
  }
  auto prepared = prepare(*converted, times,
                          request->result_strides ? &strides : nullptr);
  if (!prepared)
    return fail(prepared.takeError());
  made->preparation = std::move(*prepared);
  made->plan = made->preparation.plan.text();
  made->order = versionedName(made->preparation.plan.order);
  *handle = made.release();
  return WF_OK;
}

size_t wf_result_count(const wf_handle *handle) {
  return userResults(handle->preparation.program);
}

wf_status wf_result_info(const wf_handle *handle, size_t index, wf_type *type,
                         int32_t *rank, int64_t *shape) {
  const Preparation &p = handle->preparation;
  if (index >= wf_result_count(handle))
    return fail(userError("there is no result " + llvm::Twine(index)));
  *type = wf_type(p.program.results[index].type);
  int32_t room = *rank;
  *rank = int32_t(p.shapeOut.size());
  for (int32_t d = 0; shape && d < std::min(room, *rank); ++d)
    shape[d] = p.shapeOut[d];
  return WF_OK;
}

const char *wf_result_name(const wf_handle *handle, size_t index) {
  const Program &p = handle->preparation.program;
  return index < p.results.size() ? p.results[index].name.c_str() : "";
}

const char *wf_plan(const wf_handle *handle) { return handle->plan.c_str(); }
const char *wf_order(const wf_handle *handle) { return handle->order.c_str(); }

wf_status wf_run(wf_handle *handle, const void *const *inputs,
                 void *const *results, void *stream) {
  Preparation &p = handle->preparation;
  if (stream && !p.device)
    return fail(userError("the CPU has no streams", "pass NULL"));
  std::lock_guard<std::mutex> lock(handle->mutex);
  if (llvm::Error e = runPrepared(p, inputs, results, stream))
    return fail(std::move(e));
  return WF_OK;
}

size_t wf_workspace_bytes(const wf_handle *handle) {
  const Preparation &p = handle->preparation;
  return p.gpu ? size_t(p.gpu->workspaceBytes()) : 0;
}

wf_status wf_use_workspace(wf_handle *handle, void *memory, size_t bytes,
                           void *stream) {
  Preparation &p = handle->preparation;
  size_t needed = wf_workspace_bytes(handle);
  auto at = reinterpret_cast<DeviceAddress>(memory);
  if (bytes < needed)
    return fail(userError("the workspace has " + llvm::Twine(bytes) +
                              " bytes, but " + llvm::Twine(needed) +
                              " are needed",
                          "ask wf_workspace_bytes"));
  if (at % 256 != 0)
    return fail(userError("the workspace does not begin at a multiple of 256",
                          "allocate it with the driver, or align it"));
  if (needed == 0)
    return WF_OK;
  std::lock_guard<std::mutex> lock(handle->mutex);
  if (llvm::Error e = p.gpu->useWorkspace(at, stream))
    return fail(std::move(e));
  return WF_OK;
}

void wf_destroy(wf_handle *handle) { delete handle; }

const char *wf_last_error(void) { return lastError.c_str(); }
