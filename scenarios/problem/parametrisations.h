#pragma once

#include <Eigen/Core>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "robots/dynamics/parameters/parametrisation.h"
#include "robots/robot.h"
#include "scenarios/options/capability.h"
#include "scenarios/options/config_error.h"
#include "scenarios/problem/problem_options.h"

namespace idbench {

/// What a parametrisation is made of.
struct ParametrisationInput {
  const Robot& robot;
  const ProblemOptions& options;
  const FrictionShape& friction;
  /// π of the set that known centres of mass, principal axes or bodies are taken from; empty
  /// without a prior.
  const Eigen::VectorXd& known;
};

/// What a prior's covariance is made of.
struct PriorInput {
  const RobotModel& model;
  const PriorOptions& options;  ///< With relative_std or std.
  const Eigen::VectorXd& pi;    ///< The prior as standard parameters.
  const Eigen::VectorXd& mean;  ///< The prior in the unknowns.
  const Parametrisation& parameters;
};

/// Whose value an unknown has in truth.
enum class TrueValues {
  kOfRobot,    ///< A constant of the robot.
  kOfPayload,  ///< What the robot carries at the instant.
  kOfState,    ///< The state of the joints at the instant.
};

/// A kind of unknowns: what it needs and supplies, and what is made of it.
struct ParametrisationKind {
  std::string_view name;  ///< In JSON.
  Capabilities needs = {};
  Capabilities supplies = {};
  /// Words for what it does not supply, where they are its own.
  std::vector<std::pair<Capability, Lack>> lacks = {};
  TrueValues truth = TrueValues::kOfRobot;
  std::string_view not_exported = "";  ///< Why no model file can hold an estimate; "": it can.
  /// π of an estimate is that of the whole robot: what no unknown moves is known.
  bool whole_pi = false;
  /// Unknowns of either sign are bounded by factors of their prior mean, too.
  bool factors_bound_all = false;
  /// Its unknowns can be terms that not every joint has, and of bodies that are attached.
  bool takes_terms = false;
  /// Unknowns are parameters of bodies in their frames: in others they are other numbers.
  bool framed = false;
  /// No value stands for a body that cannot exist: a drawn prior must be made physical, and
  /// relative_std is that of bodies.
  bool physical = false;
  /// A body's parameters are all unknowns, or none is.
  bool whole_bodies = false;
  /// A prior's σ is that of standard parameters, which the unknowns combine.
  bool combines = false;
  Parametrisation (*make)(const ParametrisationInput& input) = nullptr;
  /// Returns the prior mean, where it is not that of the prior's set; `parameters` with bounds.
  Eigen::VectorXd (*prior_mean)(const ParametrisationOptions& options,
                                const Parametrisation& parameters) = nullptr;
  /// Adds what is wrong with the options of this kind, with pointers from the options on.
  void (*check)(const ParametrisationOptions& options, const RobotModel& model,
                std::vector<Issue>& issues) = nullptr;

  /// Returns what it supplies, and words for what it does not.
  Supplies Supplied() const;
};

/// All kinds. A further one is a row, and the functions that it names.
std::span<const ParametrisationKind> ParametrisationKinds();
/// Returns the kind of that name. @throws std::invalid_argument if there is none.
const ParametrisationKind& KindNamed(std::string_view name);

/// Returns the indices into π of the parameters that the options ask for, without those that their
/// prior declares known.
std::vector<int> AskedParameters(const Robot& robot, const ProblemOptions& options);
/// Returns all that the options ask for, known or not.
std::vector<int> AskedOrKnown(const Robot& robot, const ProblemOptions& options);

/// Sets what a prior with relative_std or std states beside its mean: the covariance, see
/// CovarianceByEntries(), and the directions that nothing is known of. They are those of the
/// unknowns or, where these combine standard parameters, of the latter, carried over as B·Σ·Bᵀ.
void StateKnowledge(const PriorInput& input, Parametrisation::Prior& prior);
/// Returns what is wrong with the prior's std, see CheckStd() of entries.
std::vector<Issue> CheckStd(const PriorInput& input);

/// Returns the issue about a prior that states σ, but of some parameters σ = 0, see SigmaIssue() of
/// entries; nothing if there is none.
std::optional<Issue> SigmaIssue(const PriorInput& input);

/// Returns the factors of the prior's mean, one per unknown.
Eigen::VectorXd UnknownScale(const PriorOptions& options, int size);

}  // namespace idbench
