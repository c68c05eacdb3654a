// What every kernel may use; it is put before each translation unit.
//
// A kernel file says which of its instances the tests compile for each architecture, one line an expression:
//   // compiled: push<S, Offset> with S = min_plus FP32 | any_pair BOOL; Offset = int | long long; hot
// A name stands for a semiring with its dtype, for an operator (`binary.plus INT32`, `unary.abs FP64`) or for a C++
// type. `hot` forbids spilled registers and local memory (`hot on sm_90 sm_100`: on these). Each choice is compiled
// once or more; the slow tests compile the whole product.
#pragma once

#include "primitives/atomics.cuh"
#include "primitives/block.cuh"
#include "primitives/complex.cuh"
#include "primitives/grid.cuh"
#include "primitives/ranges.cuh"
#include "primitives/rows.cuh"
#include "primitives/warp.cuh"
#include "primitives/words.cuh"
