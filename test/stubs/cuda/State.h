//===- State.h - What the stub driver knows ----------------------*- C++
//-*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_STUBS_CUDA_STATE_H
#define WARPFOLD_STUBS_CUDA_STATE_H

#include "Runtime/Cuda/Functions.h"
#include "Stub.h"

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace wf::cuda {

// The definitions take their types and names from the one list.
#define X(name, symbol, args)                                                  \
  extern "C" Result name args __asm__(symbol)                                  \
      __attribute__((visibility("default")));
WARPFOLD_CUDA_FUNCTIONS(X)
#undef X

struct ContextObject {
  int device;
};

struct FunctionObject {
  Context context;
  std::string name;
  size_t argumentBytes = 0, argumentAlign = 1;
  int maxThreads = 1024, dynamicBytes = 48 << 10;
};

struct ModuleObject {
  Context context;
  std::vector<std::unique_ptr<FunctionObject>> functions;
};

struct StreamObject {
  Context context;
  bool nonBlocking = false, capturing = false, spoilt = false;
  std::thread::id capturer;
  std::vector<std::function<void()>> captured;
};

struct EventObject {
  Context context;
  bool recorded = false;
  double milliseconds = 0;
};

struct GraphObject {
  Context context;
  std::vector<std::function<void()>> nodes;
};

struct GraphExecObject {
  Context context;
  std::vector<std::function<void()>> nodes;
};

struct LinkStateObject {
  Context context;
  std::string text, cubin;
  char *log = nullptr;
  size_t logBytes = 0;
};

/// Live objects of one kind.
template <typename T> class Registry {
public:
  explicit Registry(const char *kind) : kind(kind) {}
  T *make(Context context) {
    auto object = std::make_unique<T>();
    object->context = context;
    T *handle = object.get();
    live[handle] = std::move(object);
    return handle;
  }
  /// The object if the handle is alive and of this context; else notes a fault.
  T *find(T *handle, const char *function);
  Result destroy(T *handle, const char *function);
  void report(std::string &text) const;
  void clear() { live.clear(); }
  auto begin() { return live.begin(); }
  auto end() { return live.end(); }

private:
  const char *kind;
  std::map<T *, std::unique_ptr<T>> live;
};

struct Allocation {
  size_t bytes;
  std::unique_ptr<char[]> data;
};

struct Launch {
  std::string kernel;
  unsigned blocks, threads, dynamicSharedBytes;
  std::string arguments;
  Stream stream;
  bool replayed = false;
};

struct State {
  std::recursive_mutex mutex;
  bool started = false, lost = false, dead = false;
  ContextObject contexts[16], foreign{-1};
  std::map<Address, Allocation> memory;
  size_t used = 0;
  std::set<Address> freed;
  Registry<ModuleObject> modules{"module"};
  Registry<StreamObject> streams{"stream"};
  Registry<EventObject> events{"event"};
  Registry<GraphObject> graphs{"graph"};
  Registry<GraphExecObject> execs{"executable graph"};
  Registry<LinkStateObject> links{"link"};
  std::vector<Launch> launches;
  double clock = 0; ///< ms; a launch takes one
  std::string faults, report;
  std::map<std::string, int> calls;
  struct Injection {
    Result result;
    int skip;
  };
  std::map<std::string, Injection> injections;

  void fault(const char *function, const std::string &what);
};

State &state();
/// The calling thread's contexts, the current one last.
std::vector<Context> &contextStack();
/// The stream this thread captures, or null.
StreamObject *capturedHere();
bool mode(const char *name);
int numberFrom(const char *variable, int otherwise);

/// What a call needs to be allowed.
enum Need { Nothing, Started, Current, Uncaptured };

/// Opens a call: counts it, holds the lock, and says why it may not go on.
class Entry {
public:
  Entry(const char *function, Need need);
  Result result = Success;
  Context context = nullptr;

private:
  Result check(const char *function, Need need);
  std::lock_guard<std::recursive_mutex> lock;
};

#define ENTER(need)                                                            \
  Entry entry(__func__, need);                                                 \
  if (entry.result != Success)                                                 \
    return entry.result;

/// Runs or captures work on a stream.
Result enqueue(const char *function, Stream stream, Context context,
               std::function<void()> work);

/// The kernels of PTX text, or what is wrong with it.
std::string parsePtx(const std::string &text, Context context,
                     std::vector<std::unique_ptr<FunctionObject>> &kernels);

template <typename T> T *Registry<T>::find(T *handle, const char *function) {
  auto at = live.find(handle);
  if (at == live.end()) {
    state().fault(function, std::string("no such ") + kind);
    return nullptr;
  }
  if (contextStack().empty() || at->second->context != contextStack().back()) {
    state().fault(function, std::string("a ") + kind + " of another context");
    return nullptr;
  }
  return handle;
}

template <typename T>
Result Registry<T>::destroy(T *handle, const char *function) {
  if (!find(handle, function))
    return InvalidHandle;
  live.erase(handle);
  return Success;
}

template <typename T> void Registry<T>::report(std::string &text) const {
  if (!live.empty())
    text += "alive: " + std::to_string(live.size()) + " " + kind + "\n";
}

} // namespace wf::cuda

#endif // WARPFOLD_STUBS_CUDA_STATE_H
