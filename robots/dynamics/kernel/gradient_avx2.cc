#include "robots/dynamics/kernel/adjoint_impl.h"

namespace idbench {

void Avx2Gradient(const KernelModel& model, const KernelSamples& samples, const KernelCuts& cuts,
                  double* scratch, const double* const* from, std::ptrdiff_t at, double* gradient) {
  AdjointImpl<Pack<xsimd::fma3<xsimd::avx2>>>::Gradient(model, samples, cuts, scratch, from, at,
                                                        gradient);
}

}  // namespace idbench
