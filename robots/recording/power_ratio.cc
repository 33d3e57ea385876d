#include "robots/recording/power_ratio.h"

#include <algorithm>
#include <boost/math/distributions/fisher_f.hpp>

namespace idbench {

PowerEstimate PowerOf(const Eigen::VectorXd& ordinates, double repetition) {
  const double sum = ordinates.sum();
  const double squares = ordinates.squaredNorm();
  if (!(squares > 0.0)) return {sum, 2.0};
  return {sum, std::max(2.0, 4.0 * sum * sum / (repetition * squares) - 2.0)};
}

bool Exceeds(const PowerEstimate& larger, const PowerEstimate& smaller, double false_alarms) {
  if (!(larger.power > smaller.power)) return false;
  const boost::math::fisher_f ratio(larger.freedom, smaller.freedom);
  // Without a division: the smaller power may be 0.
  return larger.power > quantile(complement(ratio, false_alarms)) * smaller.power;
}

}  // namespace idbench
