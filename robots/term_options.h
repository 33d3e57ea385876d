#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "robots/dynamics/equations.h"
#include "robots/dynamics/model.h"
#include "scenarios/options/config_error.h"
#include "scenarios/options/fields.h"

/// The kinds of term that JSON can declare. A further one is a value, its name and a row of
/// kTermKinds.
namespace idbench {

enum class TermKind : std::uint8_t {
  kViscous,
  kCoulomb,
  kOffset,
  kRotorInertia,
  kAsymmetric,
  kStribeck,
  kGain,
  kCalibration,
};
template <>
inline constexpr auto kEnumNames<TermKind> =
    std::to_array<EnumName<TermKind>>({{TermKind::kViscous, "viscous_friction"},
                                       {TermKind::kCoulomb, "coulomb_friction"},
                                       {TermKind::kOffset, "offset"},
                                       {TermKind::kRotorInertia, "rotor_inertia"},
                                       {TermKind::kAsymmetric, "asymmetric_friction"},
                                       {TermKind::kStribeck, "stribeck"},
                                       {TermKind::kGain, "gain"},
                                       {TermKind::kCalibration, "calibration"}});

/// Entries of a sensor's calibration that are terms.
enum class CalibrationEntries : std::uint8_t { kAll, kDiagonal };
template <>
inline constexpr auto kEnumNames<CalibrationEntries> = std::to_array<EnumName<CalibrationEntries>>(
    {{CalibrationEntries::kAll, "all"}, {CalibrationEntries::kDiagonal, "diagonal"}});

/// What a term acts on: joints, or motors and so all the joints that they drive, or force/torque
/// sensors.
enum class TermPlace : std::uint8_t { kJoints, kMotors, kSensors };
template <>
inline constexpr auto kEnumNames<TermPlace> =
    std::to_array<EnumName<TermPlace>>({{TermPlace::kJoints, "joints"},
                                        {TermPlace::kMotors, "motors"},
                                        {TermPlace::kSensors, "sensors"}});

/// Returns the coefficients of a kind.
std::span<const TermCoefficient> CoefficientsOf(TermKind kind);
/// Returns the coefficient of that name, the last part of a term's, or nullptr if there is none.
const TermCoefficient* FindCoefficient(std::string_view name);

/// Terms of one kind on joints, motors or sensors. Sensors have offsets, six each, and a
/// calibration (see calibration.h), and these alone; drives, and so motors alone, have gains.
struct TermOptions {
  TermKind type = TermKind::kViscous;
  TermPlace on = TermPlace::kJoints;
  std::string joints = "";      ///< Pattern, see ExpandPattern(); "": all.
  std::string motors = "";      ///< Likewise; if it is not "", the terms are those of motors.
  std::string sensors = "";     ///< Likewise, of force/torque sensors.
  double velocity_rad_s = 0.1;  ///< v_s of kStribeck.
  /// Of kGain: the drives' equation that the gains are of; nothing: the one that is used.
  std::optional<Equation> equation = std::nullopt;
  /// Of kCalibration.
  CalibrationEntries entries = CalibrationEntries::kAll;

  bool operator==(const TermOptions&) const = default;

  TermPlace place() const {
    if (!sensors.empty() || type == TermKind::kCalibration) return TermPlace::kSensors;
    return motors.empty() && type != TermKind::kGain ? on : TermPlace::kMotors;
  }
};
FieldTable Visit(TermOptions& options);

/// Returns the terms that the options declare, named `<joint, motor or sensor>.<coefficient>`, with
/// those that a joint has anyway (fv, fc, fo, ia) among them. Units of gains hang on the equation
/// of the drives: they are "" of options that name none.
///
/// Appends issues for what the robot does not have, for a term that is declared twice, and for a
/// motor whose term has the name of a joint's, and is another.
/// @param where  JSON pointer of `options`.
std::vector<Term> MakeTerms(const std::vector<TermOptions>& options, const RobotModel& model,
                            const std::string& where, std::vector<Issue>& issues);

/// Returns options that declare the model's own terms: MakeTerms() gives them back.
std::vector<TermOptions> OptionsOfTerms(const RobotModel& model);

}  // namespace idbench
