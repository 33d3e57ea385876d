#pragma once

// Included only by the kernel_avx512.cc and gradient_avx512.cc files, before anything uses packs.

#include "robots/dynamics/kernel/pack.h"

namespace idbench {

// xsimd 8.1 multiplies and adds in two steps here.
template <>
inline auto Isa<xsimd::avx512dq>::Fma(const Batch& x, const Batch& y, const Batch& z) -> Batch {
  return _mm512_fmadd_pd(x, y, z);
}
template <>
inline auto Isa<xsimd::avx512dq>::Fnma(const Batch& x, const Batch& y, const Batch& z) -> Batch {
  return _mm512_fnmadd_pd(x, y, z);
}

}  // namespace idbench
