#include "sim/sensors/sine_error.h"

namespace idbench {

bool SineError::Apply(double, std::uint64_t, Eigen::VectorXd& sample) {
  sample.array() += amplitude_.array() * sample.array().sin();
  return true;
}

}  // namespace idbench
