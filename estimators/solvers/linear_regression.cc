#include "estimators/solvers/linear_regression.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "estimators/interface/aligned_equations.h"

namespace idbench {
namespace {

/// Samples that are triangularised at a time.
constexpr Eigen::Index kQrBlock = 512;

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

/// With 0 for what does not count.
Eigen::MatrixXd OrZero(const Eigen::Ref<const Eigen::MatrixXd>& rows) {
  return rows.unaryExpr([](double value) { return std::isnan(value) ? 0.0 : value; });
}

/// The upper one of two in the middle.
double Median(Eigen::VectorXd values) {
  const auto middle = values.begin() + values.size() / 2;
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

[[noreturn]] void ThrowRankDeficient(const LeastSquaresSolution& solution,
                                     const std::vector<std::string>& names, bool of_base) {
  throw EstimationFailure(Outcome::kRankDeficient,
                          fmt::format("{}; use {}a richer motion, or a method that takes a prior",
                                      DescribeUndetermined(solution, names),
                                      of_base ? "" : "the parametrisation 'base', "));
}

}  // namespace

LinearRegression::LinearRegression(const Problem& problem, std::span<const Dataset> datasets,
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
  }
  const std::vector<int> used = problem.parameters.UsedPi();
  for (std::size_t k = 0; k < problem.model.configurations().size(); ++k) {
    configured_.push_back(std::make_unique<const Configured>(problem, static_cast<int>(k),
                                                             EquationsOf(equations_), used));
  }
  counts_ = Eigen::VectorXd::Zero(row_count());
  for (const Dataset& dataset : datasets) {
    if (dataset.role() == Role::kIdentification) AddDataset(problem, dataset, filter);
  }
  if (parts_.empty()) Refuse("there is no dataset of role identification");
  if (samples_ == 0) Refuse("there are no samples");
  mask_.CheckLeft(counts_, samples_);
  SumUp();
}

void LinearRegression::CheckEnoughSamples() const {
  if (counts_.sum() >= unknowns()) return;
  Refuse(fmt::format("{} samples of {} equations are fewer than {} unknowns", samples_, row_count(),
                     unknowns()));
}

LinearRegression::Configured::Configured(const Problem& problem, int configuration,
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

StateSamples LinearRegression::Part::States(Eigen::Index first, Eigen::Index count) const {
  return {view[0].middleRows(first, count), view[1].middleRows(first, count),
          view[2].middleRows(first, count), &inputs, first};
}

void LinearRegression::AddDataset(const Problem& problem, const Dataset& dataset,
                                  const std::optional<ParallelFilter>& filter) {
  const auto configuration = static_cast<std::size_t>(ConfigurationOf(problem, dataset));
  const Configured& configured = *configured_[configuration];
  Part part{&configured, AlignEquations(problem, dataset, equations_), {}, {}, {}};
  for (std::size_t k = 0; k < 3 + equations_.size(); ++k) {
    if (part.view[k].allFinite()) continue;
    const std::vector<int> read = ReadColumns(problem, equations_)[k];
    for (Eigen::Index i = 0; i < part.view.size(); ++i) {
      CheckFinite(dataset, part.view, k, i, read);
    }
  }
  part.y = MeasuredSide(part.view, equations_);
  part.inputs = InputsOf(part.view, equations_);
  std::optional<DecimatingLowpass> lowpass;
  if (filter) {
    lowpass.emplace(*filter, part.view);
    Dynamics::Scratch scratch(configured.dynamics);
    configured.rows.Dense(part.States(), scratch, part.filtered);
    for (Eigen::MatrixXd& W : part.filtered) W = lowpass->Apply(std::move(W));
    part.y = lowpass->Apply(std::move(part.y));
  }
  samples_ += part.y.rows();
  counts_.array() += static_cast<double>(part.y.rows());
  if (!mask_.empty()) LeaveOut(lowpass ? &*lowpass : nullptr, part);
  parts_.push_back(std::move(part));
}

void LinearRegression::LeaveOut(const DecimatingLowpass* filter, Part& part) {
  // A filtered sample holds something of its neighbours; whether it counts, its own velocity says.
  const Eigen::Index first = filter != nullptr ? filter->edge_samples() : 0;
  const Eigen::Index step = filter != nullptr ? filter->step() : 1;
  const Eigen::MatrixXd qd = part.view[1](Eigen::seqN(first, part.y.rows(), step), Eigen::all);
  mask_.ApplyToSamples(qd, part.y);
  for (std::size_t r = 0; r < part.filtered.size(); ++r) {
    for (Eigen::Index k = 0; k < part.y.rows(); ++k) {
      if (std::isnan(part.y(k, static_cast<Eigen::Index>(r)))) part.filtered[r].row(k).setZero();
    }
  }
  counts_ -= part.y.array().isNaN().cast<double>().colwise().sum().matrix().transpose();
}

void LinearRegression::SumUp() {
  sums_.assign(static_cast<std::size_t>(row_count()), NormalEquations::Zero(unknowns()));
  mean_square_ = Eigen::VectorXd::Zero(row_count());
  std::vector<Eigen::MatrixXd> grams(sums_.size());  // of (W_j, y_j)
  for (const Part& part : parts_) {
    const auto& [dynamics, rows, maps] = *part.configured;
    Dynamics::Scratch scratch(dynamics);
    if (part.filtered.empty()) rows.Gram(part.States(), part.y, scratch, grams);
    for (std::size_t r = 0; r < sums_.size(); ++r) {
      const auto row = static_cast<Eigen::Index>(r);
      if (!part.filtered.empty()) {
        Eigen::MatrixXd wide(part.y.rows(), part.filtered[r].cols() + 1);
        wide << part.filtered[r], OrZero(part.y.col(row));
        grams[r] = wide.transpose() * wide;
      }
      const RowMap& map = maps[r];
      const Eigen::Index last = grams[r].cols() - 1;
      const Eigen::MatrixXd WtW = grams[r].topLeftCorner(last, last);
      Eigen::VectorXd Wty = grams[r].col(last).head(last);
      const Eigen::MatrixXd WtWA = WtW * map.A;
      sums_[r].AtA += map.A.transpose() * WtWA;
      if (!map.pi0.isZero(0.0)) Wty -= WtW * map.pi0;
      sums_[r].Aty += map.A.transpose() * Wty;
      mean_square_[row] += grams[r](last, last);
      // Of drives the known part, as gains that are known, is what would be measured.
      if (of_drives_[r]) mean_square_[row] += map.pi0.dot(WtW * map.pi0);
    }
  }
  mean_square_.array() /= counts_.array();
}

NormalEquations LinearRegression::WeightedSums(
    const Eigen::Ref<const Eigen::VectorXd>& weights) const {
  NormalEquations sums = NormalEquations::Zero(unknowns());
  for (std::size_t r = 0; r < sums_.size(); ++r) {
    const double weight = weights[static_cast<Eigen::Index>(r)];
    sums.AtA += weight * sums_[r].AtA;
    sums.Aty += weight * sums_[r].Aty;
  }
  return sums;
}

LeastSquaresSolution LinearRegression::Solve(
    const Eigen::Ref<const Eigen::VectorXd>& weights) const {
  CheckEnoughSamples();
  return SolveAbout(Eigen::VectorXd::Zero(unknowns()), weights, nullptr);
}

LeastSquaresSolution LinearRegression::SolveRidge(
    double lambda, const Eigen::Ref<const Eigen::VectorXd>& centre) const {
  CheckEnoughSamples();
  const Eigen::VectorXd ones = Eigen::VectorXd::Ones(row_count());
  const Eigen::VectorXd norms = SquaredColumnNorms(WeightedSums(ones).AtA);
  // Any positive penalty holds an unknown without effect at its centre.
  const double substitute = norms.maxCoeff();
  const Eigen::VectorXd root = norms.unaryExpr(
      [=](double norm) { return 1.0 / std::sqrt(lambda * (norm > 0.0 ? norm : substitute)); });
  return SolveWithPrior(ones, centre, root.asDiagonal());
}

LeastSquaresSolution LinearRegression::SolveWithPrior(
    const Eigen::Ref<const Eigen::VectorXd>& weights,
    const Eigen::Ref<const Eigen::VectorXd>& centre, const Eigen::MatrixXd& root) const {
  LeastSquaresSolution solution = SolveAbout(centre, weights, &root);
  solution.x = centre + root * solution.x;
  solution.inverse = root * solution.inverse * root.transpose();
  return solution;
}

LeastSquaresSolution LinearRegression::SolveAbout(const Eigen::Ref<const Eigen::VectorXd>& centre,
                                                  const Eigen::Ref<const Eigen::VectorXd>& weights,
                                                  const Eigen::MatrixXd* root) const {
  NormalEquations sums = WeightedSums(weights);
  sums.Aty -= sums.AtA * centre;
  if (root != nullptr) {
    sums.AtA = (root->transpose() * sums.AtA * *root).eval();
    sums.AtA.diagonal().array() += 1.0;
    sums.Aty = (root->transpose() * sums.Aty).eval();
  }
  std::optional<LeastSquaresSolution> solution = SolveNormalEquations(sums);
  if (!solution) solution = SolveByQr(centre, weights, root);
  if (solution->determined()) return *std::move(solution);
  if (root == nullptr) ThrowRankDeficient(*solution, names_, of_base_);
  throw EstimationFailure(
      Outcome::kRankDeficient,
      fmt::format("the prior is lost beside the data in double precision: {} of {} directions are "
                  "determined; declare greater σ, or give the prior more weight",
                  solution->rank, unknowns()));
}

LeastSquaresSolution LinearRegression::SolveByQr(const Eigen::Ref<const Eigen::VectorXd>& centre,
                                                 const Eigen::Ref<const Eigen::VectorXd>& weights,
                                                 const Eigen::MatrixXd* root) const {
  StreamingQr qr(unknowns());
  std::vector<Eigen::MatrixXd> block;
  for (const Part& part : parts_) {
    const auto& [dynamics, rows, maps] = *part.configured;
    Dynamics::Scratch scratch(dynamics);
    for (Eigen::Index first = 0; first < part.y.rows(); first += kQrBlock) {
      const Eigen::Index count = std::min(kQrBlock, part.y.rows() - first);
      if (part.filtered.empty()) rows.Dense(part.States(first, count), scratch, block);
      for (std::size_t r = 0; r < maps.size(); ++r) {
        const auto row = static_cast<Eigen::Index>(r);
        const Eigen::MatrixXd W =
            part.filtered.empty() ? block[r] : part.filtered[r].middleRows(first, count);
        const Eigen::VectorXd pi = maps[r].pi0 + maps[r].A * centre;
        const double weight = std::sqrt(weights[row]);
        Eigen::MatrixXd WA = W * maps[r].A;
        if (root != nullptr) WA *= *root;
        Eigen::VectorXd left = part.y.col(row).segment(first, count) - W * pi;
        for (Eigen::Index k = 0; k < count && !mask_.empty(); ++k) {
          if (std::isnan(left[k])) WA.row(k).setZero();
        }
        if (!mask_.empty()) left = OrZero(left);
        qr.Add(weight * WA, weight * left);
      }
    }
  }
  if (root != nullptr) {
    qr.Add(Eigen::MatrixXd::Identity(unknowns(), unknowns()), Eigen::VectorXd::Zero(unknowns()));
  }
  return qr.Solve();
}

std::vector<Eigen::MatrixXd> LinearRegression::Residuals(
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
      configured.dynamics.Predict(equation, pi, part.States(), scratch,
                                  predicted.middleCols(row, rows));
      row += rows;
    }
    residuals.emplace_back(part.y - predicted);
  }
  return residuals;
}

