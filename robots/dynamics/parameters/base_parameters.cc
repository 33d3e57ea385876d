#include "robots/dynamics/parameters/base_parameters.h"

#include <fmt/format.h>

#include <Eigen/QR>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <compare>
#include <limits>
#include <map>
#include <numbers>
#include <random>
#include <stdexcept>

#include "robots/dynamics/parameters/regrouping.h"

namespace idbench {
namespace {

constexpr double kRequiredGap = 1e6;
/// A scaled column whose norm is below this is round-off, not signal.
constexpr double kZeroColumn = 1e-12;
/// An expression does not write factors that differ from 1 by less.
constexpr double kUnitFactor = 1e-9;

/// The stacked regressor of all rows on the states.
Eigen::MatrixXd StackedRegressor(const Dynamics& dynamics, const RowRegressor& rows,
                                 const FixedStates& states) {
  Dynamics::Scratch scratch(dynamics);
  std::vector<Eigen::MatrixXd> W;
  rows.Dense(states.samples(), scratch, W);
  const Eigen::Index count = states.q.rows();
  Eigen::MatrixXd stacked = Eigen::MatrixXd::Zero(count * rows.row_count(), rows.column_count());
  for (int r = 0; r < rows.row_count(); ++r) {
    const std::vector<int>& columns = rows.ColumnsOf(r);
    for (std::size_t c = 0; c < columns.size(); ++c) {
      stacked.col(columns[c]).segment(r * count, count) =
          W[static_cast<std::size_t>(r)].col(static_cast<Eigen::Index>(c));
    }
  }
  return stacked;
}

/// EverywhereDefined(), and those of drives, which alone hold gains.
std::vector<PlacedEquation> RowsToTellApart(const std::vector<PlacedEquation>& equations) {
  std::vector<PlacedEquation> rows = EverywhereDefined(equations);
  for (const PlacedEquation& equation : equations) {
    if (InfoOf(equation.kind).rows == RowsFrom::kDriveRows) rows.push_back(equation);
  }
  return rows;
}

/// R of W = Q·R: columns have the same lengths and angles, in as few rows as there are columns.
Eigen::MatrixXd TriangularFactor(const Eigen::MatrixXd& W) {
  const Eigen::HouseholderQR<Eigen::MatrixXd> qr(W);
  return qr.matrixQR().topRows(W.cols()).triangularView<Eigen::Upper>();
}

/// Singular value gap behind `rank` scaled columns: last kept over first dropped.
/// @throws std::domain_error if as many do not count, or the gap is too small.
double CertainGap(const Eigen::MatrixXd& scaled, Eigen::Index rank, const std::string& robot) {
  const Eigen::VectorXd values = Eigen::JacobiSVD<Eigen::MatrixXd>(scaled).singularValues();
  const Eigen::Index count = (values.array() > kLeastIndependent * values.maxCoeff()).count();
  double gap = std::numeric_limits<double>::infinity();
  if (count > 0 && count < values.size()) {
    gap = values[count - 1] / std::max(values[count], std::numeric_limits<double>::min());
  }
  if (gap >= kRequiredGap && count == rank) return gap;
  throw std::domain_error(fmt::format(
      "{}: the rank of the regressor is not certain: singular values {} and {} of {} differ by a "
      "factor of {:.1e}, at least {:.0e} is needed; are two joints almost parallel, as where a "
      "file rounds pi/2 to 1.5708?",
      robot, count, count + 1, values.size(), gap, kRequiredGap));
}

std::string Expression(const Eigen::Ref<const Eigen::RowVectorXd>& row,
                       const std::vector<std::string>& names) {
  std::string text;
  for (Eigen::Index k = 0; k < row.size(); ++k) {
    if (row[k] == 0.0) continue;
    const double size = std::abs(row[k]);
    if (!text.empty()) {
      text += row[k] < 0.0 ? " - " : " + ";
    } else if (row[k] < 0.0) {
      text += "-";
    }
    if (std::abs(size - 1.0) > kUnitFactor) text += fmt::format("{:.6g}·", size);
    text += names[static_cast<std::size_t>(k)];
  }
  return text;
}

/// Parameters whose columns are scaled alike: masses, first moments, inertias, one kind of term of
/// the joints, or one of the model's own terms.
struct ColumnKind {
  int moment = -1;      ///< 0, 1 or 2; −1 for a term.
  int joint_term = -1;  ///< Which of a joint's four; −1 for an own term.
  TermArgument argument = TermArgument::kVelocity;
  TermShape shape = TermShape::kOne;
  TermRows rows = TermRows::kJoints;

