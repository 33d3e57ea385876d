#include "bench/run/identifiability.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <stdexcept>

#include "robots/dynamics/kinematics.h"

namespace idbench {
namespace {

constexpr Eigen::Index kStates = 40;
constexpr double kZero = 1e-9;
constexpr std::array<const char*, 3> kAxes = {"x", "y", "z"};
/// Axes of Ixx, Ixy, Iyy, Ixz, Iyz, Izz, in π's order.
constexpr std::array<std::array<int, 2>, 6> kMoments = {
    {{0, 0}, {0, 1}, {1, 1}, {0, 2}, {1, 2}, {2, 2}}};

/// Names of the terms among `asked`.
std::vector<std::string> TermsAmong(const RobotModel& model, const std::vector<int>& asked) {
  const std::vector<Term> terms = TermsOf(model);
  const int first = ParameterLayout(model).inertial_size();
  std::vector<std::string> names;
  for (const int index : asked) {
    if (index >= first) names.push_back(terms[static_cast<std::size_t>(index - first)].name);
  }
  return names;
}

/// Rows of B that hold parameter `index`.
std::vector<int> HoldersOf(const BaseParameters& base, int index) {
  std::vector<int> holders;
  for (int i = 0; i < base.size(); ++i) {
    if (base.B(i, index) != 0.0) holders.push_back(i);
  }
  return holders;
}

Identifiable HowIdentifiable(const BaseParameters& base, const std::vector<int>& holders) {
  if (holders.empty()) return Identifiable::kNo;
  const bool alone = holders.size() == 1 && (base.B.row(holders[0]).array() != 0.0).count() == 1;
  return alone ? Identifiable::kAlone : Identifiable::kCombination;
}

}  // namespace

Identifiability::Identifiability(const Problem& problem, const std::vector<int>& asked)
    : model_(problem.model),
      friction_(problem.friction),
      equations_(EverywhereDefined(problem.equations())),
      has_wrench_(HaveRowsFrom(equations_, RowsFrom::kWrenchRows)),
      names_(ParameterNames(model_)),
      units_(ParameterUnits(model_)),
      base_(FindBaseParameters(model_, problem.equations(), asked, friction_)) {
  const ParameterLayout layout(model_);
  if (!has_wrench_) {
    std::vector<PlacedEquation> both = equations_;
    both.emplace_back(Equation::kTorque);
    both.emplace_back(Equation::kWrench);
    both = EverywhereDefined(both);
    try {
      wrench_base_ = FindBaseParameters(
          model_, both, ConsideredParameters(model_, both, {}, TermsAmong(model_, asked)),
          friction_);
    } catch (const std::domain_error&) {
      // Then nothing is said of such a sensor.
    }
  }
  for (int body = -1; body < model_.body_end(); ++body) {
    if (!IsUnknown(body)) continue;
    const BodyMotion motion = MotionOf(body);
    for (int k = 0; k < kInertialCount; ++k) AddVerdict(layout.Body(body) + k, motion);
  }
  for (const int index : asked) {
    if (index >= layout.inertial_size()) AddVerdict(index, {});
  }
}

bool Identifiability::IsUnknown(int body) const {
  if (body < 0) return true;
  if (body < model_.dofs()) return !model_.link(body).massless;
  return !model_.attached()[static_cast<std::size_t>(body - model_.dofs())].known;
}

std::pair<Eigen::Matrix3d, Eigen::Vector3d> Identifiability::PlaceOnLink(int body) const {
  if (body < model_.dofs()) return {Eigen::Matrix3d::Identity(), Eigen::Vector3d::Zero()};
  const AttachedBody& attached = model_.attached()[static_cast<std::size_t>(body - model_.dofs())];
  return {attached.R_LA, attached.p_LA_L};
}

Identifiability::BodyMotion Identifiability::MotionOf(int body) const {
  BodyMotion motion;
  if (body < 0) return motion;
  const FixedStates states = MakeFixedStates(model_, kStates, StateSet::kIdentifiability);
  const int link = model_.CarrierOf(body);
  const auto [R_LA, p_LA_L] = PlaceOnLink(body);
  Eigen::Matrix3Xd gravity(3, kStates);
  for (Eigen::Index k = 0; k < kStates; ++k) {
    const Eigen::VectorXd q = states.q.row(k).transpose();
    const Eigen::Matrix3d R_AB =
        (ForwardKinematics(model_, q)[static_cast<std::size_t>(link)].R_BL * R_LA).transpose();
    const Eigen::MatrixXd J = PointJacobian(model_, q, link, p_LA_L);
    const Eigen::VectorXd twist = J * states.qd.row(k).transpose();
    const Eigen::Vector3d v = R_AB * twist.head<3>();
    const Eigen::Vector3d w = R_AB * twist.tail<3>();
    const Eigen::Vector3d moment = v.cross(w);
    gravity.col(k) = R_AB * model_.gravity();
    motion.moves |= v.norm() > kZero;
    for (int axis = 0; axis < 3; ++axis) {
      motion.turns[axis] |= std::abs(w[axis]) > kZero;
      motion.shows_com[axis] |=
          std::abs(moment[axis]) > kZero || std::abs(gravity(axis, k) - gravity(axis, 0)) > kZero;
    }
  }
  return motion;
}

std::string Identifiability::WhyNoEffect(int index, const BodyMotion& motion) const {
  const ParameterLayout layout(model_);
  const int body = index / kInertialCount - 1;
  if (index >= layout.inertial_size()) return "nothing in the equations depends on it";
  if (body < 0) return fmt::format("{} stands still", model_.base_name());
  const std::string& link = model_.BodyName(body);
  if (!InRows(model_, body, equations_)) {
    if (HaveRowsFrom(equations_, RowsFrom::kTorqueRows)) {
      return fmt::format("{} is in none of the rows that count", link);
    }
    return fmt::format("{} does not lie beyond a force/torque sensor of the equations", link);
  }
  const int entry = index % kInertialCount;
  if (entry == 0 && !motion.moves) {
    return fmt::format("the origin of {}'s frame stays where it is", link);
  }
  if (entry >= 1 && entry <= 3 && !motion.shows_com[entry - 1]) {
    const char* axis = kAxes[static_cast<std::size_t>(entry - 1)];
    return motion.moves
               ? fmt::format(
                     "neither speed nor height of {} depends on its centre of mass along the "
                     "{} axis of its frame",
                     link, axis)
               : fmt::format(
                     "the origin of {}'s frame stays where it is, and gravity is the same "
                     "along its {} axis in every posture",
                     link, axis);
  }
  if (entry >= 4) {
    const auto& [one, other] = kMoments[static_cast<std::size_t>(entry - 4)];
    for (const int axis : {one, other}) {
      if (motion.turns[axis]) continue;
      return fmt::format("{} never turns about the {} axis of its frame", link,
                         kAxes[static_cast<std::size_t>(axis)]);
    }
  }
  return "what it does cancels in every motion";
}

std::string Identifiability::WithWrench(int index) const {
  if (!wrench_base_) return "";
  const std::vector<int> holders = HoldersOf(*wrench_base_, index);
  switch (HowIdentifiable(*wrench_base_, holders)) {
    case Identifiable::kAlone:
      return "; a base force/moment sensor would show it alone";
    case Identifiable::kCombination:
      return HoldersOf(base_, index).empty()
                 ? fmt::format("; a base force/moment sensor would show it as part of {}",
                               wrench_base_->names[static_cast<std::size_t>(holders.front())])
                 : "";
    case Identifiable::kNo:
      break;
  }
  return "; a base force/moment sensor would not show it either";
}

std::string Identifiability::WithWhat(int index, const std::vector<int>& in) const {
  std::set<int> others;
  for (const int i : in) {
    for (Eigen::Index k = 0; k < base_.B.cols(); ++k) {
      if (base_.B(i, k) != 0.0 && k != index) others.insert(static_cast<int>(k));
    }
  }
  std::vector<std::string> names;
  for (const int k : others) names.push_back(names_[static_cast<std::size_t>(k)]);
  return "in every motion it acts together with " + ListSome(names);
}

void Identifiability::AddVerdict(int index, const BodyMotion& motion) {
  ParameterVerdict verdict;
  verdict.index = index;
  verdict.name = names_[static_cast<std::size_t>(index)];
  verdict.unit = units_[static_cast<std::size_t>(index)];
  verdict.in = HoldersOf(base_, index);
  verdict.kind = HowIdentifiable(base_, verdict.in);
  if (verdict.kind == Identifiable::kNo) {
    verdict.why = WhyNoEffect(index, motion) + WithWrench(index);
  } else if (verdict.kind == Identifiable::kCombination) {
    verdict.why = WithWhat(index, verdict.in) + WithWrench(index);
  }
  verdicts_.push_back(std::move(verdict));
}

Eigen::MatrixXd Identifiability::Column(int index, const FixedStates& states) const {
  Eigen::MatrixXd column(states.q.rows(), 0);
  for (const int configuration : model_.IdentifiedConfigurations()) {
    const Dynamics dynamics(model_, friction_, configuration);
    const RowRegressor rows(dynamics, equations_, {index});
    Dynamics::Scratch scratch(dynamics);
    std::vector<Eigen::MatrixXd> W;
    rows.Dense(states.samples(), scratch, W);
    const Eigen::Index first = column.cols();
    column.conservativeResize(Eigen::NoChange, first + rows.row_count());
    column.rightCols(rows.row_count()).setZero();
    for (int r = 0; r < rows.row_count(); ++r) {
      const Eigen::MatrixXd& own = W[static_cast<std::size_t>(r)];
      if (own.cols() == 1) column.col(first + r) = own;
    }
  }
  return column;
}

BetterMotion Identifiability::BestShownBy(int i) const {
  const int index = base_.independent[static_cast<std::size_t>(i)];
  const FixedStates rich = MakeFixedStates(model_, kStates, StateSet::kIdentifiability);
  FixedStates rest = rich;
  rest.qd.setZero();
  rest.qdd.setZero();
  const Eigen::MatrixXd at_rest = Column(index, rest);
  double most = at_rest.norm();
  BetterMotion best{"at rest", "hold more different postures"};
  for (int j = 0; j < model_.dofs(); ++j) {
    FixedStates fast = rest, pushed = rest;
    fast.qd.col(j) = rich.qd.col(j);
    pushed.qdd.col(j) = rich.qdd.col(j);
    const std::string& joint = model_.link(j).joint;
    const double by_speed = (Column(index, fast) - at_rest).norm();
    const double by_acceleration = (Column(index, pushed) - at_rest).norm();
    if (by_speed > most) {
      most = by_speed;
      best = {fmt::format("by {}'s speed", joint), fmt::format("move {} faster", joint)};
    }
    if (by_acceleration > most) {
      most = by_acceleration;
      best = {fmt::format("by {}'s acceleration", joint), fmt::format("accelerate {} more", joint)};
    }
  }
  return best;
}

}  // namespace idbench
