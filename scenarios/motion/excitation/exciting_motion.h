#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "robots/dynamics/rows.h"
#include "robots/plant/motion.h"
#include "scenarios/motion/excitation/augmented_lagrangian.h"
#include "scenarios/motion/excitation/criterion.h"
#include "scenarios/motion/excitation/design_errors.h"
#include "scenarios/motion/trajectory/design_options.h"
#include "scenarios/options/draw.h"
#include "scenarios/options/fields.h"

namespace idbench {

/// Splines through way points, see SplineCurve.
struct SplineCurveOptions {
  static constexpr std::string_view kType = "spline";
  double waypoint_s = 1.0;

  bool operator==(const SplineCurveOptions&) const = default;
};
FieldTable Visit(SplineCurveOptions& options);

/// Finite Fourier series, see FourierCurve.
struct FourierCurveOptions {
  static constexpr std::string_view kType = "fourier";
  int harmonics = 5;
  bool rest = true;

  bool operator==(const FourierCurveOptions&) const = default;
};
FieldTable Visit(FourierCurveOptions& options);

/// Options of a motion that is designed, by an optimiser or by chance, for identification.
struct ExcitingMotionOptions {
  static constexpr std::string_view kType = "exciting";
  /// What is to be least; nothing: the motion is a random one.
  std::optional<ExcitationCriterion> criterion = ExcitationCriterion::kLogDet;
  std::variant<SplineCurveOptions, FourierCurveOptions> curve;
  double duration_s = 10.0;
  DesignOptions design;
  std::optional<DesignErrorOptions> errors = std::nullopt;
  /// σ of what is known before any data, by kind or name of a parameter as in the problem's prior;
  /// empty: nothing is known.
  Labelled<std::optional<double>> prior_std = {};
  std::vector<std::string> given =
      {};  ///< Experiments that stand before it, told by their motions.
  int starts = 1;
  double amplitude_fraction = 0.6;
  std::optional<std::vector<double>> centre_q_rad = std::nullopt;
  double margin = 0.98;
  bool torque_limits = true;
  double torque_sigmas = 0.0;  ///< Of the prior, beside the nominal torque.
  bool self_collision = true;
  std::optional<double> floor_m = std::nullopt;
  double clearance_m = 0.002;
  double rate_hz = 25.0;
  LagrangianOptions optimiser = {};
  std::string stream = "identification";
  Draw draw = Draw::kCell;

  bool operator==(const ExcitingMotionOptions&) const = default;
};
FieldTable Visit(ExcitingMotionOptions& options);

/// What a motion is designed for. All references must outlive what uses it.
struct ExcitationSubject {
  const RobotModel& model;
  const Dynamics& dynamics;
  const RowRegressor& rows;   ///< Columns that are to be told apart, made from `dynamics`.
  const Eigen::VectorXd& pi;  ///< Parameters of the torques that are limited.
  /// Information on the columns that is there before the motion, in the units of its `errors`, or
  /// of rows at kCriterionRateHz without these: p × p; empty: none.
  Eigen::MatrixXd known = {};
  /// Covariance of π, of which `torque_sigmas` speaks; empty: 0.
  Eigen::MatrixXd pi_covariance = {};
};

/// Rate at which limits are looked at in the end [Hz].
inline constexpr double kLimitRateHz = 1000.0;

/// Returns M = Σ WᵀW on samples of states, of all rows, p × p for p columns.
Eigen::MatrixXd InformationOn(const Dynamics& dynamics, const RowRegressor& rows,
                              const StateSamples& samples);
/// Returns M of samples of a motion at kCriterionRateHz.
Eigen::MatrixXd InformationOn(const ExcitationSubject& subject, const Motion& motion);
/// As that, of rows with the errors of a design and in units of theirs: what an ExcitationSubject
/// calls `known`.
Eigen::MatrixXd InformationOn(const ExcitationSubject& subject, const Motion& motion,
                              const ExcitingMotionOptions& options);

/// One start of a design.
struct ExcitationStart {
  double random = 0.0;    ///< Criterion of the random motion that it began with.
  double designed = 0.0;  ///< That of what came out.
  /// Part of the way from where the optimiser's last pass began to what it found that keeps all
  /// limits at kLimitRateHz; 1 where all of it does.
  double kept = 1.0;
  int evaluations = 0;
};

/// How a designed motion came about.
struct ExcitationHistory {
  /// What was minimised; nothing: the motion is a random one, without starts.
  std::optional<ExcitationCriterion> criterion = std::nullopt;
  bool weighed = false;                      ///< Of rows weighed by their errors.
  bool told = false;                         ///< Beside what is known before.
  std::vector<ExcitationStart> starts = {};  ///< Those that led to a motion.
  std::size_t best = 0;
  int failed = 0;            ///< Starts that led to none.
  std::string failure = "";  ///< Why the first of these did not.
};

/// Part of what an optimiser found, within limits, below which it is worth telling that the rest
/// was given up.
inline constexpr double kMostlyKept = 0.9;

/// A designed motion, and how it came about.
struct ExcitingMotion : ExcitationHistory {
  std::unique_ptr<Motion> motion;
};

/// Designs a motion.
///
/// A start is random: coefficients uniform about the middle pose, each joint scaled as far as
/// `amplitude_fraction` of its range and its limits allow, and then all joints alike until torques,
/// distances and the floor are kept. From there the criterion is minimised at samples of `rate_hz`,
/// with all limits times `margin`, see Minimise() and MotionConstraints. What is found is drawn
/// back towards the start until all limits are kept at 1 kHz; where little is left of it, three
/// more passes with heavier limits go on from there. A design that knows of disturbances (see
/// WeighedRows) begins with what comes out without them. The best of all starts is taken; one that
/// fails does not count.
///
/// Source of the formulation: Katsumata et al. 2019, equations (9) to (11); derivatives are exact,
/// see RowRegressor::Gradient().
///
/// @param trial  ignored if `options.draw` is kCell; −1 keys those draws.
/// @throws PlantError if all starts fail: no motion about the middle pose keeps its limits, or a
///         random motion of this form cannot tell the columns apart.
ExcitingMotion DesignExcitingMotion(const ExcitationSubject& subject,
                                    const ExcitingMotionOptions& options, std::uint64_t seed,
                                    std::int64_t trial);

/// Returns the contradictions between `options` and the robot: joints that nothing holds back, a
/// centre out of range, a floor without anything above it.
/// @param where  JSON pointer of the options.
std::vector<Issue> CheckExcitingMotion(const ExcitingMotionOptions& options,
                                       const RobotModel& model, const std::string& where);

}  // namespace idbench
