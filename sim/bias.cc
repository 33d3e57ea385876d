#include "sim/bias.h"

namespace idbench {

void Bias::Apply(double, std::uint64_t, Eigen::VectorXd& sample) { sample += bias_; }

}  // namespace idbench
