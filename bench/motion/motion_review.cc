#include "bench/motion/motion_review.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

#include "bench/motion/design_sentences.h"
#include "robots/dynamics/kinematics.h"
#include "robots/plant/plant_error.h"
#include "robots/recording/channels.h"
#include "scenarios/motion/excitation/exciting_motion.h"
#include "scenarios/motion/excitation/motion_bound.h"
#include "scenarios/options/config_error.h"

namespace idbench {
namespace {

constexpr double kRoundOff = 1e-9;
/// States from which the search for a bound begins, at most.
constexpr Eigen::Index kBoundStates = 300;
constexpr std::uint64_t kBoundSeed = 1;
/// From this part of a limit on, a motion is at it.
constexpr double kAtLimit = 0.99;
constexpr double kLimitTolerance = 1e-6;

Eigen::VectorXd InstantsOf(const Motion& motion, double rate_hz) {
  const auto steps =
      static_cast<Eigen::Index>(std::ceil(motion.duration_s() * rate_hz - kRoundOff));
  Eigen::VectorXd time_s(steps + 1);
  for (Eigen::Index k = 0; k <= steps; ++k) {
    time_s[k] = std::min(static_cast<double>(k) / rate_hz, motion.duration_s());
  }
  return time_s;
}

/// Greatest |value|/limit of a column; nothing without a limit.
std::optional<double> Used(const Eigen::MatrixXd& values, Eigen::Index joint, double limit) {
  if (!std::isfinite(limit)) return std::nullopt;
  return values.col(joint).lpNorm<Eigen::Infinity>() / limit;
}

void LookAtPlaces(const RobotModel& model, MotionReview& review) {
  const CollisionModel& collision = model.collision();
  std::vector<Pose> poses(model.links().size());
  std::vector<Eigen::Vector3d> centres(collision.spheres.size());
  const auto keep = [](std::optional<NearestPlace>& least, double distance_m, const auto& name) {
    if (least && least->distance_m <= distance_m) return;
    least = NearestPlace{name(), distance_m};
  };
  const auto sphere = [&](int s) -> const CollisionSphere& {
    return collision.spheres[static_cast<std::size_t>(s)];
  };
  for (Eigen::Index k = 0; k < review.q.rows(); ++k) {
    ForwardKinematics(model, review.q.row(k).transpose(), poses);
    for (std::size_t s = 0; s < centres.size(); ++s) {
      const CollisionSphere& each = collision.spheres[s];
      centres[s] = PoseOf({each.link, Eigen::Matrix3d::Identity(), each.p_LC_L}, poses).p_BL_B;
    }
    const auto at = [&](int s) -> const Eigen::Vector3d& {
      return centres[static_cast<std::size_t>(s)];
    };
    for (const std::pair<int, int>& pair : collision.pairs) {
      const CollisionSphere& one = sphere(pair.first);
      const CollisionSphere& other = sphere(pair.second);
      const double apart = (at(pair.first) - at(pair.second)).norm();
      keep(review.nearest, apart - one.radius_m - other.radius_m, [&] {
        return fmt::format("{} and {} at {:.2f} s", one.name, other.name, review.time_s[k]);
      });
    }
    for (const int s : collision.above_floor) {
      keep(review.lowest, at(s).z(),
           [&] { return fmt::format("{} at {:.2f} s", sphere(s).name, review.time_s[k]); });
    }
  }
}

/// Amounts with units, and how much of the robot's limits they are.
UsedLimits UsedBy(const MotionReview& review, const RobotModel& model, int joint) {
  const JointLimits& limits = model.limits();
  const bool slides = model.link(joint).type == JointType::kPrismatic;
  const auto text = [&](const Eigen::MatrixXd& values, std::string_view channel) {
    return fmt::format("{:.3g} {}", values.col(joint).lpNorm<Eigen::Infinity>(),
                       ChannelNamed(channel).units[slides ? 1 : 0]);
  };
  UsedLimits used;
  used.joint = model.link(joint).joint;
  if (std::isfinite(limits.lower[joint]) && std::isfinite(limits.upper[joint])) {
    const double middle = 0.5 * (limits.lower[joint] + limits.upper[joint]);
    used.position = (review.q.col(joint).array() - middle).abs().maxCoeff() /
                    (0.5 * (limits.upper[joint] - limits.lower[joint]));
  }
  used.velocity = Used(review.qd, joint, limits.velocity[joint]);
  used.acceleration = Used(review.qdd, joint, limits.acceleration[joint]);
  used.torque = Used(review.tau, joint, limits.effort[joint]);
  used.position_text = fmt::format("{:.3g} … {:.3g} {}", review.q.col(joint).minCoeff(),
                                   review.q.col(joint).maxCoeff(),
                                   ChannelNamed(kJointPosition).units[slides ? 1 : 0]);
  used.velocity_text = text(review.qd, kJointVelocity);
  used.acceleration_text = text(review.qdd, kJointAcceleration);
  used.torque_text = text(review.tau, kJointTorque);
  return used;
}

using Cells = std::array<std::string, 5>;

/// "1.2 rad/s  60 %", "1.2 rad/s     –"
std::string LimitCell(const std::string& amount, const std::optional<double>& part) {
  return fmt::format("{} {:>5}", amount, part ? fmt::format("{:.0f} %", 100.0 * *part) : "–");
}

/// Lines of a table, columns after the first aligned right.
std::string Aligned(const std::vector<Cells>& rows) {
  std::array<std::size_t, 5> widths{};
  const auto columns = [](const std::string& text) {
    return static_cast<std::size_t>(std::ranges::count_if(
        text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
  };
  for (const Cells& row : rows) {
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], columns(row[c]));
  }
  std::string text;
  for (const Cells& row : rows) {
    text += fmt::format("  {:<{}}", row[0], widths[0]);
    for (std::size_t c = 1; c < row.size(); ++c) text += fmt::format("  {:>{}}", row[c], widths[c]);
    text += '\n';
  }
  return text;
}

/// "velocity of joint1, joint2; torque of joint3" where `holds` of the used part; "" of none.
template <class Holds>
std::string LimitsWhere(const MotionReview& review, const Holds& holds) {
  std::string text;
  for (const auto& [name, member] :
       {std::pair("position", &UsedLimits::position), std::pair("velocity", &UsedLimits::velocity),
        std::pair("acceleration", &UsedLimits::acceleration),
        std::pair("torque", &UsedLimits::torque)}) {
    std::vector<std::string> joints;
    for (const UsedLimits& used : review.used) {
      if (used.*member && holds(*(used.*member))) joints.push_back(used.joint);
    }
    if (joints.empty()) continue;
    text += fmt::format("{}{} of {}", text.empty() ? "" : "; ", name, ListSome(joints));
  }
  return text;
}

}  // namespace

MotionReview ReviewMotion(const Robot& robot, const ShownParameters& shown, int configuration,
                          const Motion& motion, const std::vector<DesignedPart>& histories) {
  const RobotModel& model = robot.model;
  const Dynamics dynamics(model, shown.friction, configuration);
  const RowRegressor rows(dynamics, shown.equations, shown.columns);
  const Eigen::VectorXd& pi = robot.FindSet("")->pi;
  MotionReview review;
  review.duration_s = motion.duration_s();
  review.design = DesignSentences(histories);
  review.columns = rows.column_count();
  for (const PlacedEquation& equation : shown.equations) {
    review.equations.emplace_back(ToString(equation.kind));
  }
  const Eigen::MatrixXd M = InformationOn({model, dynamics, rows, pi}, motion);
  for (const auto& [criterion, name] : kEnumNames<ExcitationCriterion>) {
    if (review.columns > 0) review.criteria.emplace_back(name, CriterionOf(criterion, M));
  }
  if (review.columns > 0) {
    review.without_time =
        review.criteria.front().second + review.columns * std::log(review.duration_s);
  }
  review.time_s = InstantsOf(motion, kLimitRateHz);
  const Eigen::Index count = review.time_s.size(), n = model.dofs();
  for (Eigen::MatrixXd* part : {&review.q, &review.qd, &review.qdd, &review.tau}) {
    part->resize(count, n);
  }
  JointState state = JointState::Zero(model.dofs());
  for (Eigen::Index k = 0; k < count; ++k) {
    motion.Evaluate(review.time_s[k], state);
    review.q.row(k) = state.q;
    review.qd.row(k) = state.qd;
    review.qdd.row(k) = state.qdd;
  }
  Dynamics::Scratch scratch(dynamics);
  dynamics.InverseDynamics(pi, {review.q, review.qd, review.qdd}, scratch, review.tau);
  for (int j = 0; j < model.dofs(); ++j) review.used.push_back(UsedBy(review, model, j));
  LookAtPlaces(model, review);
  return review;
}

void BoundReview(const Robot& robot, const ShownParameters& shown, int configuration,
                 MotionReview& review) {
  const Dynamics dynamics(robot.model, shown.friction, configuration);
  const RowRegressor rows(dynamics, shown.equations, shown.columns);
  if (!CanBoundMotions(shown.equations) || rows.column_count() == 0) {
    review.no_least_jd = "it is for rows of joint torques and base wrenches";
    return;
  }
  const Eigen::Index count = review.time_s.size();
  const auto thinned = Eigen::seq(0, count - 1, 1 + (count - 1) / kBoundStates);
  const Eigen::MatrixXd q = review.q(thinned, Eigen::all), qd = review.qd(thinned, Eigen::all),
                        qdd = review.qdd(thinned, Eigen::all);
  try {
    const MotionBound bound =
        BoundOfMotions(robot.model, dynamics, rows, Eigen::VectorXd::Ones(rows.row_count()),
                       std::max(1.0, std::floor(review.duration_s * kCriterionRateHz + kRoundOff)),
                       LogDetLoss(rows.column_count()), {q, qd, qdd}, kBoundSeed);
    if (std::isfinite(bound.bound)) {
      review.least_jd = bound.bound;
    } else {
      review.no_least_jd = "the search found no end";
    }
  } catch (const PlantError& error) {
    review.no_least_jd = error.what();
  }
}

std::string BoundSentence(const MotionReview& review) {
  if (!review.no_least_jd.empty()) {
    return fmt::format("no bound on the {} of other motions: {}",
                       ToString(ExcitationCriterion::kLogDet), review.no_least_jd);
  }
  if (!review.least_jd) return "";
  const double jd = review.criteria.front().second;
  const std::string sentence = fmt::format(
      "no motion of {:.6g} s within the limits of position, velocity and acceleration has a {} of "
      "rows that count alike below {:.0f}, as found by search, not proved",
      review.duration_s, ToString(ExcitationCriterion::kLogDet), std::floor(*review.least_jd));
  if (jd < *review.least_jd) return sentence + "; this one is beyond such a limit";
  return sentence +
         fmt::format(
             ": with white noise, alike in all rows, standard deviations are at most {:.2g} "
             "times the least possible, in the geometric mean over directions",
             std::exp(0.5 * (jd - *review.least_jd) / review.columns));
}

std::string ReviewText(const MotionReview& review) {
  std::string text =
      fmt::format("{:.6g} s, {} columns of {}, samples at {:g} Hz\n", review.duration_s,
                  review.columns, fmt::join(review.equations, ", "), kCriterionRateHz);
  for (const auto& [name, value] : review.criteria) {
    text += fmt::format("  {:<12} {:>10.4g}", name, value);
    if (name == ToString(ExcitationCriterion::kLogDet)) {
      text += fmt::format("   ({:.4g} with {} ln T)", review.without_time, review.columns);
    }
    text += '\n';
  }
  if (const std::string bound = BoundSentence(review); !bound.empty()) text += bound + '\n';
  for (const std::string& sentence : review.design) text += sentence + '\n';
  text += fmt::format(
      "greatest at {:g} Hz, and its part of the limit; torques by the nominal "
      "parameters\n",
      kLimitRateHz);
  std::vector<Cells> rows = {{"joint", "position", "velocity", "acceleration", "torque"}};
  for (const UsedLimits& used : review.used) {
    rows.push_back({used.joint, LimitCell(used.position_text, used.position),
                    LimitCell(used.velocity_text, used.velocity),
                    LimitCell(used.acceleration_text, used.acceleration),
                    LimitCell(used.torque_text, used.torque)});
  }
  text += Aligned(rows);
  for (const std::string& sentence : LimitSentences(review)) text += sentence + '\n';
  if (review.nearest) {
    text += fmt::format("nearest spheres: {}, {:.3f} m apart\n", review.nearest->what,
                        review.nearest->distance_m);
  }
  if (review.lowest) {
    text += fmt::format("lowest sphere: {}, {:.3f} m above the base's origin\n",
                        review.lowest->what, review.lowest->distance_m);
  }
  return text;
}

std::vector<std::string> LimitSentences(const MotionReview& review) {
  std::vector<std::string> sentences;
  const auto tell = [&sentences](const char* what, const std::string& limits) {
    if (!limits.empty()) sentences.push_back(what + limits);
  };
  tell("beyond the limit: ",
       LimitsWhere(review, [](double part) { return part > 1.0 + kLimitTolerance; }));
  tell("at the limit, which allows no more: ", LimitsWhere(review, [](double part) {
         return part >= kAtLimit && part <= 1.0 + kLimitTolerance;
       }));
  std::vector<std::string> without;
  for (const UsedLimits& used : review.used) {
    if (!used.velocity) without.push_back(used.joint);
  }
  if (!without.empty()) {
    sentences.push_back(fmt::format("velocity: no limit is known of {}", ListSome(without)));
  }
  return sentences;
}

std::string MotionCsv(const Robot& robot, const Motion& motion, double rate_hz) {
  const RobotModel& model = robot.model;
  std::string text = "t_s";
  for (const auto& [name, rate] :
       {std::pair("q", ""), std::pair("qd", "_s"), std::pair("qdd", "_s2")}) {
    for (int j = 0; j < model.dofs(); ++j) {
      const bool turns = model.link(j).type == JointType::kRevolute;
      text += fmt::format(",{}{}_{}{}", name, j + 1, turns ? "rad" : "m", rate);
    }
  }
  text += '\n';
  JointState state = JointState::Zero(model.dofs());
  for (const double t : InstantsOf(motion, rate_hz)) {
    motion.Evaluate(t, state);
    text += fmt::format("{:.9g}", t);
    for (const Eigen::VectorXd* part : {&state.q, &state.qd, &state.qdd}) {
      for (const double value : *part) text += fmt::format(",{:.12g}", value);
    }
    text += '\n';
  }
  return text;
}

}  // namespace idbench
