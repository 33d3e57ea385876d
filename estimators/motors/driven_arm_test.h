#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "estimators/interface/problem.h"
#include "robots/recording/dataset.h"
#include "robots/term_options.h"

namespace idbench {

/// The iCub's right arm as Traversaro et al. 2013 identify it: duty cycles of four motors, of which
/// three are coupled, a force/torque sensor with offsets, friction of joints and motors.
struct DrivenArm {
  /// What it may have beside.
  struct Extras {
    /// A sensor whose calibration is off by 3 %, and unknown.
    std::optional<CalibrationEntries> calibration = std::nullopt;
    bool loaded = false;  ///< A configuration "loaded", with a known weight of 0.5 kg.
    /// A configuration "touched": up to 10 N at one point of the forearm, to and fro. Not with the
    /// former.
    bool touched = false;
    bool on_base = false;  ///< The wrench on the base is measured in place of that at the sensor.
  };
  DrivenArm() : DrivenArm(Extras{}) {}
  explicit DrivenArm(const Extras& extras);

  Problem problem;  ///< In standard parameters, without a prior.
  Eigen::VectorXd pi;

  /// Returns the problem with the true gains, which are no unknowns.
  Problem WithKnownGains() const;

  Eigen::VectorXd x() const { return problem.parameters.FromPi(pi); }
  /// Returns the index in x of the unknown of that name.
  Eigen::Index IndexOf(const std::string& name) const;
  /// Returns the gains in x over the true ones, of the four motors.
  Eigen::Vector4d GainRatios(const Eigen::VectorXd& x) const;
  /// Returns D − D̂ of the unknown entries of the calibration, root mean square, in units of 20 N
  /// and 2 N·m.
  double CalibrationError(const Eigen::VectorXd& x) const;

  /// Noise of one sample of each channel.
  struct Noise {
    double pwm_pct = 0.0;
    double force_n = 0.0, moment_nm = 0.0;
    /// Motion that noise of the motors' torques adds to the desired one, which is recorded then:
    /// joints swing about it, as if the noise moved 0.1 kg·m² of each.
    double swing_rad = 0.0;
  };
  /// Records 100 Hz for so long.
  Dataset Record(const std::string& label, double duration_s, const Noise& noise, int trial = 0,
                 const std::string& configuration = "") const;
};

}  // namespace idbench
