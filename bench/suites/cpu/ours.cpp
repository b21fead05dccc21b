//===- ours.cpp - Warpfold through its C interface ------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "suites/cpu/ours.h"

#include <algorithm>

using namespace bench;

std::unique_ptr<Ours> Ours::prepare(const Row &row, int threads,
                                    std::string &error) {
  wf_array x = {typeOf(row.data), int32_t(row.shape.size()), row.shape.data(),
                nullptr};
  wf_request request = {};
  request.op = row.op.c_str();
  request.inputs = &x;
  request.input_count = 1;
  request.axes = row.axes.data();
  request.axis_count = row.axes.size();
  request.threads = threads;
  auto ours = std::make_unique<Ours>();
  if (wf_prepare(&request, &ours->handle) != WF_OK) {
    error = wf_last_error();
    return nullptr;
  }
  int32_t rank = 8;
  int64_t shape[8];
  if (wf_result_info(ours->handle, 0, &ours->resultType, &rank, shape) !=
      WF_OK) {
    error = wf_last_error();
    return nullptr;
  }
  size_t size = sizeOf(ours->resultType);
  for (int32_t d = 0; d < rank; ++d)
    size *= size_t(shape[d]);
  ours->bytes.resize(size);
  return ours;
}

bool Ours::run(const void *data) {
  void *to = bytes.data();
  return wf_run(handle, &data, &to, nullptr) == WF_OK;
}

void Ours::spoil() { std::fill(bytes.begin(), bytes.end(), char(0xff)); }
