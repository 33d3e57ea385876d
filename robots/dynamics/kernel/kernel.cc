#include "robots/dynamics/kernel/kernel.h"

#include <cstdlib>
#include <stdexcept>
#include <string>

namespace idbench {
namespace {

struct Choice {
  std::string name;
  bool runs_here;
  const Kernel& (*kernel)();
};

}  // namespace

const Kernel& SelectKernel(const char* isa) {
  // The widest first.
  const Choice choices[] = {
#if defined(__x86_64__)
    {"avx512",
     __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512cd") &&
         __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
         __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"),
     &Avx512Kernel},
    {"avx2", __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"), &Avx2Kernel},
#endif
    {"baseline", true, &BaselineKernel},
  };
  std::string usable;
  for (const Choice& choice : choices) {
    if (!choice.runs_here) continue;
    if (isa == nullptr || choice.name == isa) return choice.kernel();
    usable += (usable.empty() ? "" : ", ") + choice.name;
  }
  throw std::invalid_argument("IDBENCH_ISA: got '" + std::string(isa) +
                              "'; this processor runs: " + usable);
}

const Kernel& ActiveKernel() {
  static const Kernel& kernel = SelectKernel(std::getenv("IDBENCH_ISA"));
  return kernel;
}

}  // namespace idbench
