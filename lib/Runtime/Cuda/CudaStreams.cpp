//===- CudaStreams.cpp - Streams, events and graphs of an NVIDIA GPU ------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Runtime/Cuda/CudaDevice.h"

using namespace wf;
using namespace wf::cuda;
using llvm::Error;
using llvm::Expected;

static Stream asStream(DeviceStream stream) {
  return static_cast<Stream>(stream);
}

namespace {

class CudaEvent final : public DeviceEvent {
public:
  CudaEvent(CudaDevice &device, Event event) : device(device), handle(event) {}
  ~CudaEvent() override {
    llvm::consumeError(device.inContext(
        [&] { return device.driver().cuEventDestroy(handle); }));
  }
  Error record(DeviceStream stream) override {
    return device.inContext([&] {
      return device.driver().cuEventRecord(handle, asStream(stream));
    });
  }
  Error wait() override {
    return device.inContext(
        [&] { return device.driver().cuEventSynchronize(handle); });
  }

  CudaDevice &device;
  Event handle;
};

class CudaGraph final : public DeviceGraph {
public:
  CudaGraph(CudaDevice &device, GraphExec exec) : device(device), exec(exec) {}
  ~CudaGraph() override {
    llvm::consumeError(device.inContext(
        [&] { return device.driver().cuGraphExecDestroy(exec); }));
  }
  Error replay(DeviceStream stream) override {
    return device.inContext(
        [&] { return device.driver().cuGraphLaunch(exec, asStream(stream)); });
  }

private:
  CudaDevice &device;
  GraphExec exec;
};

} // namespace

Expected<DeviceStream> CudaDevice::makeStream() {
  Stream stream = nullptr;
  // A blocking stream: copies, which go through the default stream, then wait
  // for it and it for them.
  if (Error error = inContext(
          [&] { return calls.cuStreamCreate(&stream, StreamDefault); }))
    return std::move(error);
  return static_cast<DeviceStream>(stream);
}

void CudaDevice::destroyStream(DeviceStream stream) {
  if (stream)
    llvm::consumeError(
        inContext([&] { return calls.cuStreamDestroy(asStream(stream)); }));
}

Error CudaDevice::synchronise(DeviceStream stream) {
  return inContext([&] { return calls.cuStreamSynchronize(asStream(stream)); });
}

Expected<std::unique_ptr<DeviceEvent>> CudaDevice::makeEvent() {
  Event event = nullptr;
  if (Error error = inContext([&] { return calls.cuEventCreate(&event, 0); }))
    return std::move(error);
  return std::make_unique<CudaEvent>(*this, event);
}

Expected<double> CudaDevice::elapsed(DeviceEvent &from, DeviceEvent &to) {
  float milliseconds = 0;
  Error error = inContext([&] {
    return calls.cuEventElapsedTime(&milliseconds,
                                    static_cast<CudaEvent &>(from).handle,
                                    static_cast<CudaEvent &>(to).handle);
  });
  if (error)
    return std::move(error);
  return double(milliseconds) * 1e3;
}

/// Captures `body` on a stream of its own; the graph is null on failure.
static Error captureOn(const Driver &calls, Stream stream, Graph &graph,
                       llvm::function_ref<Error(DeviceStream)> body) {
  // Thread-local: what other threads of the host program do meanwhile neither
  // fails nor ends this capture.
  if (Error error = calls.cuStreamBeginCapture(stream, CaptureThreadLocal))
    return error;
  Error inBody = body(stream);
  // Ended in any case, else the thread would stay forbidden to allocate.
  Error atEnd = calls.cuStreamEndCapture(stream, &graph);
  if (!inBody)
    return atEnd;
  // The driver ends a spoilt capture with an error of its own; the call that
  // spoilt it says more.
  llvm::consumeError(std::move(atEnd));
  if (graph)
    llvm::consumeError(calls.cuGraphDestroy(graph));
  graph = nullptr;
  return inBody;
}

Expected<std::unique_ptr<DeviceGraph>>
CudaDevice::capture(llvm::function_ref<Error(DeviceStream)> body) {
  GraphExec exec = nullptr;
  Error error = inContext([&]() -> Error {
    Stream stream = nullptr;
    // Non-blocking: while a blocking stream is captured nobody in the process
    // may use the default stream.
    if (Error error = calls.cuStreamCreate(&stream, StreamNonBlocking))
      return error;
    Graph graph = nullptr;
    Error error = captureOn(calls, stream, graph, body);
    llvm::consumeError(calls.cuStreamDestroy(stream));
    if (error)
      return error;
    error = calls.cuGraphInstantiate(&exec, graph, 0);
    llvm::consumeError(calls.cuGraphDestroy(graph));
    return error;
  });
  if (error)
    return std::move(error);
  return std::make_unique<CudaGraph>(*this, exec);
}
