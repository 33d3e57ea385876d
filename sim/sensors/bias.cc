#include "sim/sensors/bias.h"

namespace idbench {

bool Bias::Apply(double, std::uint64_t, Eigen::VectorXd& sample) {
  sample += bias_;
  return true;
}

}  // namespace idbench
