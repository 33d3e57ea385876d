#include "robots/dynamics/kernel_impl.h"

namespace idbench {

const Kernel& BaselineKernel() {
  static constexpr Kernel kernel =
      MakeKernel<xsimd::default_arch, xsimd::default_arch, 2>("baseline");
  return kernel;
}

}  // namespace idbench
