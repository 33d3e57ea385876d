#include "estimators/interface/problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <iterator>
#include <set>

#include "robots/dynamics/calibration.h"
#include "robots/dynamics/parameters/base_parameters.h"
#include "scenarios/options/config_error.h"

namespace idbench {

std::vector<PlacedEquation> EquationsOf(const std::vector<EquationRows>& rows) {
  std::vector<PlacedEquation> equations;
  for (const EquationRows& each : rows) equations.push_back(each.placed());
  return equations;
}

std::vector<int> EquationRows::ReadColumns(const RobotModel& model) const {
  if (equation == Equation::kCut && first_input(model) >= 0) {
    return ChosenRows({equation, cut}, model.dofs());
  }
  std::vector<int> read = ChosenRows(placed(), model.dofs());
  if (!of_drives() || chosen.empty()) return read;
  read.clear();
  const Eigen::MatrixXd& B = model.actuation().B;
  for (int motor = 0; motor < B.cols(); ++motor) {
    if (!(B(chosen, motor).array() == 0.0).all()) read.push_back(motor);
  }
  return read;
}

int EquationRows::first_input(const RobotModel& model) const {
  if (of_drives()) return 0;
  const bool calibrated = equation == Equation::kCut && HasCalibration(model, cut);
  return calibrated ? model.WrenchInput(cut) : -1;
}

std::vector<EquationRows> Problem::rows_in_order() const {
  std::vector<EquationRows> ordered;
  for (const EquationRows& each : rows) {
    const bool there = std::ranges::any_of(ordered, [&each](const EquationRows& other) {
      return other.equation == each.equation && other.measured() == each.measured() &&
             other.place() == each.place() && other.chosen == each.chosen;
    });
    if (there) continue;
    const auto behind = std::ranges::upper_bound(ordered, each.placed(), {}, &EquationRows::placed);
    ordered.insert(behind, each);
  }
  return ordered;
}

std::vector<PlacedEquation> Problem::equations() const { return EquationsOf(rows); }

std::vector<std::string_view> Problem::measured_channels() const {
  std::vector<std::string_view> channels;
  for (const EquationRows& row : rows) {
    channels.push_back(row.measured());
  }
  return channels;
}

int Problem::row_count() const {
  int count = 0;
  for (const EquationRows& row : rows) count += row.count(model);
  return count;
}

int Problem::input_count() const {
  const bool any = std::ranges::any_of(
      rows, [this](const EquationRows& row) { return row.first_input(model) >= 0; });
  return any ? model.input_count() : 0;
}

namespace {

void AddUnknowns(const Problem& problem, Supplies& supplies) {
  using enum Capability;
  const Parametrisation& parameters = problem.parameters;
  if (parameters.lagrangian() != nullptr) {  // β takes the place of π, and all is linear in it
    const bool whole = std::ranges::all_of(
        problem.rows, [](const EquationRows& rows) { return rows.chosen.empty(); });
    supplies.AddIf(whole, kLagrangian)
        .Lacks(kLagrangian, {.needed = "takes all rows of the equations of motion; the problem has "
                                       "some of them alone"})
        .Add({kAffine})
        .Lacks(kStandardUnknowns,
               {.needed = fmt::format("takes standard parameters for its unknowns; those of '{}' "
                                      "are others",
                                      parameters.type())});
    return;
  }
  supplies.Add({kStandardUnknowns})
      .Lacks(kLagrangian, {.needed = fmt::format("takes the parametrisation 'planar_lagrangian' "
                                                 "alone, of a robot of straight links in a "
                                                 "vertical plane; got '{}'",
                                                 parameters.type())});
  if (parameters.affine() != nullptr) {
    supplies.Add({kAffine});
  } else {
    supplies.Lacks(
        kAffine, {.needed = fmt::format("needs a parametrisation that is affine in x; '{}' is not",
                                        parameters.type())});
  }
}

/// Names of gains in `rows` that are neither known nor in the prior: no σ goes through them.
std::vector<std::string> UnknownGains(const Problem& problem, const EquationRows& rows) {
  std::vector<std::string> names;
  const Parametrisation& parameters = problem.parameters;
  if (!rows.of_drives() || parameters.affine() == nullptr) return names;
  const Eigen::VectorXd pi = parameters.Pi(
      parameters.prior ? parameters.prior->mean : Eigen::VectorXd::Zero(parameters.size()));
  const std::vector<Term>& terms = problem.model.terms();
  for (std::size_t k = 0; k < terms.size(); ++k) {
    const Eigen::Index at = pi.size() - std::ssize(terms) + static_cast<Eigen::Index>(k);
    if (terms[k].rows != TermRows::kDrives || pi[at] != 0.0) continue;
    if (InRows(terms[k], {rows.placed()})) names.push_back(terms[k].name);
  }
  return names;
}

void AddSigma(const Problem& problem, Supplies& supplies) {
  bool all = true;
  for (const EquationRows& rows : problem.rows) {
    const bool declared = rows.sigma.size() == rows.count(problem.model);
    if (declared && (rows.sigma.array() > 0.0).all()) continue;
    all = false;
    if (const std::vector<std::string> gains = UnknownGains(problem, rows); !gains.empty()) {
      supplies.Lacks(
          Capability::kRowSigma,
          {.needed = fmt::format("needs σ of the torques of {}, which goes through gains; "
                                 "these are not known: {}",
                                 rows.measured(), ListSome(gains)),
           .cure = "declare them, or a prior of them, in /problem/prior/terms"});
      continue;
    }
    supplies.Lacks(Capability::kRowSigma,
                   {.needed = fmt::format("needs a positive declared σ of {}{}", rows.measured(),
                                          declared ? "; that of a row is 0" : "")});
  }
  if (all) supplies.Add({Capability::kRowSigma});
}

void AddBounds(const Parametrisation& parameters, Supplies& supplies) {
  for (Eigen::Index k = 0; k < parameters.size(); ++k) {
    if (std::isfinite(parameters.lower[k]) && std::isfinite(parameters.upper[k])) continue;
    supplies.Lacks(Capability::kTwoBounds,
                   {.needed = fmt::format("needs bounds on both sides of every unknown, {} among "
                                          "them",
                                          parameters.names[static_cast<std::size_t>(k)]),
                    .cure = "see lower_prior_factor, first_moment_reach_m and bounds of "
                            "/problem/parametrisation"});
    return;
  }
  supplies.Add({Capability::kTwoBounds});
}

/// Whether directions of x move parameters of single bodies, at the prior mean.
bool MovesBodies(const Problem& problem, const Eigen::MatrixXd& directions) {
  if (problem.parameters.lagrangian() != nullptr || problem.parameters.representative) return false;
  const Eigen::MatrixXd J = problem.parameters.Jacobian(problem.parameters.prior->mean);
  const Eigen::Index inertial = ParameterLayout(problem.model).inertial_size();
  return J.rows() >= inertial && !(J.topRows(inertial) * directions).isZero(0.0);
}

}  // namespace

std::vector<Eigen::Index> UnknownOffsets(const Problem& problem) {
  assert(problem.parameters.affine() != nullptr);
  const Eigen::MatrixXd& A = problem.parameters.affine()->A;
  const ParameterLayout layout(problem.model);
  std::vector<Eigen::Index> of_pi;
  for (int joint = 0; joint < layout.dofs(); ++joint) {
    of_pi.push_back(layout.Joint(joint, JointParameter::kOffset));
  }
  const std::vector<Term>& own = problem.model.terms();
  for (std::size_t k = 0; k < own.size(); ++k) {
    if (own[k].shape != TermShape::kOne) continue;
    of_pi.push_back(layout.size() - std::ssize(own) + static_cast<Eigen::Index>(k));
  }
  std::vector<Eigen::Index> offsets;
  for (Eigen::Index x = 0; x < A.cols(); ++x) {
    const auto of_offsets = (A(of_pi, x).array() != 0.0).count();
    if (of_offsets == 0) continue;
    if ((A.col(x).array() != 0.0).count() == of_offsets) offsets.push_back(x);
  }
  return offsets;
}

std::vector<int> UnknownCalibrations(const Problem& problem) {
  assert(problem.parameters.affine() != nullptr);
  const Eigen::MatrixXd& A = problem.parameters.affine()->A;
  const std::vector<Term>& own = problem.model.terms();
  std::set<int> cuts;
  for (std::size_t k = 0; k < own.size(); ++k) {
    const Eigen::Index at = A.rows() - std::ssize(own) + static_cast<Eigen::Index>(k);
    if (IsCalibration(own[k]) && !A.row(at).isZero(0.0)) cuts.insert(own[k].cut);
  }
  return {cuts.begin(), cuts.end()};
}

Supplies SuppliedBy(const Problem& problem) {
  using enum Capability;
  Supplies supplies;
  AddUnknowns(problem, supplies);
  const auto& prior = problem.parameters.prior;
  supplies.AddIf(prior.has_value(), kPrior);
  const bool all = !prior || prior->unknown.size() == 0;
  supplies.AddIf(all, kSigmaOfAll)
      .AddIf(all || !MovesBodies(problem, prior->unknown), kSigmaOfBodies);
  if (prior) {
    supplies.AddIf(prior->covariance.has_value(), kPriorCovariance);
  } else {
    supplies.Lacks(kPriorCovariance, supplies.Unmet({kPrior}).front());
  }
  supplies.AddIf(
      std::ranges::any_of(problem.rows, [](const EquationRows& rows) { return rows.of_drives(); }),
      kDriveRows);
  if (const AffineMap* map = problem.parameters.affine(); map != nullptr) {
    const std::vector<Term>& own = problem.model.terms();
    const Eigen::Index first = map->A.rows() - std::ssize(own);
    for (std::size_t k = 0; k < own.size(); ++k) {
      if (own[k].rows != TermRows::kDrives) continue;
      const Eigen::Index at = first + static_cast<Eigen::Index>(k);
      supplies.AddIf(!map->A.row(at).isZero(0.0), kUnknownGains);
    }
    supplies.AddIf(!UnknownOffsets(problem).empty(), kUnknownOffsets)
        .AddIf(supplies.Has(kDriveRows) || !UnknownCalibrations(problem).empty(), kMeasuredColumns);
  }
  supplies.AddIf(std::ranges::none_of(problem.model.configurations(),
                                      [](const Configuration& each) {
                                        return each.identified && each.touched >= 0;
                                      }),
                 kUntouched);
  AddSigma(problem, supplies);
  AddBounds(problem.parameters, supplies);
  return supplies;
}

}  // namespace idbench
