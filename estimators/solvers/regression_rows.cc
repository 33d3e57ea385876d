#include "estimators/solvers/regression_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "estimators/interface/aligned_equations.h"

namespace idbench {
namespace {

const AffineMap& AffineOf(const Problem& problem) {
  const AffineMap* map = problem.parameters.affine();
  if (map == nullptr) {
    Refuse(fmt::format("the parametrisation '{}' is not affine in x", problem.parameters.type()));
  }
  return *map;
}

/// Refuses equations that π is not in.
std::vector<EquationRows> RowsOfParameters(const Problem& problem) {
  if (HaveRowsFrom(problem.equations(), RowsFrom::kStateRows)) {
    Refuse(
        "joint positions and velocities are no equations of the parameters: "
        "online methods follow them");
  }
  return problem.rows_in_order();
}

/// Of all rows; empty unless all are declared.
/// @param of_sample  that of one sample.
Eigen::VectorXd DeclaredSigmaOfRows(const std::vector<EquationRows>& equations,
                                    const RobotModel& model, bool of_sample) {
  Eigen::VectorXd sigma(0);
  for (const EquationRows& rows : equations) {
    const Eigen::VectorXd& declared = of_sample ? rows.of_sample() : rows.sigma;
    if (declared.size() != rows.count(model)) return {};
    sigma.conservativeResize(sigma.size() + declared.size());
    sigma.tail(declared.size()) = declared;
  }
  return sigma;
}

/// Of each row that counts.
std::vector<int> JointsOf(const EquationRows& equation, const RobotModel& model) {
  const RowsFrom from = InfoOf(equation.equation).rows;
  const bool of_joints = from == RowsFrom::kTorqueRows || from == RowsFrom::kDriveRows;
  std::vector<int> joints(static_cast<std::size_t>(equation.count(model)), -1);
  for (std::size_t k = 0; of_joints && k < joints.size(); ++k) {
    joints[k] = equation.chosen.empty() ? static_cast<int>(k) : equation.chosen[k];
  }
  return joints;
}

/// Of all rows; empty if all are white.
/// @param sigma  of one sample of each row; empty if they are not declared.
std::vector<Eigen::VectorXd> AutocovarianceOfRows(const std::vector<EquationRows>& equations,
                                                  const RobotModel& model,
                                                  const Eigen::VectorXd& sigma) {
  const bool white = std::ranges::all_of(
      equations, [](const EquationRows& rows) { return rows.autocorrelation.size() == 0; });
  if (white || sigma.size() == 0) return {};
  std::vector<Eigen::VectorXd> autocovariance;
  for (const EquationRows& rows : equations) {
    Eigen::VectorXd shape = rows.autocorrelation;
    if (shape.size() == 0) shape = Eigen::VectorXd::Ones(1);
    for (int k = 0; k < rows.count(model); ++k) {
      const double of_sample = sigma[std::ssize(autocovariance)];
      autocovariance.emplace_back(of_sample * of_sample * shape);
    }
  }
  return autocovariance;
}

}  // namespace

Eigen::MatrixXd OrZero(const Eigen::Ref<const Eigen::MatrixXd>& rows) {
  return rows.unaryExpr([](double value) { return std::isnan(value) ? 0.0 : value; });
}

RegressionRows::RegressionRows(const Problem& problem, std::span<const Dataset> datasets,
                               const std::optional<ParallelFilter>& filter)
    : names_(problem.parameters.names),
      of_base_(problem.parameters.representative),
      equations_(RowsOfParameters(problem)),
      pi0_(AffineOf(problem).pi0),
      A_(AffineOf(problem).A),
      declared_sigma_(DeclaredSigmaOfRows(equations_, problem.model, false)),
      sample_sigma_(DeclaredSigmaOfRows(equations_, problem.model, true)),
      declared_autocovariance_(AutocovarianceOfRows(equations_, problem.model, sample_sigma_)),
      mask_(problem.model, equations_) {
  if (unknowns() == 0) Refuse("there are no unknowns");
  for (const EquationRows& each : equations_) {
    of_drives_.insert(of_drives_.end(), static_cast<std::size_t>(each.count(problem.model)),
                      each.of_drives());
    const std::vector<int> joints = JointsOf(each, problem.model);
    joints_.insert(joints_.end(), joints.begin(), joints.end());
  }
  const std::vector<int> used = problem.parameters.UsedPi();
  for (std::size_t k = 0; k < problem.model.configurations().size(); ++k) {
    configured_.push_back(std::make_unique<const Configured>(problem, static_cast<int>(k),
                                                             EquationsOf(equations_), used));
  }
  for (std::size_t row = 0; row < of_drives_.size(); ++row) {
    std::vector<int>& in = unknowns_in_.emplace_back();
    in.reserve(names_.size());
    for (int x = 0; x < unknowns(); ++x) {
      const bool enters = std::ranges::any_of(configured_, [&](const auto& configured) {
        const int* const begins = configured->maps[row].A.outerIndexPtr();
        return begins[x] != begins[x + 1];
      });
      if (enters) in.push_back(x);
    }
  }
  counts_ = Eigen::VectorXd::Zero(row_count());
  for (const Dataset& dataset : datasets) {
    if (dataset.role() == Role::kIdentification) AddDataset(problem, dataset, filter);
  }
  if (parts_.empty()) Refuse("there is no dataset of role identification");
  if (samples_ == 0) Refuse("there are no samples");
  mask_.CheckLeft(counts_, samples_);
}

RegressionRows::Configured::Configured(const Problem& problem, int configuration,
                                       const std::vector<PlacedEquation>& equations,
                                       const std::vector<int>& used)
    : dynamics(problem.model, problem.friction, configuration), rows(dynamics, equations, used) {
  const AffineMap& map = *problem.parameters.affine();
  for (int row = 0; row < rows.row_count(); ++row) {
    std::vector<int> columns;
    for (const int c : rows.ColumnsOf(row)) columns.push_back(used[static_cast<std::size_t>(c)]);
    const Eigen::MatrixXd A = map.A(columns, Eigen::all);
    maps.push_back({map.pi0(columns), A.sparseView()});
  }
}

StateSamples RegressionRows::Part::States(Eigen::Index first, Eigen::Index count) const {
  return {view[0].middleRows(first, count), view[1].middleRows(first, count),
          view[2].middleRows(first, count), &inputs, first};
}

void RegressionRows::AddDataset(const Problem& problem, const Dataset& dataset,
                                const std::optional<ParallelFilter>& filter) {
  const auto configuration = static_cast<std::size_t>(ConfigurationOf(problem, dataset));
  const Configured& configured = *configured_[configuration];
  Part part{&configured, AlignEquations(problem, dataset, equations_), {}, {}, {}};
  part.configuration = static_cast<int>(configuration);
  for (std::size_t k = 0; k < 3 + equations_.size(); ++k) {
    if (part.view[k].allFinite()) continue;
    const std::vector<int> read = ReadColumns(problem, equations_)[k];
    for (Eigen::Index i = 0; i < part.view.size(); ++i) {
      CheckFinite(dataset, part.view, k, i, read);
    }
  }
  part.y = MeasuredSide(part.view, equations_);
  part.inputs = InputsOf(part.view, equations_, problem.model);
  std::optional<DecimatingLowpass> lowpass;
  if (filter) {
    lowpass.emplace(*filter, part.view);
    Dynamics::Scratch scratch(configured.dynamics);
    configured.rows.Dense(part.States(), scratch, part.filtered);
    for (Eigen::MatrixXd& W : part.filtered) W = lowpass->Apply(std::move(W));
    part.y = lowpass->Apply(std::move(part.y));
    part.edge = lowpass->edge_samples();
    part.step = lowpass->step();
  }
  samples_ += part.y.rows();
  counts_.array() += static_cast<double>(part.y.rows());
  if (!mask_.empty()) LeaveOut(part);
  parts_.push_back(std::move(part));
}

void RegressionRows::CheckEnoughSamples() const {
  if (counts().sum() >= unknowns()) return;
  Refuse(fmt::format("{} samples of {} equations are fewer than {} unknowns", samples(),
                     row_count(), unknowns()));
}

void RegressionRows::LeaveOut(Part& part) {
  // A filtered sample holds something of its neighbours; whether it counts, its own velocity says.
  const Eigen::MatrixXd qd =
      part.view[1](Eigen::seqN(part.edge, part.y.rows(), part.step), Eigen::all);
  mask_.ApplyToSamples(qd, part.y);
  for (std::size_t r = 0; r < part.filtered.size(); ++r) {
    for (Eigen::Index k = 0; k < part.y.rows(); ++k) {
      if (std::isnan(part.y(k, static_cast<Eigen::Index>(r)))) part.filtered[r].row(k).setZero();
    }
  }
  counts_ -= part.y.array().isNaN().cast<double>().colwise().sum().matrix().transpose();
}

std::vector<Eigen::MatrixXd> RegressionRows::Residuals(
    const Eigen::Ref<const Eigen::VectorXd>& x) const {
  const Eigen::VectorXd pi = pi0_ + A_ * x;
  std::vector<Eigen::MatrixXd> residuals;
  for (const Part& part : parts_) {
    const Configured& configured = *part.configured;
    Dynamics::Scratch scratch(configured.dynamics);
    Eigen::MatrixXd predicted(part.y.rows(), part.y.cols());
    for (std::size_t r = 0; r < part.filtered.size(); ++r) {
      predicted.col(static_cast<Eigen::Index>(r)) =
          part.filtered[r] * (configured.maps[r].pi0 + configured.maps[r].A * x);
    }
    Eigen::Index row = 0;
    for (std::size_t k = 0; part.filtered.empty() && k < equations_.size(); ++k) {
      const PlacedEquation equation = equations_[k].placed();
      const Eigen::Index rows = RowsOf(equation, configured.dynamics.dofs());
      configured.dynamics.RightSide(equation, pi, part.States(), scratch,
                                    predicted.middleCols(row, rows));
      row += rows;
    }
    residuals.emplace_back(part.y - predicted);
  }
  return residuals;
}

void RegressionRows::VisitColumns(Eigen::Index block,
                                  const std::function<void(const RowColumns&)>& visit) const {
  std::vector<Eigen::MatrixXd> W;
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    const Part& part = parts_[p];
    const auto& [dynamics, rows, maps] = *part.configured;
    Dynamics::Scratch scratch(dynamics);
    for (Eigen::Index first = 0; first < part.y.rows(); first += block) {
      const Eigen::Index count = std::min(block, part.y.rows() - first);
      if (part.filtered.empty()) rows.Dense(part.States(first, count), scratch, W);
      for (std::size_t r = 0; r < maps.size(); ++r) {
        RowColumns columns{static_cast<Eigen::Index>(p), static_cast<Eigen::Index>(r), first, {}};
        if (part.filtered.empty()) {
          columns.A = W[r] * maps[r].A;
        } else {
          columns.A = part.filtered[r].middleRows(first, count) * maps[r].A;
        }
        for (Eigen::Index k = 0; k < count && !mask_.empty(); ++k) {
          if (std::isnan(part.y(first + k, columns.row))) columns.A.row(k).setZero();
        }
        visit(columns);
      }
    }
  }
}

SampledStates RegressionRows::StatesOf(std::size_t dataset) const {
  const Part& part = parts_[dataset];
  const auto kept = Eigen::seqN(part.edge, part.y.rows(), part.step);
  return {part.view.time_s()(kept),
          part.view[0](kept, Eigen::all),
          part.view[1](kept, Eigen::all),
          part.view[2](kept, Eigen::all),
          part.y,
          part.configuration};
}

Eigen::VectorXd RegressionRows::ResidualSquares(const Eigen::Ref<const Eigen::VectorXd>& x) const {
  Eigen::VectorXd squares = Eigen::VectorXd::Zero(row_count());
  for (Eigen::MatrixXd& part : Residuals(x)) {
    if (!mask_.empty()) part = OrZero(part);
    squares += part.colwise().squaredNorm().transpose();
  }
  return squares;
}

}  // namespace idbench
