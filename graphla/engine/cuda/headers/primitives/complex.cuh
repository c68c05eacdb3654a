// Complex numbers: two parts side by side, as NumPy and CuPy store them.
//
// z + w, z - w by parts; z * w as (ac - bd) + (ad + bc) i; quotients by Smith's scaling, so that no square of a part
// overflows. Functions by their formulas over the real ones: a few units in the last place from those of a library.
#pragma once

template <class R>
struct alignas(2 * sizeof(R)) Complex {
  R re, im;
};

template <class R> __device__ __forceinline__ Complex<R> operator+(Complex<R> z, Complex<R> w) {
  return {z.re + w.re, z.im + w.im};
}
template <class R> __device__ __forceinline__ Complex<R> operator-(Complex<R> z, Complex<R> w) {
  return {z.re - w.re, z.im - w.im};
}
template <class R> __device__ __forceinline__ Complex<R> operator-(Complex<R> z) { return {-z.re, -z.im}; }
template <class R> __device__ __forceinline__ Complex<R> operator*(Complex<R> z, Complex<R> w) {
  return {z.re * w.re - z.im * w.im, z.re * w.im + z.im * w.re};
}
template <class R> __device__ __forceinline__ Complex<R> operator/(Complex<R> z, Complex<R> w) {
  const R re = w.re < 0 ? -w.re : w.re, im = w.im < 0 ? -w.im : w.im;
  if (re >= im) {
    if (re == 0) return {z.re / re, z.im / re};
    const R ratio = w.im / w.re, scale = w.re + w.im * ratio;
    return {(z.re + z.im * ratio) / scale, (z.im - z.re * ratio) / scale};
  }
  const R ratio = w.re / w.im, scale = w.re * ratio + w.im;
  return {(z.re * ratio + z.im) / scale, (z.im * ratio - z.re) / scale};
}
template <class R> __device__ __forceinline__ bool operator==(Complex<R> z, Complex<R> w) {
  return z.re == w.re && z.im == w.im;
}
template <class R> __device__ __forceinline__ bool operator!=(Complex<R> z, Complex<R> w) { return !(z == w); }

// The real functions under one name for both widths.
__device__ __forceinline__ float real_sqrt(float x) { return sqrtf(x); }
__device__ __forceinline__ double real_sqrt(double x) { return sqrt(x); }
__device__ __forceinline__ float real_exp(float x) { return expf(x); }
__device__ __forceinline__ double real_exp(double x) { return exp(x); }
__device__ __forceinline__ float real_log(float x) { return logf(x); }
__device__ __forceinline__ double real_log(double x) { return log(x); }
__device__ __forceinline__ float real_sin(float x) { return sinf(x); }
__device__ __forceinline__ double real_sin(double x) { return sin(x); }
__device__ __forceinline__ float real_cos(float x) { return cosf(x); }
__device__ __forceinline__ double real_cos(double x) { return cos(x); }
__device__ __forceinline__ float real_sinh(float x) { return sinhf(x); }
__device__ __forceinline__ double real_sinh(double x) { return sinh(x); }
__device__ __forceinline__ float real_cosh(float x) { return coshf(x); }
__device__ __forceinline__ double real_cosh(double x) { return cosh(x); }
__device__ __forceinline__ float real_hypot(float x, float y) { return hypotf(x, y); }
__device__ __forceinline__ double real_hypot(double x, double y) { return hypot(x, y); }
__device__ __forceinline__ float real_atan2(float y, float x) { return atan2f(y, x); }
__device__ __forceinline__ double real_atan2(double y, double x) { return atan2(y, x); }

template <class R> __device__ __forceinline__ R complex_abs(Complex<R> z) { return real_hypot(z.re, z.im); }
template <class R> __device__ __forceinline__ R complex_arg(Complex<R> z) { return real_atan2(z.im, z.re); }
template <class R> __device__ __forceinline__ Complex<R> complex_conj(Complex<R> z) { return {z.re, -z.im}; }
template <class R> __device__ __forceinline__ bool complex_isinf(Complex<R> z) {
  const bool re = z.re == z.re && z.re - z.re != 0, im = z.im == z.im && z.im - z.im != 0;
  return re || im;
}
template <class R> __device__ __forceinline__ Complex<R> complex_exp(Complex<R> z) {
  const R length = real_exp(z.re);
  return {length * real_cos(z.im), length * real_sin(z.im)};
}
template <class R> __device__ __forceinline__ Complex<R> complex_log(Complex<R> z) {
  return {real_log(complex_abs(z)), complex_arg(z)};
}
template <class R> __device__ __forceinline__ Complex<R> complex_scaled(Complex<R> z, R by) {
  return {z.re * by, z.im * by};
}
template <class R> __device__ __forceinline__ Complex<R> complex_exp2(Complex<R> z) {
  return complex_exp(complex_scaled(z, static_cast<R>(0.693147180559945309417)));
}
template <class R> __device__ __forceinline__ Complex<R> complex_log2(Complex<R> z) {
  return complex_scaled(complex_log(z), static_cast<R>(1.442695040888963407360));
}
template <class R> __device__ __forceinline__ Complex<R> complex_log10(Complex<R> z) {
  return complex_scaled(complex_log(z), static_cast<R>(0.434294481903251827651));
}
// The root with a part that is not negative: t = sqrt((|z| + |re|) / 2), the other part im / 2t.
template <class R> __device__ __forceinline__ Complex<R> complex_sqrt(Complex<R> z) {
  const R t = real_sqrt((complex_abs(z) + (z.re < 0 ? -z.re : z.re)) / 2);
  if (t == 0) return {0, z.im};
  if (z.re >= 0) return {t, z.im / (2 * t)};
  return {(z.im < 0 ? -z.im : z.im) / (2 * t), z.im < 0 ? -t : t};
}
template <class R> __device__ __forceinline__ Complex<R> complex_sin(Complex<R> z) {
  return {real_sin(z.re) * real_cosh(z.im), real_cos(z.re) * real_sinh(z.im)};
}
template <class R> __device__ __forceinline__ Complex<R> complex_cos(Complex<R> z) {
  return {real_cos(z.re) * real_cosh(z.im), -(real_sin(z.re) * real_sinh(z.im))};
}
template <class R> __device__ __forceinline__ Complex<R> complex_sinh(Complex<R> z) {
  return {real_sinh(z.re) * real_cos(z.im), real_cosh(z.re) * real_sin(z.im)};
}
template <class R> __device__ __forceinline__ Complex<R> complex_cosh(Complex<R> z) {
  return {real_cosh(z.re) * real_cos(z.im), real_sinh(z.re) * real_sin(z.im)};
}
template <class R> __device__ __forceinline__ Complex<R> complex_tan(Complex<R> z) {
  return complex_sin(z) / complex_cos(z);
}
template <class R> __device__ __forceinline__ Complex<R> complex_tanh(Complex<R> z) {
  return complex_sinh(z) / complex_cosh(z);
}
// z^w = exp(w log z); 0^0 is 1 and 0^w is 0.
template <class R> __device__ __forceinline__ Complex<R> complex_pow(Complex<R> z, Complex<R> w) {
  if (w.re == 0 && w.im == 0) return {1, 0};
  if (z.re == 0 && z.im == 0) return {0, 0};
  return complex_exp(w * complex_log(z));
}
