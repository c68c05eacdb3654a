// What becomes of an entry that one side has alone: it passes, or it meets a value that stands for the other.
#pragma once

template <class Op>
struct Passing {
  template <class FromLeft>
  static __device__ __forceinline__ typename Op::C left(typename Op::A x, typename Op::B) {
    return FromLeft::apply(x);
  }
  template <class FromRight>
  static __device__ __forceinline__ typename Op::C right(typename Op::A, typename Op::B y) {
    return FromRight::apply(y);
  }
};
template <class Op>
struct Meeting {
  template <class FromLeft>
  static __device__ __forceinline__ typename Op::C left(typename Op::A x, typename Op::B y) {
    return Op::apply(x, y);
  }
  template <class FromRight>
  static __device__ __forceinline__ typename Op::C right(typename Op::A x, typename Op::B y) {
    return Op::apply(x, y);
  }
};
