//===- null_device.cpp - Runs kernels of the null target ------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// The null target's questions (Lowering/TargetInfo.h) answered by fibers, one a
// thread of the block. Between barriers and exchanges they run in a random
// order; a barrier or an exchange that not all threads reach is an error.
//
//   null_device THREADS ITEMS CAP    min of x*x+1 over rows of many lengths
//
// with G = ceil(K / (THREADS * ITEMS)) blocks an output, at most CAP (0: any).
// The kernel is of kind row, over i32, its state an i64.
//===----------------------------------------------------------------------===//
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <ucontext.h>
#include <vector>

namespace {
enum State { Runs, AtBarrier, AtExchange, Done };

struct Fiber {
  ucontext_t context;
  std::vector<char> stack = std::vector<char>(1 << 16);
  State state = Runs;
  int32_t value = 0, lanes = 0, result = 0; // of an exchange
  bool down = false;
};

std::vector<Fiber> fibers;
ucontext_t scheduler;
int current, block;
std::mt19937 generator(7);

[[noreturn]] void fail(const char *what) {
  std::printf("failed: %s\n", what);
  std::exit(1);
}

void wait(State state) {
  fibers[current].state = state;
  swapcontext(&fibers[current].context, &scheduler);
}

int32_t exchange(int32_t value, int32_t lanes, bool down) {
  Fiber &f = fibers[current];
  f.value = value;
  f.lanes = lanes;
  f.down = down;
  wait(AtExchange);
  return f.result;
}
} // namespace

extern "C" {
int32_t nullThread() asm("wf.null.thread");
int32_t nullThread() { return current; }
int32_t nullBlock() asm("wf.null.block");
int32_t nullBlock() { return block; }
int32_t nullExchange(int32_t, int32_t) asm("wf.null.exchange");
int32_t nullExchange(int32_t v, int32_t mask) { return exchange(v, mask, false); }
int32_t nullDown(int32_t, int32_t) asm("wf.null.exchange_down");
int32_t nullDown(int32_t v, int32_t delta) { return exchange(v, delta, true); }
void nullBarrier() asm("wf.null.barrier");
void nullBarrier() { wait(AtBarrier); }

// inputs, outputs, partials, tickets, K, runs, outputs, kept, reduced, strides
typedef void Kernel(int32_t *, int64_t *, int64_t *, int32_t *, int32_t, int32_t,
                    int32_t, int32_t, int32_t, int32_t, int32_t, int32_t);
Kernel fold;
__attribute__((weak)) Kernel fold_init, fold_join;
}

static Kernel *kernel;
static std::vector<int32_t> in, tickets;
static std::vector<int64_t> out, partials;
static int32_t K, G, outputs;

static void enter() {
  kernel(in.data(), out.data(), partials.data(), tickets.data(), K, G, outputs,
         outputs, K, K, 1, 1);
  wait(Done);
}

/// One exchange of a warp whose lanes are all there.
static bool exchangeInWarp(Fiber *lane) {
  int there = 0;
  for (int l = 0; l < 32; ++l)
    there += lane[l].state == AtExchange;
  if (there == 0)
    return false;
  if (there < 32)
    fail("an exchange without all lanes");
  for (int l = 0; l < 32; ++l) {
    int n = lane[l].lanes, from = lane[l].down ? l + n : l ^ n;
    if (n != lane[0].lanes || lane[l].down != lane[0].down)
      fail("lanes of one exchange disagree");
    lane[l].result = lane[from < 32 ? from : l].value;
    lane[l].state = Runs;
  }
  return true;
}

static void runBlock(int threads) {
  fibers.resize(size_t(threads));
  std::vector<int> order;
  for (int t = 0; t < threads; ++t) {
    Fiber &f = fibers[size_t(t)];
    getcontext(&f.context);
    f.context.uc_stack.ss_sp = f.stack.data();
    f.context.uc_stack.ss_size = f.stack.size();
    f.context.uc_link = nullptr;
    f.state = Runs;
    makecontext(&f.context, enter, 0);
    order.push_back(t);
  }
  for (;;) {
    std::shuffle(order.begin(), order.end(), generator);
    for (int t : order)
      if (fibers[size_t(t)].state == Runs) {
        current = t;
        swapcontext(&scheduler, &fibers[size_t(t)].context);
      }
    bool exchanged = false;
    for (int w = 0; w < threads; w += 32)
      exchanged |= exchangeInWarp(&fibers[size_t(w)]);
    if (exchanged)
      continue;
    auto all = [](State s) {
      return std::all_of(fibers.begin(), fibers.end(),
                         [&](const Fiber &f) { return f.state == s; });
    };
    if (all(Done))
      return;
    if (!all(AtBarrier))
      fail("a barrier that not all threads reach");
    for (Fiber &f : fibers)
      f.state = Runs;
  }
}

static void launch(Kernel *function, int blocks, int threads) {
  kernel = function;
  std::vector<int> order;
  for (int b = 0; b < blocks; ++b)
    order.push_back(b);
  std::shuffle(order.begin(), order.end(), generator);
  for (int b : order) {
    block = b;
    runBlock(threads);
  }
}

static void check() {
  for (int r = 0; r < outputs; ++r) {
    int64_t least = INT64_MAX;
    for (int k = 0; k < K; ++k) {
      int64_t x = in[size_t(r) * size_t(K) + size_t(k)];
      least = std::min(least, x * x + 1);
    }
    if (out[size_t(r)] != least || tickets[size_t(r)] != 0) {
      std::printf("failed: K=%d output %d: %lld instead of %lld, ticket %d\n", K,
                  r, (long long)out[size_t(r)], (long long)least,
                  tickets[size_t(r)]);
      std::exit(1);
    }
  }
}

int main(int, char **arguments) {
  int threads = std::atoi(arguments[1]), items = std::atoi(arguments[2]);
  int cap = std::atoi(arguments[3]);
  outputs = 3;
  for (int n : {1, 2, 31, 32, 33, 63, 95, 97, 127, 255, 257, 1000, 1023, 4097}) {
    K = n;
    G = (K + threads * items - 1) / (threads * items);
    G = cap ? std::min(G, cap) : G;
    in.clear();
    for (int i = 0; i < K * outputs; ++i)
      in.push_back(int32_t(generator() % 20000) - 10000);
    out.assign(size_t(outputs), -1);
    partials.assign(size_t(outputs * G), -1);
    tickets.assign(size_t(outputs), 0);
    for (int again = 0; again < 2; ++again) {
      if (fold_init)
        launch(fold_init, (outputs + threads - 1) / threads, threads);
      launch(fold, outputs * G, threads);
      if (fold_join)
        launch(fold_join, outputs, threads);
      check();
    }
  }
  std::puts("all right");
}