  auto operator<=>(const ColumnKind&) const = default;
};

ColumnKind KindOf(int k, const ParameterLayout& layout, const RobotModel& model) {
  const int term = k - layout.inertial_size();
  if (term < 0) {
    const int entry = k % kInertialCount;
    return {.moment = entry == 0 ? 0 : (entry <= 3 ? 1 : 2)};
  }
  const int own = term - kJointParameterCount * model.dofs();
  if (own < 0) return {.joint_term = term % kJointParameterCount};
  const Term& which = model.terms()[static_cast<std::size_t>(own)];
  return {.argument = which.argument, .shape = which.shape, .rows = which.rows};
}

/// For each column the greatest norm among those of its kind, so that units do not matter, but a
/// parameter with hardly any effect keeps a small column; 1 for a kind without any effect.
Eigen::VectorXd ColumnScales(const Eigen::MatrixXd& W, const RobotModel& model,
                             const std::vector<int>& considered) {
  const ParameterLayout layout(model);
  std::map<ColumnKind, double> greatest;
  for (std::size_t c = 0; c < considered.size(); ++c) {
    double& kind = greatest[KindOf(considered[c], layout, model)];
    kind = std::max(kind, W.col(static_cast<Eigen::Index>(c)).norm());
  }
  Eigen::VectorXd scales(W.cols());
  for (std::size_t c = 0; c < considered.size(); ++c) {
    const double kind = greatest[KindOf(considered[c], layout, model)];
    scales[static_cast<Eigen::Index>(c)] = kind > 0.0 ? kind : 1.0;
  }
  return scales;
}

/// Whether a term can be in rows of that kind and place.
bool AreOfKind(const PlacedEquation& equation, const Term& term) {
  const RowsFrom rows = InfoOf(equation.kind).rows;
  switch (term.rows) {
    case TermRows::kDrives:
      return rows == RowsFrom::kDriveRows;
    case TermRows::kCut:
      return rows == RowsFrom::kCutRows && equation.cut == term.cut;
    case TermRows::kJoints:
      break;
  }
  return rows == RowsFrom::kTorqueRows || rows == RowsFrom::kMappedRows ||
         rows == RowsFrom::kDriveRows;
}

}  // namespace

FixedStates MakeFixedStates(const RobotModel& model, Eigen::Index count, unsigned salt) {
  std::mt19937_64 generator(salt);  // the standard fixes its sequence
  const auto uniform = [&generator](double limit) {
    return limit * (std::ldexp(static_cast<double>(generator() >> 11), -52) - 1.0);
  };
  FixedStates states;
  for (Eigen::MatrixXd* matrix : {&states.q, &states.qd, &states.qdd}) {
    matrix->resize(count, model.dofs());
  }
  states.inputs.resize(count, model.input_count());
  for (Eigen::Index k = 0; k < count; ++k) {
    for (int j = 0; j < model.dofs(); ++j) {
      const bool revolute = model.link(j).type == JointType::kRevolute;
      states.q(k, j) = uniform(revolute ? std::numbers::pi : 1.0);
      states.qd(k, j) = uniform(5.0);
      states.qdd(k, j) = uniform(20.0);
    }
  }
  // Behind all states, which stay as they are for robots without drives.
  for (double& input : states.inputs.reshaped()) input = uniform(1.0);
  return states;
}

FixedStates MakeFixedStates(const RobotModel& model, Eigen::Index count, StateSet set) {
  return MakeFixedStates(model, count, static_cast<unsigned>(set));
}

bool InRows(const RobotModel& model, int body, const std::vector<PlacedEquation>& equations) {
  const auto has = [&](const PlacedEquation& equation) {
    const RowsFrom rows = InfoOf(equation.kind).rows;
    if (rows == RowsFrom::kWrenchRows) return true;
    if (body < 0) return false;
    const int carrier = model.CarrierOf(body);
    if (rows != RowsFrom::kCutRows) {
      return rows == RowsFrom::kMappedRows || equation.rows.empty() ||
             std::ranges::any_of(equation.rows, [&](int joint) {
               return carrier >= joint && carrier < joint + model.subtree_size(joint);
             });
    }
    return model.IsBeyond(body, model.cuts().at(static_cast<std::size_t>(equation.cut)));
  };
  return equations.empty() ? body >= 0 : std::ranges::any_of(equations, has);
}

bool InRows(const Term& term, const std::vector<PlacedEquation>& equations) {
  return std::ranges::any_of(equations, [&term](const PlacedEquation& equation) {
    if (!AreOfKind(equation, term)) return false;
    const bool all = equation.rows.empty() || InfoOf(equation.kind).rows == RowsFrom::kMappedRows;
    return all || std::ranges::any_of(term.shares, [&](const Term::Share& share) {
             return std::ranges::find(equation.rows, share.joint) != equation.rows.end();
           });
  });
}

std::vector<int> ConsideredParameters(const RobotModel& model,
                                      const std::vector<PlacedEquation>& equations,
                                      const std::vector<JointParameter>& joint_parameters,
                                      const std::vector<std::string>& terms) {
  const ParameterLayout layout(model);
  std::vector<int> considered;
  for (int body = -1; body < model.body_end(); ++body) {
    const bool attached = body >= model.dofs();
    const bool massless = !attached && body >= 0 && model.link(body).massless;
    if (massless || !InRows(model, body, equations)) continue;
    if (attached && model.attached()[static_cast<std::size_t>(body - model.dofs())].known) continue;
    for (int k = 0; k < kInertialCount; ++k) considered.push_back(layout.Body(body) + k);
  }
  const std::vector<Term> all = TermsOf(model);
  const bool some_rows = std::ranges::any_of(
      equations, [](const PlacedEquation& equation) { return !equation.rows.empty(); });
  for (int k = 0; k < layout.term_count(); ++k) {
    const bool of_joint = k < kJointParameterCount * model.dofs();
    const auto which = static_cast<JointParameter>(k % kJointParameterCount);
    const bool asked =
        (of_joint && std::ranges::find(joint_parameters, which) != joint_parameters.end() &&
         (!some_rows || InRows(all[static_cast<std::size_t>(k)], equations))) ||
        std::ranges::find(terms, all[static_cast<std::size_t>(k)].name) != terms.end();
    if (asked) considered.push_back(layout.inertial_size() + k);
  }
  return considered;
}

BaseParameters FindBaseParameters(const RobotModel& model,
                                  const std::vector<PlacedEquation>& equations,
                                  const std::vector<int>& considered, const FrictionShape& friction,
                                  std::vector<int> configurations) {
  if (configurations.empty()) configurations = model.IdentifiedConfigurations();
  const auto columns = static_cast<Eigen::Index>(considered.size());
  Eigen::MatrixXd W(0, columns);
  for (const int configuration : configurations) {
    const Dynamics dynamics(model, friction, configuration);
    const RowRegressor rows(dynamics, RowsToTellApart(equations), considered);
    const Eigen::Index states = 50 + 4 * columns / std::max(1, rows.row_count());
    const Eigen::MatrixXd own =
        StackedRegressor(dynamics, rows, MakeFixedStates(model, states, StateSet::kBaseParameters));
    W.conservativeResize(W.rows() + own.rows(), Eigen::NoChange);
    W.bottomRows(own.rows()) = own;
  }
  const Eigen::VectorXd scales = ColumnScales(W, model, considered);

  BaseParameters base;
  for (Eigen::Index c = 0; c < columns; ++c) {
    W.col(c) /= scales[c];
    if (W.col(c).norm() > kZeroColumn) continue;
    W.col(c).setZero();
    base.unidentifiable.push_back(considered[static_cast<std::size_t>(c)]);
  }
  W = TriangularFactor(W);
  const Regrouping regrouping = RegroupColumns(W);
  const Eigen::MatrixXd& K = regrouping.K;
  base.singular_value_gap = CertainGap(W, K.rows(), model.name());
  base.B = Eigen::MatrixXd::Zero(K.rows(), ParameterLayout(model).size());
  for (Eigen::Index i = 0; i < K.rows(); ++i) {
    const Eigen::Index own = regrouping.independent[static_cast<std::size_t>(i)];
    base.independent.push_back(considered[static_cast<std::size_t>(own)]);
    for (Eigen::Index c = 0; c < columns; ++c) {
      // Back to SI units.
      base.B(i, considered[static_cast<std::size_t>(c)]) = K(i, c) * scales[c] / scales[own];
    }
  }
  const std::vector<std::string> names = ParameterNames(model);
  for (Eigen::Index i = 0; i < K.rows(); ++i) {
    const bool regrouped = (base.B.row(i).array() != 0.0).count() > 1;
    const std::string& name =
        names[static_cast<std::size_t>(base.independent[static_cast<std::size_t>(i)])];
    base.names.push_back(regrouped ? name + "_R" : name);
    base.expressions.push_back(Expression(base.B.row(i), names));
  }
  return base;
}

}  // namespace idbench
