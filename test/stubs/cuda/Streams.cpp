//===- Streams.cpp - Launches, streams, events, graphs of the stub --------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Work is done when it is enqueued, in the order of the calls.
//===----------------------------------------------------------------------===//
#include "State.h"

using namespace wf::cuda;

/// Whether some stream is captured that the default stream waits for.
static StreamObject *blockingCapture() {
  for (auto &[handle, stream] : state().streams)
    if (stream->capturing && !stream->nonBlocking)
      return handle;
  return nullptr;
}

Result wf::cuda::enqueue(const char *function, Stream stream, Context context,
                         std::function<void()> work) {
  if (stream) {
    if (!state().streams.find(stream, function))
      return InvalidHandle;
    if (stream->spoilt)
      return StreamCaptureInvalidated;
    if (stream->capturing) {
      stream->captured.push_back(std::move(work));
      return Success;
    }
  } else if (StreamObject *captured = blockingCapture()) {
    captured->spoilt = true;
    return StreamCaptureImplicit;
  }
  // A driver allows it; in our code it is a launch that a replay would lack.
  if (capturedHere())
    state().fault(function, "beside the stream that this thread captures");
  work();
  return Success;
}

Result wf::cuda::cuStreamCreate(Stream *stream, unsigned flags) {
  ENTER(Current)
  if (flags > StreamNonBlocking)
    return InvalidValue;
  *stream = state().streams.make(entry.context);
  (*stream)->nonBlocking = flags == StreamNonBlocking;
  return Success;
}

Result wf::cuda::cuStreamDestroy(Stream stream) {
  ENTER(Current)
  if (state().streams.find(stream, __func__) && stream->capturing)
    state().fault(__func__, "a stream that is being captured");
  return state().streams.destroy(stream, __func__);
}

Result wf::cuda::cuStreamSynchronize(Stream stream) {
  ENTER(Uncaptured)
  if (!stream)
    return blockingCapture() ? StreamCaptureImplicit : Success;
  if (!state().streams.find(stream, __func__))
    return InvalidHandle;
  if (stream->capturing) {
    stream->spoilt = true;
    return StreamCaptureUnsupported;
  }
  return Success;
}

Result wf::cuda::cuStreamBeginCapture(Stream stream, CaptureMode mode) {
  ENTER(Current)
  if (!stream) // the default stream cannot be captured
    return StreamCaptureUnsupported;
  if (mode != CaptureThreadLocal || !state().streams.find(stream, __func__) ||
      stream->capturing)
    return InvalidValue;
  stream->capturing = true;
  stream->capturer = std::this_thread::get_id();
  return Success;
}

Result wf::cuda::cuStreamEndCapture(Stream stream, Graph *graph) {
  ENTER(Current)
  *graph = nullptr;
  if (!state().streams.find(stream, __func__) || !stream->capturing)
    return StreamCaptureUnmatched;
  bool spoilt = stream->spoilt;
  std::vector<std::function<void()>> nodes = std::move(stream->captured);
  stream->captured.clear();
  stream->capturing = stream->spoilt = false;
  if (spoilt)
    return StreamCaptureInvalidated;
  *graph = state().graphs.make(entry.context);
  (*graph)->nodes = std::move(nodes);
  return Success;
}

Result wf::cuda::cuGraphInstantiate(GraphExec *exec, Graph graph,
                                    unsigned long long flags) {
  ENTER(Current)
  if (flags != 0 || !state().graphs.find(graph, __func__))
    return InvalidValue;
  *exec = state().execs.make(entry.context);
  (*exec)->nodes = graph->nodes;
  return Success;
}

Result wf::cuda::cuGraphLaunch(GraphExec exec, Stream stream) {
  ENTER(Current)
  if (!state().execs.find(exec, __func__))
    return InvalidHandle;
  Result result = enqueue(__func__, stream, entry.context, [=] {
    size_t before = state().launches.size();
    for (const std::function<void()> &node : exec->nodes)
      node();
    for (size_t i = before; i < state().launches.size(); ++i) {
      state().launches[i].replayed = true;
      state().launches[i].stream = stream;
    }
  });
  state().lost |= result == Success && mode("lost");
  return result;
}

Result wf::cuda::cuGraphDestroy(Graph graph) {
  ENTER(Current)
  return state().graphs.destroy(graph, __func__);
}

Result wf::cuda::cuGraphExecDestroy(GraphExec exec) {
  ENTER(Current)
  return state().execs.destroy(exec, __func__);
}

Result wf::cuda::cuEventCreate(Event *event, unsigned flags) {
  ENTER(Current)
  if (flags != 0)
    return InvalidValue;
  *event = state().events.make(entry.context);
  return Success;
}

Result wf::cuda::cuEventDestroy(Event event) {
  ENTER(Current)
  return state().events.destroy(event, __func__);
}

