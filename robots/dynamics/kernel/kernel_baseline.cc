#include "robots/dynamics/kernel/kernel_impl.h"

namespace idbench {

const Kernel& BaselineKernel() {
  using Arch = xsimd::default_arch;
  static constexpr Kernel kKernel =
      MakeKernel<Arch, KernelImpl<Pack<Arch>>, 2>("baseline", &BaselineGradient);
  return kKernel;
}

}  // namespace idbench
