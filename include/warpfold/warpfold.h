/*===- warpfold.h - The C interface: prepared reductions ----------*- C -*-===*\
|* SPDX-FileCopyrightText: The Warpfold developers                            *|
|* SPDX-License-Identifier: Apache-2.0                                        *|
|*                                                                            *|
|* Say once what is reduced (wf_prepare), then run it on as many pointers as  *|
|* you like (wf_run). Shapes and strides are in elements, in the order of the *|
|* array's axes; strides may be negative, zero, or in any permutation.        *|
|*                                                                            *|
|*   wf_array x = {WF_F32, 2, shape, NULL};                                   *|
|*   int64_t axis = 1;                                                        *|
|*   wf_request r = {.op = "sum", .inputs = &x, .input_count = 1,             *|
|*                   .axes = &axis, .axis_count = 1};                         *|
|*   wf_handle *h;                                                            *|
|*   if (wf_prepare(&r, &h)) puts(wf_last_error());                           *|
|*   wf_run(h, (const void *const *)&data, (void *const *)&rows, NULL);       *|
|*   wf_destroy(h);                                                           *|
\*===----------------------------------------------------------------------===*/
#ifndef WARPFOLD_WARPFOLD_H
#define WARPFOLD_WARPFOLD_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Stored element types. The numbers are part of the binary interface. */
typedef enum wf_type {
  WF_BOOL = 0,
  WF_I8 = 1,
  WF_I16 = 2,
  WF_I32 = 3,
  WF_I64 = 4,
  WF_U8 = 5,
  WF_U16 = 6,
  WF_U32 = 7,
  WF_U64 = 8,
  WF_F32 = 9,
  WF_F64 = 10
} wf_type;

/** What a call returns; the text is in wf_last_error(). */
typedef enum wf_status {
  WF_OK = 0,
  WF_USER_ERROR = 1,     /**< the request cannot be honoured as it stands */
  WF_DEVICE_ERROR = 2,   /**< the machine failed */
  WF_INTERNAL_ERROR = 70 /**< a fault of Warpfold */
} wf_status;

/** An array's type, shape and strides, without its pointer. */
typedef struct wf_array {
  wf_type type;
  int32_t rank;
  const int64_t *shape;
  const int64_t *strides; /**< in elements; NULL: row-major */
} wf_array;

/** A run-time scalar: name "p" or "p:f32", value as text. */
typedef struct wf_param {
  const char *name;
  const char *value;
} wf_param;

/** A reduction of one to four inputs, which broadcast by NumPy's rule. Give
 *  either `op`, a name of the catalogue, or `combine` (and what goes with it)
 *  in the language of docs/language.md. Members left zero have their default.
 */
typedef struct wf_request {
  const char *op;
  const char *combine, *map, *update, *finish, *neutral, *empty;
  int commutative; /**< declares the combine commutative */

  const wf_array *inputs;
  size_t input_count;
  const int64_t *axes; /**< negative ones count from the end */
  size_t axis_count;   /**< 0: all axes, unless no_axes */
  int no_axes;         /**< reduce along no axis: every element alone */
  int keep_dims;

  /** Strides in elements of every result, in its own axes: result_strides[i]
   *  belongs to result i. NULL: all results are row-major. */
  const int64_t *const *result_strides;

  const char *acc;    /**< accumulator type by name ("f64"), or NULL */
  const char *order;  /**< "canonical", "ordered", "sequential", or NULL */
  const char *device; /**< "cpu", "cuda", "cuda:1", …; NULL: "cpu" */
  const char *plan;   /**< "auto", "v0" … "v5", a plan's text, or NULL */
  int nan_ignore;
  int threads; /**< most threads to use; 0: one a processor */
  const wf_param *params;
  size_t param_count;
} wf_request;

typedef struct wf_handle wf_handle;

/** Checks, plans and compiles. On WF_OK *handle is to be given to wf_destroy;
 *  otherwise it is NULL. Safe from any thread. */
wf_status wf_prepare(const wf_request *request, wf_handle **handle);

/** How many results there are, and what they look like. `shape` has room for
 *  `*rank` numbers on entry (it may be NULL); *rank is the result's on exit. */
size_t wf_result_count(const wf_handle *handle);
wf_status wf_result_info(const wf_handle *handle, size_t index, wf_type *type,
                         int32_t *rank, int64_t *shape);
const char *wf_result_name(const wf_handle *handle, size_t index);

/** Text form of the plan, and the order with its version ("canonical/1"). */
const char *wf_plan(const wf_handle *handle);
const char *wf_order(const wf_handle *handle);

/** Reduces inputs[i] (pointers to the elements at index 0, …, 0; any
 *  alignment) into results[i]. On the CPU it returns when the results are
 *  written, and `stream` must be NULL. On a GPU pointers are the device's, the
 *  work is enqueued on `stream` (the driver's handle, as CUDA libraries give
 *  it; NULL: the default stream) and the call does not wait, allocates nothing
 *  and may be captured into a graph (after a first call with arrays of the same
 *  alignment); only nan_ignore without `empty` waits, since it may be an error.
 *  Calls with one handle take turns; on a GPU they share scratch
 *  memory, so one handle's calls on two streams must not overlap. */
wf_status wf_run(wf_handle *handle, const void *const *inputs,
                 void *const *results, void *stream);

/** Bytes of device memory a run needs for partial results; 0 on the CPU. The
 *  handle has them from wf_prepare on. */
size_t wf_workspace_bytes(const wf_handle *handle);

/** Lets the handle use `bytes` of the caller's device memory at a multiple of
 *  256 in the place of its own, which is freed; the memory is initialised on
 *  `stream`, and belongs to this handle until it is destroyed or given another.
 *  Arrays that are not aligned to 16 bytes still use memory of the handle. */
wf_status wf_use_workspace(wf_handle *handle, void *memory, size_t bytes,
                           void *stream);

void wf_destroy(wf_handle *handle);

/** The text of this thread's last error, with its hint; never NULL. */
const char *wf_last_error(void);

#ifdef __cplusplus
}
#endif

#endif /* WARPFOLD_WARPFOLD_H */
