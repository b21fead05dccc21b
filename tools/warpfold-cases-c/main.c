/*===- main.c - CASES rows that need the C interface ----------------------===*\
|* SPDX-FileCopyrightText: The Warpfold developers                            *|
|* SPDX-License-Identifier: Apache-2.0                                        *|
|*                                                                            *|
|* warpfold-cases-c NAME prints what the case gives, a line each; the right   *|
|* lines stand in test/cases/part_a.txt.                                      *|
\*===----------------------------------------------------------------------===*/
#include "warpfold/warpfold.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof *(a))

/* Prepares and runs once; prints the error and exits if that fails. */
static void reduce(const wf_request *request, const void *in, void *out) {
  wf_handle *handle;
  if (wf_prepare(request, &handle) || wf_run(handle, &in, &out, NULL)) {
    printf("%s\n", wf_last_error());
    exit(1);
  }
  wf_destroy(handle);
}

static void printFloats(const float *v, int n) {
  for (int i = 0; i < n; ++i)
    printf("%s%.1f", i ? " " : "", v[i]);
  printf("\n");
}

/* sum over axis 1 of ones(3, 4) into column 1 of a 3 × 2 buffer of -1. */
static void outputStride(void) {
  float ones[12], buffer[6];
  for (int i = 0; i < 12; ++i)
    ones[i] = 1;
  for (int i = 0; i < 6; ++i)
    buffer[i] = -1;
  const int64_t shape[] = {3, 4}, axis = 1, stride = 2;
  const int64_t *strides[] = {&stride};
  wf_array x = {WF_F32, 2, shape, NULL};
  wf_request r = {.op = "sum", .inputs = &x, .input_count = 1,
                  .axes = &axis, .axis_count = 1, .result_strides = strides};
  reduce(&r, ones, buffer + 1);
  printFloats(buffer, 6);
}

/* The same over axis 0 of ones(3, 5), backwards into every third place: the
   kept axis is the one of unit stride there. */
static void outputStrideColumns(void) {
  float ones[15], buffer[15];
  for (int i = 0; i < 15; ++i) {
    ones[i] = (float)(i % 5);
    buffer[i] = -1;
  }
  const int64_t shape[] = {3, 5}, axis = 0, stride = -3;
  const int64_t *strides[] = {&stride};
  wf_array x = {WF_F32, 2, shape, NULL};
  wf_request r = {.op = "sum", .inputs = &x, .input_count = 1,
                  .axes = &axis, .axis_count = 1, .result_strides = strides};
  reduce(&r, ones, buffer + 12);
  printFloats(buffer, 15);
}

/* zeros(1, 500, 2) with its axes turned to (500, 2, 1), max over all, and any
   stride for the axis of length 1. */
static void lengthOneStride(void) {
  static const double zeros[1000];
  const int64_t odd[] = {1, 1000000000, -7, 0};
  for (size_t i = 0; i < COUNT(odd); ++i) {
    const int64_t shape[] = {500, 2, 1}, strides[] = {2, 1, odd[i]};
    wf_array x = {WF_F64, 3, shape, strides};
    wf_request r = {.op = "max", .inputs = &x, .input_count = 1};
    double out = 7;
    reduce(&r, zeros, &out);
    printf("%.1f\n", out);
  }
}

/* f64 at byte offsets 0, 8, 16, 24 and, since any alignment is allowed, 1. */
static void alignment(void) {
  enum { n = 764294 };
  char *memory = malloc(n * sizeof(double) + 64);
  const int64_t shape[] = {n};
  wf_array x = {WF_F64, 1, shape, NULL};
  wf_request r = {.op = "sum", .inputs = &x, .input_count = 1};
  const int offsets[] = {0, 8, 16, 24, 1};
  double first = 0;
  for (size_t i = 0; i < COUNT(offsets); ++i) {
    for (int64_t k = 0; k < n; ++k) {
      double v = (double)((uint32_t)k * 2654435761u >> 8) / 3;
      memcpy(memory + offsets[i] + k * (int64_t)sizeof v, &v, sizeof v);
    }
    double out = -1;
    reduce(&r, memory + offsets[i], &out);
    if (i == 0)
      first = out;
    printf("%s\n", memcmp(&first, &out, sizeof out) ? "other bits" : "same bits");
  }
  free(memory);
}

/* Nothing to reduce: sum writes 0 over what was there, argmin refuses and
   writes nothing. */
static void emptyOutput(void) {
  const int64_t shape[] = {0};
  wf_array x = {WF_F32, 1, shape, NULL};
  float sum;
  memset(&sum, 0xAB, sizeof sum);
  wf_request r = {.op = "sum", .inputs = &x, .input_count = 1};
  reduce(&r, NULL, &sum);
  printf("%.1f\n", sum);
  int64_t at;
  memset(&at, 0xAB, sizeof at);
  r.op = "argmin";
  wf_handle *handle;
  void *out = &at;
  const void *in = NULL;
  wf_status status = wf_prepare(&r, &handle);
  if (!status)
    status = wf_run(handle, &in, &out, NULL);
  printf("status %d\n", (int)status);
  for (size_t i = 0; i < sizeof at; ++i)
    if (((unsigned char *)&at)[i] != 0xAB)
      puts("written");
  if (!status)
    wf_destroy(handle);
}

static const struct {
  const char *name;
  void (*run)(void);
} cases[] = {{"output-stride", outputStride},
             {"output-stride-columns", outputStrideColumns},
             {"length-one-stride", lengthOneStride},
             {"alignment", alignment},
             {"empty-output", emptyOutput}};

int main(int argc, char **argv) {
  for (size_t i = 0; argc == 2 && i < COUNT(cases); ++i)
    if (!strcmp(argv[1], cases[i].name)) {
      cases[i].run();
      return 0;
    }
  fprintf(stderr, "usage: warpfold-cases-c NAME, one of:\n");
  for (size_t i = 0; i < COUNT(cases); ++i)
    fprintf(stderr, "  %s\n", cases[i].name);
  return 1;
}
