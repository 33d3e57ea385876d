#pragma once

#include <Eigen/Core>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/options/json_fwd.h"

namespace idbench {

/// How one joint's held-out torque is predicted; root mean squares behind the score's low-pass.
struct JointVerdict {
  std::string joint;
  double file_nm = 0.0;        ///< Error of the file's own parameters [N·m or N].
  double identified_nm = 0.0;  ///< Error of the exported estimate.
  double torque_nm = 0.0;      ///< Standard deviation of the torque itself.
  double noise_nm = 0.0;       ///< White noise of the torque, NaN if it cannot be told.

  /// Says how the identified model predicts it: "to within its noise" (at most 1.5 times that),
  /// "worse than the file's own parameters", "well" (an error of at most 20 % of the torque),
  /// "roughly" (50 %) or "badly"; the first that holds.
  std::string_view word() const;
};

/// What a run of IdentifyScenario() says, in plain words.
struct Verdict {
  std::string experiment;            ///< Of validation.
  double file_fraction = 0.0;        ///< Relative error of the file's own parameters, all joints.
  double identified_fraction = 0.0;  ///< That of the exported estimate.
  std::string best;                  ///< Estimator with the least error, the exported one included.
  double best_fraction = 0.0;
  std::vector<JointVerdict> joints;
  double repeated = 0.0;  ///< Part of it that repeats the fitted motion, see RepeatedPart().
  std::vector<std::string> parameters;  ///< What the data tell, and what would tell the rest.

  std::string Text() const;
};

/// Returns the verdict on one experiment of validation.
/// @param summary     of the run, see Summary.
/// @param identified  see Identified().
/// @param noise_nm    see TorqueNoise(), of the experiment.
/// @throws ConfigError (source: the label) if prior_only or the exported estimate failed, or has no
///         error on that experiment.
Verdict Judge(const Json& summary, const Json& identified, const std::string& experiment,
              const Eigen::VectorXd& noise_nm);

}  // namespace idbench
