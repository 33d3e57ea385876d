#include "robots/dynamics/kernel/adjoint_impl.h"
#include "robots/dynamics/kernel/avx512_pack.h"

namespace idbench {

void Avx512Gradient(const KernelModel& model, const KernelSamples& samples, const KernelCuts& cuts,
                    double* scratch, const double* const* from, std::ptrdiff_t at,
                    double* gradient) {
  AdjointImpl<Pack<xsimd::avx512dq>>::Gradient(model, samples, cuts, scratch, from, at, gradient);
}

}  // namespace idbench
