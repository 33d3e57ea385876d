#include "bench/run/friction_curves.h"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "bench/run/six_digits.h"
#include "robots/dynamics/parameters.h"
#include "robots/recording/channels.h"

namespace idbench {
namespace {

constexpr int kSpreadVelocities = 55;
/// Velocities on either side of 0, in widths of the Coulomb shape.
constexpr double kWidths[] = {0.25, 0.5, 1.0, 1.5, 2.0, 3.0};
/// Of the covered velocities: the distance from 0 of the two sides of a step.
constexpr double kStepPart = 1e-6;
/// Of a row's norm: what rounding leaves of a row that others combine to.
constexpr double kRowRounding = 1e-8;

double FactorOf(const Term& term, int joint) {
  for (const Term::Share& share : term.shares) {
    if (share.joint == joint) return share.factor;
  }
  return 0.0;
}

/// Covered velocities, evenly, and those between which friction changes fast.
Eigen::VectorXd Velocities(double lower, double upper, const std::vector<double>& widths) {
  std::vector<double> v;
  for (int k = 0; k < kSpreadVelocities; ++k) {
    v.push_back(lower + (upper - lower) * k / (kSpreadVelocities - 1));
  }
  const auto add = [&](double velocity) {
    if (velocity > lower && velocity < upper) v.push_back(velocity);
  };
  add(0.0);
  for (const double width : widths) {
    if (width > 0.0) {
      for (const double part : kWidths) {
        add(-part * width);
        add(part * width);
      }
    } else {
      add(-kStepPart * (upper - lower));
      add(kStepPart * (upper - lower));
    }
  }
  std::ranges::sort(v);
  const auto repeated = std::ranges::unique(v);
  v.erase(repeated.begin(), repeated.end());
  return Eigen::Map<const Eigen::VectorXd>(v.data(), static_cast<Eigen::Index>(v.size()));
}

/// True if each of `rows` is, but for rounding, a combination of the rows of `others`.
bool Combines(const Eigen::MatrixXd& others, const Eigen::MatrixXd& rows) {
  const Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> qr(others.transpose());
  const Eigen::MatrixXd left = rows.transpose() - others.transpose() * qr.solve(rows.transpose());
  return left.norm() <= kRowRounding * rows.norm();
}

/// x of each unit of π: base parameters are linear in π.
Eigen::MatrixXd ToBase(const Parametrisation& parameters) {
  const Eigen::VectorXd& pi0 = parameters.affine()->pi0;
  Eigen::MatrixXd to_x(parameters.size(), pi0.size());
  for (Eigen::Index k = 0; k < pi0.size(); ++k) {
    to_x.col(k) = parameters.FromPi(pi0 + Eigen::VectorXd::Unit(pi0.size(), k));
  }
  return to_x;
}

}  // namespace

FrictionCurves::FrictionCurves(const Problem& problem, const std::vector<Dataset>& datasets)
    : problem_(problem),
      terms_(TermsOf(problem.model)),
      first_(ParameterLayout(problem.model).inertial_size()) {
  const Parametrisation& parameters = problem.parameters;
  if (parameters.lagrangian() != nullptr) return;
  if (parameters.representative && parameters.affine() != nullptr) to_base_ = ToBase(parameters);
  const int dofs = problem.model.dofs();
  Eigen::VectorXd lower = Eigen::VectorXd::Constant(dofs, std::numeric_limits<double>::infinity());
  Eigen::VectorXd upper = -lower;
  const Dataset* first = nullptr;
  for (const Dataset& dataset : datasets) {
    const Channel* const channel = dataset.Find(kJointVelocity);
    if (dataset.role() != Role::kIdentification || channel == nullptr) continue;
    if (channel->samples.rows() == 0 || channel->samples.cols() != dofs) continue;
    if (first == nullptr) first = &dataset;
    lower = lower.cwiseMin(channel->samples.colwise().minCoeff().transpose());
    upper = upper.cwiseMax(channel->samples.colwise().maxCoeff().transpose());
  }
  if (first == nullptr) return;
  const int configuration = problem.model.ConfigurationIndex(first->configuration());
  for (int joint = 0; joint < dofs; ++joint) {
    if (!(lower[joint] < upper[joint])) continue;
    if (auto curve = CurveOf(joint, lower[joint], upper[joint], configuration)) {
      curves_.push_back(std::move(*curve));
    }
  }
}

std::optional<FrictionCurves::Curve> FrictionCurves::CurveOf(int joint, double lower, double upper,
                                                             int configuration) const {
  const std::vector<int> absent = problem_.model.AbsentTerms(configuration);
  const std::vector<int> used = problem_.parameters.UsedPi();
  Curve curve{joint, {}, lower, upper, {}, {}};
  std::vector<double> widths;
  for (std::size_t k = 0; k < terms_.size(); ++k) {
    const Term& term = terms_[k];
    const int index = static_cast<int>(first_) + static_cast<int>(k);
    const bool counts = to_base_.size() > 0 ? !to_base_.col(index).isZero()
                                            : std::ranges::binary_search(used, index);
    const double factor = FactorOf(term, joint);
    if (!counts || factor == 0.0 || term.rows != TermRows::kJoints ||
        term.argument != TermArgument::kVelocity ||
        std::ranges::binary_search(absent, static_cast<int>(k))) {
      continue;
    }
    curve.pi.push_back(index);
    widths.push_back(term.WidthOf(problem_.friction) / std::abs(factor));
  }
  if (widths.empty()) return std::nullopt;
  const auto [least, most] = std::ranges::minmax(widths);
  curve.velocity = Velocities(lower, upper, {least, most});
  FillColumns(curve);
  const auto shape = [&](int index) {
    return terms_[static_cast<std::size_t>(index - first_)].shape;
  };
  if (!Determined(curve)) {
    std::erase_if(curve.pi, [&](int index) { return shape(index) == TermShape::kOne; });
    FillColumns(curve);
  }
  const bool moves =
      std::ranges::any_of(curve.pi, [&](int index) { return shape(index) != TermShape::kOne; });
  if (!moves || !Determined(curve)) return std::nullopt;
  return curve;
}

void FrictionCurves::FillColumns(Curve& curve) const {
  curve.columns.resize(curve.velocity.size(), static_cast<Eigen::Index>(curve.pi.size()));
  for (Eigen::Index t = 0; t < curve.columns.cols(); ++t) {
    const Term& term =
        terms_[static_cast<std::size_t>(curve.pi[static_cast<std::size_t>(t)] - first_)];
    const double factor = FactorOf(term, curve.joint);
    for (Eigen::Index k = 0; k < curve.velocity.size(); ++k) {
      curve.columns(k, t) = factor * term.Shape(factor * curve.velocity[k], problem_.friction);
    }
  }
}

bool FrictionCurves::Determined(const Curve& curve) const {
  if (to_base_.size() == 0) return true;
  Eigen::MatrixXd rows = Eigen::MatrixXd::Zero(curve.columns.rows(), to_base_.cols());
  for (std::size_t t = 0; t < curve.pi.size(); ++t) {
    rows.col(curve.pi[t]) = curve.columns.col(static_cast<Eigen::Index>(t));
  }
  return Combines(to_base_, rows);
}

std::vector<Json> FrictionCurves::Of(const Estimate& estimate,
                                     const Eigen::VectorXd* true_pi) const {
  std::vector<Json> lines;
  if (curves_.empty()) return lines;
  const Eigen::MatrixXd J = problem_.parameters.Jacobian(estimate.x);
  for (const Curve& curve : curves_) {
    const Eigen::MatrixXd L = curve.columns * J(curve.pi, Eigen::all);
    if (L.isZero(0.0)) continue;
    if (estimate.combinations && !Combines(estimate.combinations->B, L)) continue;
    const Link& link = problem_.model.link(curve.joint);
    const bool slides = link.type == JointType::kPrismatic;
    Json line = {
        {"joint", link.joint},
        {"terms", Json::array()},
        {"units", {{"velocity", slides ? "m/s" : "rad/s"}, {"torque", slides ? "N" : "N·m"}}},
        {"covered", SixDigits(Eigen::Vector2d(curve.lower, curve.upper))},
        {"velocity", SixDigits(curve.velocity)},
        {"torque", SixDigits(curve.columns * estimate.pi(curve.pi))}};
    for (const int index : curve.pi) {
      line["terms"].push_back(terms_[static_cast<std::size_t>(index - first_)].name);
    }
    if (const std::optional<Eigen::MatrixXd> P = estimate.CovarianceOf(L)) {
      line["sigma"] = SixDigits(P->diagonal().cwiseMax(0.0).cwiseSqrt());
    }
    if (true_pi != nullptr) line["true"] = SixDigits(curve.columns * (*true_pi)(curve.pi));
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace idbench
