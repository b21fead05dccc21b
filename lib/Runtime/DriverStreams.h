//===- DriverStreams.h - Streams, events and graphs on a driver --*- C++
//-*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Members of DriverDevice; see DriverMemory.h.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_RUNTIME_DRIVERSTREAMS_H
#define WARPFOLD_RUNTIME_DRIVERSTREAMS_H

#include "Runtime/DriverDevice.h"

namespace wf {

namespace detail {
template <typename Api> class StreamEvent final : public DeviceEvent {
public:
  StreamEvent(DriverDevice<Api> &device, driver::Event event)
      : device(device), handle(event) {}
  ~StreamEvent() override {
    llvm::consumeError(
        device.inContext([&] { return device.driver().eventDestroy(handle); }));
  }
  llvm::Error record(DeviceStream stream) override {
    return device.inContext([&] {
      return device.driver().eventRecord(handle,
                                         static_cast<driver::Stream>(stream));
    });
  }
  llvm::Error wait() override {
    return device.inContext(
        [&] { return device.driver().eventSynchronize(handle); });
  }

  DriverDevice<Api> &device;
  driver::Event handle;
};

template <typename Api> class CapturedGraph final : public DeviceGraph {
public:
  CapturedGraph(DriverDevice<Api> &device, driver::GraphExec exec)
      : device(device), exec(exec) {}
  ~CapturedGraph() override {
    llvm::consumeError(device.inContext(
        [&] { return device.driver().graphExecDestroy(exec); }));
  }
  llvm::Error replay(DeviceStream stream) override {
    return device.inContext([&] {
      return device.driver().graphLaunch(exec,
                                         static_cast<driver::Stream>(stream));
    });
  }

private:
  DriverDevice<Api> &device;
  driver::GraphExec exec;
};
} // namespace detail

template <typename Api>
llvm::Expected<DeviceStream> DriverDevice<Api>::makeStream() {
  driver::Stream stream = nullptr;
  // A blocking stream: copies, which go through the default stream, then wait
  // for it and it for them.
  if (llvm::Error error = inContext(
          [&] { return calls.streamCreate(&stream, driver::StreamDefault); }))
    return std::move(error);
  return static_cast<DeviceStream>(stream);
}

template <typename Api>
void DriverDevice<Api>::destroyStream(DeviceStream stream) {
  if (stream)
    llvm::consumeError(inContext([&] {
      return calls.streamDestroy(static_cast<driver::Stream>(stream));
    }));
}

template <typename Api>
llvm::Error DriverDevice<Api>::synchronise(DeviceStream stream) {
  return inContext([&] {
    return calls.streamSynchronize(static_cast<driver::Stream>(stream));
  });
}

template <typename Api>
llvm::Expected<std::unique_ptr<DeviceEvent>> DriverDevice<Api>::makeEvent() {
  driver::Event event = nullptr;
  if (llvm::Error error =
          inContext([&] { return calls.eventCreate(&event, 0); }))
    return std::move(error);
  return std::make_unique<detail::StreamEvent<Api>>(*this, event);
}

template <typename Api>
llvm::Expected<double> DriverDevice<Api>::elapsed(DeviceEvent &from,
                                                  DeviceEvent &to) {
  using Event = detail::StreamEvent<Api>;
  float milliseconds = 0;
  llvm::Error error = inContext([&] {
    return calls.eventElapsedTime(&milliseconds,
                                  static_cast<Event &>(from).handle,
                                  static_cast<Event &>(to).handle);
  });
  if (error)
    return std::move(error);
  return double(milliseconds) * 1e3;
}

/// Captures `body` on a stream of its own; the graph is null on failure.
template <typename Api>
llvm::Error DriverDevice<Api>::captureOn(
    driver::Stream stream, driver::Graph &graph,
    llvm::function_ref<llvm::Error(DeviceStream)> body) {
  // Thread-local: what other threads of the host program do meanwhile neither
  // fails nor ends this capture.
  if (llvm::Error error =
          calls.streamBeginCapture(stream, driver::CaptureThreadLocal))
    return error;
  llvm::Error inBody = body(stream);
  // Ended in any case, else the thread would stay forbidden to allocate.
  llvm::Error atEnd = calls.streamEndCapture(stream, &graph);
  if (!inBody)
    return atEnd;
  // The driver ends a spoilt capture with an error of its own; the call that
  // spoilt it says more.
  llvm::consumeError(std::move(atEnd));
  if (graph)
    llvm::consumeError(calls.graphDestroy(graph));
  graph = nullptr;
  return inBody;
}

template <typename Api>
llvm::Expected<std::unique_ptr<DeviceGraph>>
DriverDevice<Api>::capture(llvm::function_ref<llvm::Error(DeviceStream)> body) {
  driver::GraphExec exec = nullptr;
  llvm::Error error = inContext([&]() -> llvm::Error {
    driver::Stream stream = nullptr;
    // Non-blocking: while a blocking stream is captured nobody in the process
    // may use the default stream.
    if (llvm::Error error =
            calls.streamCreate(&stream, driver::StreamNonBlocking))
      return error;
    driver::Graph graph = nullptr;
    llvm::Error error = captureOn(stream, graph, body);
    llvm::consumeError(calls.streamDestroy(stream));
    if (error)
      return error;
    error = calls.graphInstantiate(&exec, graph, 0);
    llvm::consumeError(calls.graphDestroy(graph));
    return error;
  });
  if (error)
    return std::move(error);
  return std::make_unique<detail::CapturedGraph<Api>>(*this, exec);
}

} // namespace wf

#endif // WARPFOLD_RUNTIME_DRIVERSTREAMS_H
