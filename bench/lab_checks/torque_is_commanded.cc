#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "bench/lab_checks/lab_context.h"
#include "robots/recording/motion_band.h"
#include "robots/recording/resample.h"

namespace idbench {
namespace {

/// Part of a joint's torques that friction of a real joint has at least; that of the gears shows
/// in currents, and in sensors behind them that of bearings and cables.
constexpr double kLeastFriction = 0.003;
/// What a noise floor exceeds smooth motion by.
constexpr double kFloor = 10.0;
/// Above the band of a motion its torques have harmonics: products of speeds.
constexpr double kHarmonics = 2.0;

/// rms of third differences over that of white noise of the same rms: what is faster than motion.
double FastPart(const Eigen::VectorXd& x) {
  const Eigen::Index count = x.size() - 3;
  const double spread = std::sqrt((x.array() - x.mean()).square().mean());
  if (count < 10 || spread == 0.0) return 0.0;
  double squares = 0.0;
  for (Eigen::Index i = 0; i < count; ++i) {
    const double third = x[i + 3] - 3.0 * x[i + 2] + 3.0 * x[i + 1] - x[i];
    squares += third * third;
  }
  return std::sqrt(squares / static_cast<double>(count) / 20.0) / spread;
}

/// Whether no column of torques has noise that the motion would not have.
bool IsSmooth(const LabContext& context, double& fastest) {
  const Dataset& segment = context.log.recorded.front();
  const Channel& torque = segment.Get(kJointTorque);
  const double rate = NominalRate(torque.time_s);
  MotionBand band;
  try {
    band = FindMotionBand(std::vector<PositionLog>{{segment.Get(kJointPosition).samples, rate}});
  } catch (const std::invalid_argument&) {
    return false;
  }
  const double step = 2.0 * std::numbers::pi * kHarmonics * band.frequency_hz / rate;
  const double of_motion = std::pow(step, 3) / std::sqrt(20.0);
  fastest = 0.0;
  for (Eigen::Index j = 0; j < torque.samples.cols(); ++j) {
    fastest = std::max(fastest, FastPart(torque.samples.col(j)));
  }
  return fastest < kFloor * of_motion + 1e-12;
}

}  // namespace

std::vector<LabFinding> TellCommanded(const LabContext& context) {
  if (context.search == nullptr) return {};
  double fastest = 0.0;
  if (!IsSmooth(context, fastest)) return {};
  // Friction as an extra: what sign(q̇) and q̇ explain of each joint, beside what β has of it.
  const LabRows& rows = *context.rows;
  const DataChange& change = context.search->change;
  const Eigen::MatrixXd qd = rows.Velocities(change);
  const Taught taught = context.fit->Teaches(change);
  const BaseParameters& base = context.fit->parameters().base();
  const ParameterLayout layout(UnderGravity(context.model(), change.gravity));
  const Eigen::MatrixXd torques = rows.Torques(change.torque_delay_s);
  double most = 0.0;
  for (int j = 0; j < rows.joints(); ++j) {
    const int d = change.torque_of[static_cast<std::size_t>(j)];
    const double size = std::abs(change.torque_scale[d]) * torques.col(d).norm();
    for (const auto& [kind, column] :
         {std::pair{JointParameter::kCoulomb, Eigen::VectorXd(qd.col(j).cwiseSign())},
          std::pair{JointParameter::kViscous, Eigen::VectorXd(qd.col(j))}}) {
      const auto at = std::ranges::find(base.independent, layout.Joint(j, kind));
      if (at == base.independent.end() || size == 0.0) continue;
      most = std::max(most,
                      std::abs(taught.beta[at - base.independent.begin()]) * column.norm() / size);
    }
  }
  if (most > kLeastFriction) return {};
  return {{.check = "torque_is_commanded",
           .joint = "",
           .evidence = fmt::format(
               "torques show no friction (at most {:.2g} % of any joint's) and no noise (above the "
               "motion {:.1g} of their size): a model of rigid bodies computed them",
               100.0 * most, fastest),
           .cure =
               "log measured torques or currents; what a controller computes from its own model "
               "gives back that model"}};
}

}  // namespace idbench
