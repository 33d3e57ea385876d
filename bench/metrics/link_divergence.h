#pragma once

#include <Eigen/Core>
#include <vector>

#include "bench/metrics/metric_value.h"
#include "robots/dynamics/model.h"

namespace idbench {

/// Returns the entropic divergence D(P̂ ‖ P) = tr(P⁻¹P̂) − ln det(P⁻¹P̂) − 4 of each body's
/// pseudo-inertia from the true one; overall their sum. In other body frames both become G·P·Gᵀ,
/// which leaves it as it is. It fails where the estimate of a body is not physically consistent,
/// and is absent where the truth is not.
/// @param bodies  see RobotModel::body_end(). @param pi, true_pi  standard parameters.
/// Source: Lee, Wensing & Park, IEEE T-RO 36(1), 2020.
MetricValue LinkDivergence(const RobotModel& model, const std::vector<int>& bodies,
                           const Eigen::VectorXd& pi, const Eigen::VectorXd& true_pi);

}  // namespace idbench