Result wf::cuda::cuEventRecord(Event event, Stream stream) {
  ENTER(Current)
  if (!state().events.find(event, __func__))
    return InvalidHandle;
  if (stream && state().streams.find(stream, __func__) && stream->capturing)
    return Success; // orders work inside the graph; no time is taken
  return enqueue(__func__, stream, entry.context, [=] {
    event->recorded = true;
    event->milliseconds = state().clock += 0.001;
  });
}

Result wf::cuda::cuEventSynchronize(Event event) {
  ENTER(Uncaptured)
  return state().events.find(event, __func__) ? Success : InvalidHandle;
}

Result wf::cuda::cuEventElapsedTime(float *milliseconds, Event from, Event to) {
  ENTER(Current)
  if (!state().events.find(from, __func__) ||
      !state().events.find(to, __func__) || !from->recorded || !to->recorded)
    return InvalidHandle;
  *milliseconds = float(to->milliseconds - from->milliseconds);
  return Success;
}

/// The handle's function, if its module is alive.
static FunctionObject *liveFunction(const char *caller, Function function) {
  for (auto &[handle, module] : state().modules)
    for (auto &candidate : module->functions)
      if (candidate.get() == function && state().modules.find(handle, caller))
        return function;
  state().fault(caller, "no kernel of a loaded module");
  return nullptr;
}

/// The packed arguments of a launch, checked against the kernel's parameters.
static bool readArguments(const FunctionObject &kernel, void **params,
                          void **extra, std::string &arguments) {
  const char *data = nullptr;
  size_t bytes = 0;
  for (void **at = extra; at && *at; at += 2) {
    if (*at == reinterpret_cast<void *>(LaunchBufferPointer))
      data = static_cast<const char *>(at[1]);
    else if (*at == reinterpret_cast<void *>(LaunchBufferSize))
      bytes = *static_cast<size_t *>(at[1]);
    else
      return false;
  }
  size_t align = kernel.argumentAlign;
  if (params || (bytes && !data) ||
      (bytes != kernel.argumentBytes &&
       bytes != (kernel.argumentBytes + align - 1) / align * align)) {
    state().fault("cuLaunchKernel", kernel.name + " takes " +
                                        std::to_string(kernel.argumentBytes) +
                                        " bytes of arguments, not " +
                                        std::to_string(bytes));
    return false;
  }
  arguments.assign(data ? data : "", bytes);
  return true;
}

Result wf::cuda::cuLaunchKernel(Function function, unsigned gridX,
                                unsigned gridY, unsigned gridZ, unsigned blockX,
                                unsigned blockY, unsigned blockZ,
                                unsigned dynamicSharedBytes, Stream stream,
                                void **params, void **extra) {
  ENTER(Current)
  FunctionObject *kernel = liveFunction(__func__, function);
  if (!kernel)
    return InvalidHandle;
  Launch launch{kernel->name, gridX, blockX, dynamicSharedBytes, "", stream};
  if (!readArguments(*kernel, params, extra, launch.arguments))
    return InvalidValue;
  if (gridX == 0 || gridX > 0x7fffffff || gridY != 1 || gridZ != 1 ||
      blockX == 0 || blockX > unsigned(kernel->maxThreads) || blockY != 1 ||
      blockZ != 1 || dynamicSharedBytes > unsigned(kernel->dynamicBytes))
    return InvalidValue;
  Result result = enqueue(__func__, stream, entry.context, [=] {
    // A graph may be replayed after its module is gone.
    if (liveFunction("cuGraphLaunch", function)) {
      state().launches.push_back(launch);
      state().clock += 1;
    }
  });
  state().lost |= result == Success && mode("lost");
  return result;
}

Result wf::cuda::cuFuncGetAttribute(int *value, FunctionAttribute attribute,
                                    Function function) {
  ENTER(Current)
  FunctionObject *kernel = liveFunction(__func__, function);
  if (!kernel)
    return InvalidHandle;
  switch (attribute) {
  case MaxThreadsPerBlock:
    *value = kernel->maxThreads;
    return Success;
  case StaticSharedBytes:
  case LocalBytes:
    *value = 0;
    return Success;
  case Registers:
    *value = 32;
    return Success;
  case MaxDynamicSharedBytes:
    *value = kernel->dynamicBytes;
    return Success;
  }
  return InvalidValue;
}

Result wf::cuda::cuFuncSetAttribute(Function function,
                                    FunctionAttribute attribute, int value) {
  ENTER(Current)
  FunctionObject *kernel = liveFunction(__func__, function);
  if (!kernel)
    return InvalidHandle;
  if (attribute != MaxDynamicSharedBytes || value < 0 || value > 227 << 10)
    return InvalidValue;
  kernel->dynamicBytes = value;
  return Success;
}

Result wf::cuda::cuOccupancyMaxActiveBlocksPerMultiprocessor(
    int *blocks, Function function, int threads, size_t dynamicSharedBytes) {
  ENTER(Current)
  if (!liveFunction(__func__, function))
    return InvalidHandle;
  if (threads <= 0 || threads > 1024)
    return InvalidValue;
  *blocks = 2048 / ((threads + 31) / 32 * 32);
  return Success;
}
