//===- Streams.cpp - Streams, events and graphs of a stub ----------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Work is done when it is enqueued, in the order of the calls.
//===----------------------------------------------------------------------===//
#include "driver/State.h"

using namespace wf::driver;

/// Whether some stream is captured that the default stream waits for.
static StreamObject *blockingCapture() {
  for (auto &[handle, stream] : state().streams)
    if (stream->capturing && !stream->nonBlocking)
      return handle;
  return nullptr;
}

Result wf::driver::enqueue(const char *function, Stream stream, Work work) {
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
  return work();
}

Result wf::driver::streamCreate(Stream *stream, unsigned flags) {
  ENTER(streamCreate, Current)
  if (flags > StreamNonBlocking)
    return InvalidValue;
  *stream = state().streams.make(entry.context);
  (*stream)->nonBlocking = flags == StreamNonBlocking;
  return Success;
}

Result wf::driver::streamDestroy(Stream stream) {
  ENTER(streamDestroy, Current)
  if (state().streams.find(stream, here) && stream->capturing)
    state().fault(here, "a stream that is being captured");
  return state().streams.destroy(stream, here);
}

Result wf::driver::streamSynchronize(Stream stream) {
  ENTER(streamSynchronize, Uncaptured)
  if (!stream)
    return blockingCapture() ? StreamCaptureImplicit : Success;
  if (!state().streams.find(stream, here))
    return InvalidHandle;
  if (stream->capturing) {
    stream->spoilt = true;
    return StreamCaptureUnsupported;
  }
  return Success;
}

Result wf::driver::streamBeginCapture(Stream stream, CaptureMode mode) {
  ENTER(streamBeginCapture, Current)
  if (!stream) // the default stream cannot be captured
    return StreamCaptureUnsupported;
  if (mode != CaptureThreadLocal || !state().streams.find(stream, here) ||
      stream->capturing)
    return InvalidValue;
  stream->capturing = true;
  stream->capturer = std::this_thread::get_id();
  return Success;
}

Result wf::driver::streamEndCapture(Stream stream, Graph *graph) {
  ENTER(streamEndCapture, Current)
  *graph = nullptr;
  if (!state().streams.find(stream, here) || !stream->capturing)
    return StreamCaptureUnmatched;
  bool spoilt = stream->spoilt;
  std::vector<Work> nodes = std::move(stream->captured);
  stream->captured.clear();
  stream->capturing = stream->spoilt = false;
  if (spoilt)
    return StreamCaptureInvalidated;
  *graph = state().graphs.make(entry.context);
  (*graph)->nodes = std::move(nodes);
  return Success;
}

Result wf::driver::graphInstantiate(GraphExec *exec, Graph graph,
                                    unsigned long long flags) {
  ENTER(graphInstantiate, Current)
  if (flags != 0 || !state().graphs.find(graph, here))
    return InvalidValue;
  *exec = state().execs.make(entry.context);
  (*exec)->nodes = graph->nodes;
  return Success;
}

Result wf::driver::graphLaunch(GraphExec exec, Stream stream) {
  ENTER(graphLaunch, Current)
  if (!state().execs.find(exec, here))
    return InvalidHandle;
  Result result = enqueue(here, stream, [=] {
    size_t before = state().launches.size();
    Result result = Success;
    for (const Work &node : exec->nodes)
      if (result == Success)
        result = node();
    for (size_t i = before; i < state().launches.size(); ++i) {
      state().launches[i].replayed = true;
      state().launches[i].stream = stream;
    }
    return result;
  });
  state().lost |= result == Success && mode("lost");
  return result;
}

Result wf::driver::graphDestroy(Graph graph) {
  ENTER(graphDestroy, Current)
  return state().graphs.destroy(graph, here);
}

Result wf::driver::graphExecDestroy(GraphExec exec) {
  ENTER(graphExecDestroy, Current)
  return state().execs.destroy(exec, here);
}

Result wf::driver::eventCreate(Event *event, unsigned flags) {
  ENTER(eventCreate, Current)
  if (flags != 0)
    return InvalidValue;
  *event = state().events.make(entry.context);
  return Success;
}

Result wf::driver::eventDestroy(Event event) {
  ENTER(eventDestroy, Current)
  return state().events.destroy(event, here);
}

Result wf::driver::eventRecord(Event event, Stream stream) {
  ENTER(eventRecord, Current)
  if (!state().events.find(event, here))
    return InvalidHandle;
  if (stream && state().streams.find(stream, here) && stream->capturing)
    return Success; // orders work inside the graph; no time is taken
  return enqueue(here, stream, [=] {
    event->recorded = true;
    event->milliseconds = state().clock += 0.001;
    return Success;
  });
}

Result wf::driver::eventSynchronize(Event event) {
  ENTER(eventSynchronize, Uncaptured)
  return state().events.find(event, here) ? Success : InvalidHandle;
}

Result wf::driver::eventElapsedTime(float *milliseconds, Event from, Event to) {
  ENTER(eventElapsedTime, Current)
  if (!state().events.find(from, here) || !state().events.find(to, here) ||
      !from->recorded || !to->recorded)
    return InvalidHandle;
  *milliseconds = float(to->milliseconds - from->milliseconds);
  return Success;
}
