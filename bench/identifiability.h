#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bench/cell_context.h"

namespace idbench {

/// What some equations can show of one standard parameter, whatever the motion.
struct ParameterVerdict {
  enum class Kind { kAlone, kCombination, kNo };

  int index = 0;  ///< Into π.
  std::string name, unit;
  Kind kind = Kind::kNo;
  std::vector<int> in;  ///< Base parameters that hold it, indices into base().
  std::string why;      ///< A sentence without its dot; "" where it stands alone.
};

/// What a cell's equations can show of its robot, found by computation:
///
///   kinds: the base parameters of the equations, and of joint torques and base wrench together;
///   why not: a body's kinetic and potential energy, ½ m v² + h·(v × ω) + ½ ωᵀ I ω − m g·p − g·h,
///   is linear in its parameters. What multiplies one of them (v², ω_x ω_y, …, in the body's frame)
///   is 0, or constant, over all states where the parameter has no effect, and says why.
class Identifiability {
 public:
  /// @throws std::domain_error where the rank of the equations is not certain.
  explicit Identifiability(const CellContext& context);

  const BaseParameters& base() const { return base_; }
  /// Of all links, the base among them, and of the joint parameters that were asked for.
  const std::vector<ParameterVerdict>& verdicts() const { return verdicts_; }

  /// What would show base parameter `i` better: where its regressor column is largest on fixed
  /// states (±π, ±5 rad/s, ±20 rad/s²): at rest, or with one joint's speed or acceleration alone.
  std::string BestShownBy(int i) const;

 private:
  /// What of a body's motion is not always the same.
  struct BodyMotion {
    bool moves = false;      ///< The origin of its frame.
    bool turns[3] = {};      ///< About the axes of its frame.
    bool shows_com[3] = {};  ///< (v × ω) or gravity's component along them.
  };

  BodyMotion MotionOf(int body) const;
  std::string WhyNoEffect(int index, const BodyMotion& motion) const;
  std::string WithWrench(int index) const;
  std::string WithWhat(int index, const std::vector<int>& in) const;
  void AddVerdict(int index, const BodyMotion& motion);
  Eigen::MatrixXd Column(int index, const FixedStates& states) const;

  RobotModel model_;
  FrictionShape friction_;
  std::vector<Equation> equations_;
  bool has_wrench_;
  std::vector<std::string> names_, units_;
  BaseParameters base_;
  std::optional<BaseParameters> wrench_base_;  ///< Of torques and base wrench, where not asked for.
  std::vector<ParameterVerdict> verdicts_;
};

}  // namespace idbench
