#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bench/metrics/cramer_rao.h"
#include "robots/plant/plant_error.h"
#include "scenarios/motion/excitation/motion_bound.h"

namespace idbench {
namespace {

/// States of the data from which the search begins, at most.
constexpr Eigen::Index kBeginWith = 300;
constexpr std::uint64_t kSearchSeed = 1;

/// Every k-th of the signals' states.
struct ThinnedStates {
  explicit ThinnedStates(const Signals& clean) {
    const Eigen::Index count = clean.time_s.size();
    const Eigen::Index step = 1 + (count - 1) / kBeginWith;
    const auto rows = Eigen::seq(0, count - 1, step);
    q = clean[kJointPosition](rows, Eigen::all);
    qd = clean[kJointVelocity](rows, Eigen::all);
    qdd = clean[kJointAcceleration](rows, Eigen::all);
  }
  StateSamples samples() const { return {q, qd, qdd}; }

  Eigen::MatrixXd q, qd, qdd;
};

/// Mean of wᵀw over the samples, of each joint's row.
std::vector<Eigen::MatrixXd> MeanSquares(const RowRegressor& torques, const StateSamples& samples,
                                         Dynamics::Scratch& scratch) {
  std::vector<Eigen::MatrixXd> grams;
  torques.Gram(samples, Eigen::MatrixXd::Zero(samples.size(), torques.row_count()), scratch, grams);
  std::vector<Eigen::MatrixXd> means;
  for (int joint = 0; joint < torques.row_count(); ++joint) {
    const std::vector<int>& columns = torques.ColumnsOf(joint);
    const auto size = static_cast<Eigen::Index>(columns.size());
    Eigen::MatrixXd& mean =
        means.emplace_back(Eigen::MatrixXd::Zero(torques.column_count(), torques.column_count()));
    mean(columns, columns) = grams[static_cast<std::size_t>(joint)].topLeftCorner(size, size) /
                             static_cast<double>(samples.size());
  }
  return means;
}

}  // namespace

std::string CramerRao::RefusalOfMotions(const Information& information, std::size_t columns) const {
  const Problem& problem = data_->problem();
  if (!CanBoundMotions(problem.equations()))
    return "no bound on motions: it is for rows of joint torques and base wrenches";
  if (std::ranges::any_of(problem.rows_in_order(),
                          [](const EquationRows& rows) { return rows.dead_zone.size() > 0; })) {
    return "no bound on motions: rows have a dead zone";
  }
  if (std::ranges::adjacent_find(configurations_, std::ranges::not_equal_to()) !=
      configurations_.end()) {
    return "no bound on motions: data are of several configurations";
  }
  if (std::cmp_not_equal(information.rank, columns)) {
    return fmt::format(
        "no bound on motions: it is for {} base parameters, the unknowns shown are {}", columns,
        information.rank);
  }
  return "";
}

MetricValue CramerRao::LeastPredictionBound(const StateSamples& samples, int configuration,
                                            double checkpoint_s) {
  if (!refusal_.empty()) return AbsentMetric(refusal_);
  const auto [at, added] = least_.try_emplace({samples.q.data(), checkpoint_s});
  MetricValue& least = at->second;
  if (!added) return least;
  const Information& information = Of(checkpoint_s);
  const Problem& problem = data_->problem();
  const int own = configurations_.front();
  const std::vector<int> columns =
      FindBaseParameters(problem.model, problem.equations(), used_, problem.friction, {own})
          .independent;
  if (const std::string refusal = RefusalOfMotions(information, columns.size()); !refusal.empty()) {
    return least = AbsentMetric(refusal);
  }
  const Dynamics dynamics(problem.model, problem.friction, own);
  const Dynamics there(problem.model, problem.friction, configuration);
  Dynamics::Scratch scratch(there);
  const RowRegressor rows(dynamics, problem.equations(), columns);
  const RowRegressor torques(there, {Equation::kTorque}, columns);
  const PredictionLoss loss(MeanSquares(torques, samples, scratch));
  try {
    const MotionBound bound =
        BoundOfMotions(problem.model, dynamics, rows, weights_, information.samples, loss,
                       ThinnedStates(*clean_.front()).samples(), kSearchSeed);
    least = std::isfinite(bound.bound) ? MetricOf(bound.bound)
                                       : FailedMetric("the search for other motions found no end");
  } catch (const PlantError& error) {
    least = AbsentMetric(error.what());
  }
  return least;
}

}  // namespace idbench
