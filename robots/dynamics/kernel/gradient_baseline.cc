#include "robots/dynamics/kernel/adjoint_impl.h"

namespace idbench {

void BaselineGradient(const KernelModel& model, const KernelSamples& samples,
                      const KernelCuts& cuts, double* scratch, const double* const* from,
                      std::ptrdiff_t at, double* gradient) {
  AdjointImpl<Pack<xsimd::default_arch>>::Gradient(model, samples, cuts, scratch, from, at,
                                                   gradient);
}

}  // namespace idbench
