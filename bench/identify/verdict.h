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

  struct Judgement {
    std::string_view word;
    std::string_view grade;  ///< "good", "fair" or "bad".
  };
  /// Says how the identified model predicts it: "to within its noise" (at most 1.5 times that;
  /// good), "worse than the file's own parameters" (bad), "well" (an error of at most 20 % of the
  /// torque; good), "roughly" (50 %; fair) or "badly" (bad); the first that holds.
  Judgement Judge() const;
};

/// What a run of IdentifyScenario() says of one experiment of validation.
struct Verdict {
  std::string experiment;            ///< Of validation.
  double file_fraction = 0.0;        ///< Relative error of the file's own parameters, all joints.
  double identified_fraction = 0.0;  ///< That of the exported estimate.
  std::string best;                  ///< Estimator with the least error, the exported one included.
  double best_fraction = 0.0;
  std::vector<JointVerdict> joints;
  double repeated = 0.0;  ///< Part of it that repeats the fitted motion, see RepeatedPart().

  /// Returns an entry of `validation` in verdict.json: the numbers and, ready to be shown, the
  /// `sentence` on all joints, the word on each and `notes`. noise_nm is null if it cannot be told.
  Json ToJson() const;
};

/// Returns the verdict on one experiment of validation.
/// @param summary   of the run, see Summary.
/// @param noise_nm  see TorqueNoise(), of the experiment.
/// @throws ConfigError (source: the label) if prior_only or the exported estimate failed, or has no
///         error on that experiment.
Verdict Judge(const Json& summary, const std::string& experiment, const Eigen::VectorXd& noise_nm);

/// Returns sentences on what the data tell of the standard parameters, and on what would tell the
/// rest; none if no estimator states it.
/// @param identified  see Identified().
std::vector<std::string> ParametersTold(const Json& identified);

/// Adds to the notes of each validation why its data, or the file, are in doubt: checks found what
/// spoils a fit; friction came out negative by more than three times its σ, which no friction is,
/// so that signs or columns of torques are wrong whatever checks see; the file's own parameters
/// predict worse than the mean of the torques; or they were guessed.
/// @param doubtful    see DoubtfulData().
/// @param guessed     whether the file's bodies are guesses.
/// @param identified  see Identified().
/// @param validation  list of Verdict::ToJson(), or of entries without notes, which stay as they
/// are.
void AddDoubts(const std::vector<std::string>& doubtful, bool guessed, const Json& identified,
               Json& validation);

/// Returns verdict.md of what verdict.json holds: {`title`, `exported`, `found`, `wrong`,
/// `prepared`, `validation`, `parameters`}. `exported` is the label of the estimator whose model
/// was written; all others but title and validation are lists of sentences; validation is a list of
/// Verdict::ToJson(), or of {`experiment`, `no_verdict`} with the reason.
std::string VerdictMarkdown(const Json& verdict);

}  // namespace idbench