void LinearRegression::VisitColumns(Eigen::Index block,
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

Eigen::VectorXd LinearRegression::ResidualSquares(
    const Eigen::Ref<const Eigen::VectorXd>& x) const {
  Eigen::VectorXd squares = Eigen::VectorXd::Zero(row_count());
  for (Eigen::MatrixXd& part : Residuals(x)) {
    if (!mask_.empty()) part = OrZero(part);
    squares += part.colwise().squaredNorm().transpose();
  }
  return squares;
}

Eigen::VectorXd LinearRegression::MovedSquares(const Eigen::Ref<const Eigen::VectorXd>& squares,
                                               const LeastSquaresSolution& from,
                                               const LeastSquaresSolution& to) const {
  if (from.by_qr || to.by_qr) return ResidualSquares(to.x);
  const Eigen::VectorXd step = to.x - from.x;
  const Eigen::VectorXd doubled = to.x + from.x;
  Eigen::VectorXd moved = squares;
  for (std::size_t r = 0; r < sums_.size(); ++r) {
    // −2 δᵀ(Aᵀy − AᵀA x) + δᵀAᵀA δ = δᵀ(AᵀA (2x + δ) − 2 Aᵀy)
    moved[static_cast<Eigen::Index>(r)] += step.dot(sums_[r].AtA * doubled - 2.0 * sums_[r].Aty);
  }
  return moved;
}

Eigen::MatrixXd LinearRegression::Covariance(
    const LeastSquaresSolution& solution, const Eigen::Ref<const Eigen::VectorXd>& weights,
    const Eigen::Ref<const Eigen::VectorXd>& variance) const {
  const Eigen::VectorXd middle_weights = weights.array().square() * variance.array();
  const Eigen::MatrixXd covariance =
      solution.inverse * WeightedSums(middle_weights).AtA * solution.inverse;
  return 0.5 * (covariance + covariance.transpose());
}

void StateSolver(const LeastSquaresSolution& solution, Estimate& estimate) {
  estimate.diagnostics["condition"] = solution.condition;
  if (solution.by_qr) {
    estimate.notes["solver"] = "QR: the scaled columns have a condition above 1e6";
  }
}

void StateCovariance(const LinearRegression& regression, const LeastSquaresSolution& solution,
                     const Eigen::Ref<const Eigen::VectorXd>& weights,
                     const ResidualStatistics& residuals, Estimate& estimate) {
  StateSolver(solution, estimate);
  const Eigen::MatrixXd independent = regression.Covariance(solution, weights, residuals.variance);
  const Eigen::MatrixXd long_run = regression.Covariance(
      solution, weights, residuals.variance.cwiseProduct(residuals.long_run_ratio));
  const Eigen::VectorXd ratio = long_run.diagonal().binaryExpr(
      independent.diagonal(), [](double a, double b) { return b > 0.0 ? a / b : 1.0; });
  Eigen::Index worst = 0;
  (ratio.array() - 1.0).abs().maxCoeff(&worst);
  estimate.diagnostics["long_run_variance_ratio"] = ratio[worst];
  if (residuals.IsCorrelated(ratio[worst])) {
    estimate.notes["covariance"] = fmt::format(
        "none stated: residuals are correlated in time; the variance of {} would be {:.2g} times "
        "that of independent samples",
        regression.names()[static_cast<std::size_t>(worst)], ratio[worst]);
    return;
  }
  estimate.covariance = independent;
  const double percent_sigma = Median(*estimate.percent_sigma());
  if (std::isfinite(percent_sigma)) estimate.diagnostics["percent_sigma_median"] = percent_sigma;
}

}  // namespace idbench
