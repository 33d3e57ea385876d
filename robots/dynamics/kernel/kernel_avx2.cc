#include "robots/dynamics/kernel/kernel_impl.h"

namespace idbench {

/// Two lanes with fused multiply-add; xsimd 8.1 has them only where AVX is not.
struct TwoLanes : xsimd::sse4_2 {};

}  // namespace idbench

namespace xsimd::types {
XSIMD_DECLARE_SIMD_REGISTER_ALIAS(idbench::TwoLanes, sse4_2);
}

namespace idbench {

template <>
struct Isa<TwoLanes> {
  using Batch = xsimd::batch<double, TwoLanes>;

  static Batch Fma(const Batch& x, const Batch& y, const Batch& z) { return _mm_fmadd_pd(x, y, z); }
  static Batch Fnma(const Batch& x, const Batch& y, const Batch& z) {
    return _mm_fnmadd_pd(x, y, z);
  }
};

template <>
inline void Isa<xsimd::fma3<xsimd::avx2>>::AddLaneSums(const Batch (&packs)[4][2], double* to) {
  const auto fold = [&packs](int i) -> __m256d { return packs[i][0] + packs[i][1]; };
  const auto fold_pair = [](__m256d a, __m256d b) {
    return _mm256_add_pd(_mm256_permute2f128_pd(a, b, 0x20), _mm256_permute2f128_pd(a, b, 0x31));
  };
  // (sum 0, sum 2, sum 1, sum 3)
  const __m256d sums = _mm256_hadd_pd(fold_pair(fold(0), fold(1)), fold_pair(fold(2), fold(3)));
  const __m256d in_order = _mm256_permute4x64_pd(sums, _MM_SHUFFLE(3, 1, 2, 0));
  _mm256_storeu_pd(to, _mm256_add_pd(_mm256_loadu_pd(to), in_order));
}

const Kernel& Avx2Kernel() {
  using Arch = xsimd::fma3<xsimd::avx2>;
  static constexpr Kernel kKernel =
      MakeKernel<Arch, KernelImpl<Pack<TwoLanes>>, 2>("avx2", &Avx2Gradient);
  return kKernel;
}

}  // namespace idbench
