//===- State.cpp - What a stub driver knows ------------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "driver/State.h"

#include <cstdlib>
#include <cstring>

using namespace wf::driver;

#define EXPORT __attribute__((visibility("default")))

State &wf::driver::state() {
  // Not destroyed: buffers of static lifetime are freed after it would be.
  static State &instance = *new State;
  return instance;
}

namespace {
/// A driver shuts down when the process ends, before what its user made.
struct ShutDown {
  ~ShutDown() { state().dead = true; }
} shutDown;
} // namespace

StreamObject *wf::driver::capturedHere() {
  for (auto &[handle, stream] : state().streams)
    if (stream->capturing && stream->capturer == std::this_thread::get_id())
      return handle;
  return nullptr;
}

bool wf::driver::mode(const char *name) {
  const char *value = std::getenv(WF_STUB_MODE);
  return value && std::strcmp(value, name) == 0;
}

int wf::driver::numberFrom(const char *variable, int otherwise) {
  const char *value = std::getenv(variable);
  if (value && std::strncmp(value, "sm_", 3) == 0)
    value += 3;
  return value ? std::atoi(value) : otherwise;
}

void State::fault(const char *function, const std::string &what) {
  faults += std::string(function) + ": " + what + "\n";
}

Entry::Entry(const char *function, Need need) : lock(state().mutex) {
  ++state().calls[function];
  result = check(function, need);
}

Result Entry::check(const char *function, Need need) {
  auto injection = state().injections.find(function);
  if (injection != state().injections.end() && injection->second.skip-- == 0) {
    Result injected = injection->second.result;
    state().injections.erase(injection);
    return injected;
  }
  if (state().dead)
    return Deinitialized;
  if (need == Nothing)
    return Success;
  if (!state().started) {
    state().fault(function, "called before " + std::string(name::init));
    return NotInitialized;
  }
  if (need == Started)
    return Success;
  context = currentContext();
  if (!context) {
    state().fault(function, "no context is current");
    return InvalidContext;
  }
  if (state().lost)
    return IllegalAddress;
  if (need == Uncaptured)
    if (StreamObject *stream = capturedHere()) {
      stream->spoilt = true;
      return StreamCaptureUnsupported;
    }
  return Success;
}

extern "C" {

EXPORT const char *wfStubReport() {
  State &s = state();
  std::lock_guard<std::recursive_mutex> lock(s.mutex);
  s.report = s.faults;
  for (auto &[address, allocation] : s.memory)
    s.report += "alive: " + std::to_string(allocation.bytes) + " bytes\n";
  s.modules.report(s.report);
  s.streams.report(s.report);
  s.events.report(s.report);
  s.graphs.report(s.report);
  s.execs.report(s.report);
  for (auto &report : s.reporters)
    report(s.report);
  return s.report.c_str();
}

EXPORT void wfStubReset() {
  State &s = state();
  std::lock_guard<std::recursive_mutex> lock(s.mutex);
  s.lost = false;
  s.memory.clear();
  s.used = 0;
  s.freed.clear();
  s.modules.clear();
  s.streams.clear();
  s.events.clear();
  s.graphs.clear();
  s.execs.clear();
  for (auto &reset : s.resetters)
    reset();
  s.launches.clear();
  s.faults.clear();
  s.calls.clear();
  s.injections.clear();
}

EXPORT void wfStubFail(const char *function, int result, int skip) {
  std::lock_guard<std::recursive_mutex> lock(state().mutex);
  state().injections[function] = {Result(result), skip};
}

EXPORT int wfStubCalls(const char *function) {
  std::lock_guard<std::recursive_mutex> lock(state().mutex);
  return state().calls[function];
}

EXPORT int wfStubLaunchCount() {
  std::lock_guard<std::recursive_mutex> lock(state().mutex);
  return int(state().launches.size());
}

EXPORT bool wfStubLaunchAt(int back, WfStubLaunch *launch) {
  std::lock_guard<std::recursive_mutex> lock(state().mutex);
  if (back < 0 || size_t(back) >= state().launches.size())
    return false;
  const Launch &it = *(state().launches.rbegin() + back);
  *launch = {it.kernel.c_str(),
             it.blocks,
             it.threads,
             it.dynamicSharedBytes,
             it.arguments.data(),
             it.arguments.size(),
             static_cast<void *>(it.stream),
             it.replayed};
  return true;
}
}
