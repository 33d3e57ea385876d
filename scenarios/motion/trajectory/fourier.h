#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "robots/dynamics/model.h"
#include "robots/plant/motion.h"
#include "scenarios/motion/trajectory/design_options.h"
#include "scenarios/options/draw.h"
#include "scenarios/options/fields.h"

namespace idbench {

/// Coefficients of a finite Fourier series of n joints with H harmonics.
struct FourierSeries {
  double base_frequency_hz = 0.1;
  Eigen::VectorXd q0;  ///< n [rad or m]
  Eigen::MatrixXd a;   ///< n × H, velocity amplitudes of the cosines [rad/s or m/s].
  Eigen::MatrixXd b;   ///< n × H, velocity amplitudes of the sines [rad/s or m/s].
};

/// Periodic excitation: with ω = 2π·base_frequency_hz and l = 1 … H,
///   q_j(t) = q0_j + Σ_l a_jl/(ω l)·sin(ω l t) − b_jl/(ω l)·cos(ω l t)
/// and its exact derivatives.
///
/// Source: Swevers, Ganseman, Tükel, De Schutter & Van Brussel, "Optimal robot excitation and
/// identification", IEEE Trans. Robotics and Automation 13(5), 1997.
class FourierMotion : public Motion {
 public:
  /// @throws std::invalid_argument if the sizes of `series` contradict each other, or if the
  ///         frequency or the duration is not positive.
  FourierMotion(FourierSeries series, double duration_s);

  const FourierSeries& series() const { return series_; }
  double duration_s() const override { return duration_s_; }
  /// Allocates nothing. O(n·H).
  void Evaluate(double t, JointState& desired) const override;
  void Describe(CanonicalText& text) const override;

 private:
  FourierSeries series_;
  double duration_s_;
};

/// Options for the design of a FourierMotion.
struct FourierOptions {
  static constexpr std::string_view kType = "fourier";
  int harmonics = 5;
  double base_frequency_hz = 0.1;
  double duration_s = 10.0;
  std::optional<double> design_duration_s = std::nullopt;
  double speed_factor = 1.0;
  double amplitude_fraction = 0.9;
  std::optional<std::vector<double>> centre_q_rad = std::nullopt;
  int candidates = 10;
  /// By what candidates are compared; nothing: by the equations and unknowns of the problem.
  std::optional<DesignOptions> design = DesignOptions();
  bool velocity_limits = true;
  bool acceleration_limits = true;
  std::string stream = "identification";
  Draw draw = Draw::kCell;
  std::optional<std::vector<double>> start_q_rad = std::nullopt;
  double rest_s = 0.0;
  double blend_s = 0.0;

  bool operator==(const FourierOptions&) const = default;
};
/// The table refuses a start pose without a blend, a blend without a start pose, and a blend that
/// does not end within the motion.
FieldTable Visit(FourierOptions& options);

/// Cost of a motion for identification, e.g. the condition number of the regressor on it.
using MotionCost = std::function<double(const Motion&)>;

/// Returns the best of `candidates` random Fourier motions.
///
/// The coefficients of a candidate are uniform in (−1, 1). Each joint is then scaled as far as
/// `amplitude_fraction` of its position range, its velocity limit and its acceleration limit allow:
/// about the middle of the range or, with `centre_q_rad`, about that position, within what the
/// range leaves on both sides of it. A joint without a range has [−π, π] rad or [−1, 1] m. Limits
/// hold at every instant, not only on a grid. Every duration has the same candidates, and a
/// candidate's lower harmonics do not depend on the number of harmonics.
///
/// The winner runs k = `speed_factor` times as fast, q(k·t): the same path with rates times k and
/// accelerations times k², whatever the limits.
///
/// @param trial  ignored if `options.draw` is kCell; −1 keys those draws.
/// @param cost   called once per candidate, whose duration is `design_duration_s`. The least cost
///         wins, the first of equals; a cost that is not finite loses to all finite ones. Not
///         called for a single candidate.
FourierMotion DesignFourier(const RobotModel& model, const FourierOptions& options,
                            std::uint64_t seed, std::int64_t trial, const MotionCost& cost);

}  // namespace idbench
