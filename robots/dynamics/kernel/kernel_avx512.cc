#include "robots/dynamics/kernel/avx512_pack.h"
#include "robots/dynamics/kernel/kernel_impl.h"

namespace idbench {

template <>
inline void Isa<xsimd::avx512dq>::AddLaneSums(const Batch (&packs)[4][1], double* to) {
  const auto fold = [&packs](int i) {
    const __m512d pack = packs[i][0];
    return _mm256_add_pd(_mm512_castpd512_pd256(pack), _mm512_extractf64x4_pd(pack, 1));
  };
  const auto fold_pair = [](__m256d a, __m256d b) {
    return _mm256_add_pd(_mm256_permute2f128_pd(a, b, 0x20), _mm256_permute2f128_pd(a, b, 0x31));
  };
  // (sum 0, sum 2, sum 1, sum 3)
  const __m256d sums = _mm256_hadd_pd(fold_pair(fold(0), fold(1)), fold_pair(fold(2), fold(3)));
  const __m256d in_order = _mm256_permute4x64_pd(sums, _MM_SHUFFLE(3, 1, 2, 0));
  _mm256_storeu_pd(to, _mm256_add_pd(_mm256_loadu_pd(to), in_order));
}

/// Whatever has AVX-512 has AVX2. Compiled here, two lanes would be slower: GCC copies structs of
/// them in registers of 512 bits, which have to wait for the single stores.
struct FewByAvx2 {
  static void Regressor(const KernelModel& model, const KernelSamples& samples,
                        const KernelCuts& cuts, double* scratch, double* const* to,
                        std::ptrdiff_t at) {
    Avx2Kernel().regressor(model, samples, cuts, scratch, to, at);
  }
  static void InverseDynamics(const KernelModel& model, const double* pi,
                              const KernelSamples& samples, double* scratch, double* tau,
                              std::ptrdiff_t tau_stride, const KernelCut* cut, double* wrench) {
    Avx2Kernel().inverse_dynamics(model, pi, samples, scratch, tau, tau_stride, cut, wrench);
  }
};

const Kernel& Avx512Kernel() {
  using Arch = xsimd::avx512dq;
  static constexpr Kernel kKernel = MakeKernel<Arch, FewByAvx2, 4>("avx512", &Avx512Gradient);
  return kKernel;
}

}  // namespace idbench
