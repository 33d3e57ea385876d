#pragma once

#include <Eigen/Core>
#include <vector>

namespace idbench {

/// Return numbers with six significant digits, which is more than a chart shows.
double SixDigits(double value);
std::vector<double> SixDigits(const Eigen::Ref<const Eigen::VectorXd>& values);

}  // namespace idbench
