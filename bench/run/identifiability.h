#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "estimators/interface/problem.h"
#include "reports/run/identifiable.h"

namespace idbench {

/// What given equations can show of one standard parameter, for any motion.
struct ParameterVerdict {
  int index = 0;  ///< Into π.
  std::string name, unit;
  Identifiable kind = Identifiable::kNo;
  std::vector<int> in;  ///< Base parameters that contain it, indices into base().
  std::string why;      ///< A sentence without its full stop; "" if it is identifiable alone.
};

/// Motion that shows a parameter most.
struct BetterMotion {
  std::string shown;  ///< "by joint1's acceleration" or "at rest"
  std::string cure;   ///< "accelerate joint1 more"
};

/// What a cell's equations can show of its robot, found by computation:
///
///   kinds: the base parameters of the equations, and of joint torques and base wrench together;
///   why not: a body's kinetic and potential energy, ½ m v² + h·(v × ω) + ½ ωᵀ I ω − m g·p − g·h,
///   is linear in its parameters. The factor of one of them (v², ω_x ω_y, …, in the body's frame)
///   is 0, or constant, over all states if the parameter has no effect, and gives the reason.
class Identifiability {
 public:
  /// @throws std::domain_error if the rank of the equations is not certain.
  /// @param asked  the considered parameters, indices into π.
  Identifiability(const Problem& problem, const std::vector<int>& asked);

  const BaseParameters& base() const { return base_; }
  /// Returns the verdicts on the parameters of all links, the base included, and of all attached
  /// bodies that are not known, and on the requested joint parameters.
  const std::vector<ParameterVerdict>& verdicts() const { return verdicts_; }

  /// Returns what would show base parameter `i` better: the fixed states (±π, ±5 rad/s, ±20 rad/s²)
  /// with its largest regressor column: at rest, or with one joint's speed or acceleration alone.
  BetterMotion BestShownBy(int i) const;

 private:
  /// What varies in a body's motion.
  struct BodyMotion {
    bool moves = false;      ///< The origin of its frame moves.
    bool turns[3] = {};      ///< About the axes of its frame.
    bool shows_com[3] = {};  ///< (v × ω) or gravity's component along them.
  };

  /// Returns false for links without parameters, and bodies that are known.
  bool IsUnknown(int body) const;
  /// Returns axes and origin of the body's frame in that of the link that carries it.
  std::pair<Eigen::Matrix3d, Eigen::Vector3d> PlaceOnLink(int body) const;
  BodyMotion MotionOf(int body) const;
  std::string WhyNoEffect(int index, const BodyMotion& motion) const;
  std::string WithWrench(int index) const;
  std::string WithWhat(int index, const std::vector<int>& in) const;
  void AddVerdict(int index, const BodyMotion& motion);
  Eigen::MatrixXd Column(int index, const FixedStates& states) const;

  RobotModel model_;
  FrictionShape friction_;
  std::vector<PlacedEquation> equations_;
  bool has_wrench_;
  std::vector<std::string> names_, units_;
  BaseParameters base_;
  /// Of torques and base wrench, if the problem does not have the wrench.
  std::optional<BaseParameters> wrench_base_;
  std::vector<ParameterVerdict> verdicts_;
};

}  // namespace idbench
