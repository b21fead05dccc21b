//===- State.h - What a stub driver knows ------------------------*- C++
//-*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// The sources of this folder are compiled once for each vendor, in whose folder
// they find Api.h: which list of functions, which variables. The vendor's own
// sources define the four functions at the end of this file.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_STUBS_DRIVER_STATE_H
#define WARPFOLD_STUBS_DRIVER_STATE_H

#include "Api.h"
#include "driver/Stub.h"

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

    namespace wf::driver {

// The definitions take their types and names from the one list.
#define X(member, name, symbol, args)                                          \
  extern "C" Result member args __asm__(symbol)                                \
      __attribute__((visibility("default")));
  WF_STUB_FUNCTIONS(X)
#undef X
  /// What the vendor calls them: name::memAlloc is "cuMemAlloc" or "hipMalloc".
  namespace name {
#define X(member, name, symbol, args) constexpr const char *member = #name;
  WF_STUB_FUNCTIONS(X)
#undef X
  } // namespace name

  /// Work on a stream; it may fail only where it is run.
  using Work = std::function<Result()>;

  struct ContextObject {
    int device;
  };

  struct FunctionObject {
    Context context;
    std::string name;
    size_t argumentBytes = 0, argumentAlign = 1;
    int maxThreads = 1024, dynamicBytes = 48 << 10;
    int registers = 32, sharedBytes = 0, localBytes = 0;
  };

  struct ModuleObject {
    Context context;
    std::vector<std::unique_ptr<FunctionObject>> functions;
    const void *image = nullptr; ///< the caller's, if it has to stay
    std::string code;
  };

  struct StreamObject {
    Context context;
    bool nonBlocking = false, capturing = false, spoilt = false;
    std::thread::id capturer;
    std::vector<Work> captured;
  };

  struct EventObject {
    Context context;
    bool recorded = false;
    double milliseconds = 0;
  };

  struct GraphObject {
    Context context;
    std::vector<Work> nodes;
  };

  struct GraphExecObject {
    Context context;
    std::vector<Work> nodes;
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
    /// The object if the handle is alive and of this context; else notes a
    /// fault.
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
    Context context;
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

  using DeviceAddress = uint64_t;

  struct State {
    std::recursive_mutex mutex;
    bool started = false, lost = false, dead = false;
    ContextObject contexts[16], foreign{-1};
    std::vector<std::function<void(std::string &)>> reporters; ///< vendor's own
    std::vector<std::function<void()>> resetters;
    std::map<DeviceAddress, Allocation> memory;
    size_t used = 0;
    std::set<DeviceAddress> freed;
    Registry<ModuleObject> modules{"module"};
    Registry<StreamObject> streams{"stream"};
    Registry<EventObject> events{"event"};
    Registry<GraphObject> graphs{"graph"};
    Registry<GraphExecObject> execs{"executable graph"};
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
  /// The stream this thread captures, or null.
  StreamObject *capturedHere();
  bool mode(const char *name);
  int numberFrom(const char *variable, int otherwise);

  /// The memory of a device.
  constexpr size_t memoryBytes = 256 << 20;

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

#define ENTER(member, need)                                                    \
  [[maybe_unused]] const char *here = name::member;                            \
  Entry entry(here, need);                                                     \
  if (entry.result != Success)                                                 \
    return entry.result;

  /// Runs or captures work on a stream.
  Result enqueue(const char *function, Stream stream, Work work);
  /// The module of a function that is alive, or null and a fault.
ModuleObject *moduleOf(const char *caller, Function function);
/// Whether [at, at + bytes) lies in one allocation of the current device; a
  /// fault if not.
  bool inMemory(const char *function, DeviceAddress at, size_t bytes);

  // What a vendor's sources define:

  /// What the calling thread has made current, or null.
  Context currentContext();
  /// Why a shape may not be launched, or Success.
  Result checkShape(const FunctionObject &kernel, const unsigned (&grid)[3],
                    const unsigned (&block)[3], unsigned dynamicSharedBytes);
  /// Runs a kernel whose launch was checked, where the stub runs any.
  Result execute(const ModuleObject &module, const Launch &launch);
  /// Notes a fault if a module's image is not what was loaded.
  void checkImage(const char *function, const ModuleObject &module);

  template <typename T> T *Registry<T>::find(T * handle, const char *function) {
    auto at = live.find(handle);
    if (at == live.end()) {
      state().fault(function, std::string("no such ") + kind);
      return nullptr;
    }
    if (at->second->context != currentContext()) {
      state().fault(function, std::string("a ") + kind + " of another context");
      return nullptr;
    }
    return handle;
  }

  template <typename T>
  Result Registry<T>::destroy(T * handle, const char *function) {
    if (!find(handle, function))
      return InvalidHandle;
    live.erase(handle);
    return Success;
  }

  template <typename T> void Registry<T>::report(std::string & text) const {
    if (!live.empty())
      text += "alive: " + std::to_string(live.size()) + " " + kind + "\n";
  }

} // namespace wf::driver

#endif // WARPFOLD_STUBS_DRIVER_STATE_H
