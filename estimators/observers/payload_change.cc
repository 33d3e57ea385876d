#include "estimators/observers/payload_change.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <cmath>
#include <limits>
#include <utility>

#include "estimators/observers/model_residual.h"
#include "robots/dynamics/rows.h"

namespace idbench {
namespace {

constexpr int kLoadCount = 4;  ///< m, m·c
using LoadVector = Eigen::Matrix<double, kLoadCount, 1>;
using LoadMatrix = Eigen::Matrix<double, kLoadCount, kLoadCount>;

constexpr double kNotTold = std::numeric_limits<double>::quiet_NaN();
/// Least eigenvalue of N over its largest one.
constexpr double kLeastTold = 1e-10;
/// Part of the direction of the mass that may be left out where there is a mass.
constexpr double kLeastPart = 1e-6;
/// Samples after which running sums are made anew, so that round-off does not add up.
constexpr Eigen::Index kSumsLast = 64;

/// Σ over some samples.
struct NormalEquations {
  LoadMatrix N = LoadMatrix::Zero();
  LoadVector b = LoadVector::Zero();
  Eigen::Index count = 0;

  void Add(const NormalEquations& other) {
    N += other.N;
    b += other.b;
    count += other.count;
  }
  void Remove(const NormalEquations& other) {
    N -= other.N;
    b -= other.b;
    count -= other.count;
  }
};

/// What a window tells of the load.
struct Load {
  double square = kNotTold, mass = kNotTold, mass_sigma = kNotTold;
};

Load Solve(const NormalEquations& sums) {
  Load load;
  const Eigen::SelfAdjointEigenSolver<LoadMatrix> solver(sums.N);
  const LoadVector& eigenvalues = solver.eigenvalues();
  const double least = kLeastTold * eigenvalues[kLoadCount - 1];
  if (sums.count == 0 || !(least > 0.0)) return load;
  int told = 0;
  double square = 0.0, mass = 0.0, variance = 0.0, left_out = 0.0;
  for (Eigen::Index k = 0; k < kLoadCount; ++k) {
    const LoadVector direction = solver.eigenvectors().col(k);
    if (eigenvalues[k] <= least) {
      left_out += direction[0] * direction[0];
      continue;
    }
    ++told;
    const double along = direction.dot(sums.b) / eigenvalues[k];
    square += eigenvalues[k] * along * along;
    mass += direction[0] * along;
    variance += direction[0] * direction[0] / eigenvalues[k];
  }
  load.square = EquivalentSquare(square, told, kLoadCount);
  if (left_out > kLeastPart) return load;
  load.mass = mass;
  load.mass_sigma = std::sqrt(variance);
  return load;
}

/// Hᵀ R⁻¹ H and Hᵀ R⁻¹ r of each sample; nothing of those that lack a row.
std::vector<NormalEquations> EachSample(const Problem& problem, const ModelResidual& residual,
                                        const std::vector<EquationRows>& equations, int link,
                                        const Eigen::MatrixXd& R) {
  const Dynamics dynamics(problem.model, problem.friction, residual.configuration);
  Dynamics::Scratch scratch(dynamics);
  std::vector<int> columns;
  for (int k = 0; k < kLoadCount; ++k) columns.push_back(dynamics.layout().Body(link) + k);
  const RowRegressor regressor(dynamics, EquationsOf(equations), columns);
  std::vector<Eigen::MatrixXd> rows;
  regressor.Dense(residual.states(), scratch, rows);
  const Eigen::LLT<Eigen::MatrixXd> root(R);
  Eigen::MatrixXd H = Eigen::MatrixXd::Zero(R.rows(), kLoadCount);
  Eigen::VectorXd r(R.rows());
  std::vector<NormalEquations> each(static_cast<std::size_t>(residual.r.rows()));
  for (Eigen::Index k = 0; k < residual.r.rows(); ++k) {
    r = residual.r.row(k).transpose();
    if (!r.allFinite()) continue;
    H.setZero();
    for (int row = 0; row < regressor.row_count(); ++row) {
      const std::vector<int>& filled = regressor.ColumnsOf(row);
      for (std::size_t i = 0; i < filled.size(); ++i) {
        H(row, filled[i]) = rows[static_cast<std::size_t>(row)](k, static_cast<Eigen::Index>(i));
      }
    }
    for (Eigen::Index column = 0; column < kLoadCount; ++column) {
      root.matrixL().solveInPlace(H.col(column));
    }
    root.matrixL().solveInPlace(r);
    NormalEquations& sample = each[static_cast<std::size_t>(k)];
    sample.N.noalias() = H.transpose() * H;
    sample.b.noalias() = H.transpose() * r;
    sample.count = 1;
  }
  return each;
}

std::vector<Load> LoadsOf(const Eigen::VectorXd& time_s, const std::vector<NormalEquations>& each,
                          double window_s) {
  std::vector<Load> loads;
  loads.reserve(each.size());
  NormalEquations sums;
  Eigen::Index first = 0;
  for (Eigen::Index k = 0; k < time_s.size(); ++k) {
    for (; time_s[first] <= time_s[k] - window_s; ++first) {
      sums.Remove(each[static_cast<std::size_t>(first)]);
    }
    sums.Add(each[static_cast<std::size_t>(k)]);
    if (k % kSumsLast == 0) {
      sums = {};
      for (Eigen::Index i = first; i <= k; ++i) sums.Add(each[static_cast<std::size_t>(i)]);
    }
    loads.push_back(Solve(sums));
  }
  return loads;
}

int LinkCalled(const RobotModel& model, const std::string& name) {
  if (name.empty()) return model.end_effector().link;
  std::vector<std::string> names;
  for (int link = 0; link < model.dofs(); ++link) {
    if (model.link(link).name == name) return link;
    names.push_back(model.link(link).name);
  }
  Refuse(fmt::format("the robot has no link '{}', it has '{}'", name, fmt::join(names, "', '")));
}

/// Refuses equations that no load moves.
void CheckFelt(const Problem& problem, const std::vector<EquationRows>& equations, int link) {
  const Dynamics dynamics(problem.model, problem.friction);
  std::vector<int> columns;
  for (int k = 0; k < kLoadCount; ++k) columns.push_back(dynamics.layout().Body(link) + k);
  const RowRegressor regressor(dynamics, EquationsOf(equations), columns);
  for (int row = 0; row < regressor.row_count(); ++row) {
    if (!regressor.ColumnsOf(row).empty()) return;
  }
  Refuse(fmt::format("no row of the problem's equations feels a load of '{}'",
                     problem.model.link(link).name));
}

Eigen::VectorXd SquaresOf(const std::vector<Load>& loads) {
  Eigen::VectorXd squares(std::ssize(loads));
  for (Eigen::Index k = 0; k < squares.size(); ++k) {
    squares[k] = loads[static_cast<std::size_t>(k)].square;
  }
  return squares;
}

Series MassSeries(const Eigen::VectorXd& time_s, const std::vector<Load>& loads) {
  Series series{.name = std::string(kPayloadMass),
                .columns = {"mass", "sigma"},
                .units = {"kg", "kg"},
                .time_s = time_s,
                .values = Eigen::MatrixXd(time_s.size(), 2)};
  for (Eigen::Index k = 0; k < time_s.size(); ++k) {
    const Load& load = loads[static_cast<std::size_t>(k)];
    series.values.row(k) << load.mass, load.mass_sigma;
  }
  return series;
}

}  // namespace

FieldTable Visit(PayloadChangeOptions& o) {
  FieldTable table;
  table.Add("window_s", o.window_s,
            {.doc = "Time up to the present over which the load is fitted",
             .unit = "s",
             .lower = 0.0,
             .lower_open = true});
  table.Add("link", o.link,
            {.doc = "Name of the link that carries the load; \"\": that of the end effector"});
  table.Add(
      "covariance", o.covariance,
      {.doc = "Covariance of the residuals: \"full\", or \"diagonal\" (variance of each row)"});
  AddDetection(o.detection, table);
  return table;
}

void PayloadChange::CheckProblem(const Problem& problem) const {
  Observer::CheckProblem(problem);
  CheckFelt(problem, EquationsWithModel(problem), LinkCalled(problem.model, options_.link));
}

Observation PayloadChange::Watch(const Problem& problem, const Estimate& model,
                                 std::span<const Dataset> training, const Dataset& watched) {
  const int link = LinkCalled(problem.model, options_.link);
  const std::vector<EquationRows> equations = EquationsWithModel(problem);
  const std::vector<ModelResidual> same = TrainingResiduals(problem, model.pi, training, equations);
  const Eigen::MatrixXd R = SampleCovariance(problem, equations, same, options_.covariance);
  const auto loads_of = [&](const ModelResidual& residual) {
    return LoadsOf(residual.time_s, EachSample(problem, residual, equations, link, R),
                   options_.window_s);
  };
  std::vector<TrainedStatistic> statistics;
  for (const ModelResidual& residual : same) {
    statistics.push_back({residual.time_s, SquaresOf(loads_of(residual))});
  }
  const double threshold = ThresholdOf(options_.detection, statistics);
  const ModelResidual residual = ResidualOf(problem, model.pi, watched, equations);
  const std::vector<Load> loads = loads_of(residual);
  Observation observation =
      DetectionOf(residual.time_s, SquaresOf(loads), threshold, {"same", "changed"});
  observation.series.push_back(MassSeries(residual.time_s, loads));
  return observation;
}

}  // namespace idbench
