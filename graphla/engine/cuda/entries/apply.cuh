// out[p] = op(x[p], …): one thread per value, in strides of the grid. An operand is an array or one value for all.
//
// compiled: one<Op, Each<float>, float> with Op = unary.abs FP32
// compiled: two<Op, Each<int>, One<int>, int> with Op = binary.plus INT32
// compiled: two<Op, Each<float>, Each<float>, bool> with Op = binary.lt FP32
// compiled: two<Op, Each<C>, Each<C>, C> with Op = binary.truediv FC64; C = Complex<double>
// compiled: chosen<Op, Each<float>, float, bool> with Op = indexunary.valuegt FP32
// compiled: indexed<Op, Each<float>, long long, bool> with Op = indexunary.tril FP32
#pragma once

#include "headers/primitives.cuh"

// A value that belongs to no entry may be any byte, and a truth has to be one of two.
template <class T>
struct Each {
  using Argument = const T*;
  static __device__ __forceinline__ T at(Argument values, long long p) {
    if constexpr (is_same<T, bool>) return reinterpret_cast<const unsigned char*>(values)[p] != 0;
    else return values[p];
  }
};
template <class T>
struct One {
  using Argument = T;
  static __device__ __forceinline__ T at(Argument value, long long) { return value; }
};

template <class Op, class X, class C>
__global__ void one(typename X::Argument x, C* out, long long count) {
  for (const long long p : grid_range(count)) out[p] = Op::apply(X::at(x, p));
}

template <class Op, class X, class Y, class C>
__global__ void two(typename X::Argument x, typename Y::Argument y, C* out, long long count) {
  for (const long long p : grid_range(count)) out[p] = Op::apply(X::at(x, p), Y::at(y, p));
}

// The same of an operator that reads no position.
template <class Op, class X, class Thunk, class C>
__global__ void chosen(typename X::Argument x, Thunk thunk, C* out, long long count) {
  for (const long long p : grid_range(count)) out[p] = Op::apply(X::at(x, p), 0, 0, thunk);
}

template <class Op, class X, class Thunk, class C>
__global__ void indexed(
    typename X::Argument x, const long long* i, const long long* j, Thunk thunk, C* out, long long count) {
  for (const long long p : grid_range(count)) out[p] = Op::apply(X::at(x, p), i[p], j[p], thunk);
}
