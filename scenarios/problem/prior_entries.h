#pragma once

#include <Eigen/Core>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "robots/dynamics/model.h"
#include "scenarios/options/config_error.h"
#include "scenarios/problem/robot_options.h"

namespace idbench {

/// Kind of a body's σ in a prior's `std`: see BodyCovariance().
inline constexpr const char* kBodyKind = "body";

/// σ by kind or name; absent where nothing is known.
using SigmaEntries = Labelled<std::optional<double>>;

/// Returns the keys under which a parameter is found, the most specific first: its name
/// ("joint3.fc"), the group of its name ("ft.offset" of "ft.offset_fx"), its kind ("fc"), the group
/// of its kind ("offset"); "" for a group that there is not.
std::array<std::string, 4> KeysOf(const std::string& name);
/// Returns the kinds of parameters, each once.
std::vector<std::string> KindsOf(const std::vector<std::string>& names);

/// Returns what `entries` say of a parameter: the entry of the first of KeysOf() that has one;
/// nullptr if none has.
const double* EntryFor(const Labelled<double>& entries, const std::string& name);
const std::optional<double>* EntryFor(const SigmaEntries& entries, const std::string& name);
/// Returns the σ of the body as a whole: the entry of its name, or of the kind "body"; nullptr if
/// there is none.
const std::optional<double>* BodyEntryFor(const SigmaEntries& entries, const std::string& body);

/// Returns the σ of each body as a whole, from the base link on; NaN where none is stated or
/// nothing is known, empty if of no body.
Eigen::VectorXd BodySigma(const SigmaEntries& entries, const RobotModel& model);

/// Returns whether σ of the prior is stated of first moments or products of inertia, so that it
/// depends on the choice of body frames.
bool IsFramed(const PriorOptions& options);

/// Returns the covariance of unknowns of one body where the entropic divergence of its
/// pseudo-inertia from the prior's is taken to be Gaussian: σ²·H⁻¹, H of BodyMetric().
///
/// σ is then the relative standard deviation of its mass, and as much in every other direction,
/// whatever the frame and the units. Where the unknowns are not all ten, it is that of what is
/// known to stay, restricted to them.
/// @param inertia  the ten standard parameters of the body, physically consistent.
/// @param J        their derivatives by the unknowns, 10 × n, of rank n.
Eigen::MatrixXd BodyCovariance(const Eigen::Ref<const Eigen::VectorXd>& inertia,
                               const Eigen::Ref<const Eigen::MatrixXd>& J, double sigma);

/// Parameters that a prior's `std` speaks of, and how they move the bodies.
struct PriorParameters {
  const RobotModel& model;
  const std::vector<std::string>& names;
  const Eigen::VectorXd& values;    ///< Of the prior, one each.
  const Eigen::VectorXd& pi;        ///< The prior as standard parameters.
  const Eigen::MatrixXd& J;         ///< ∂π/∂(parameters).
  const std::vector<bool>& counts;  ///< Whether each is, or moves, an unknown.
};

/// Returns the covariance of parameters: of bodies, some of whose parameters count,
/// BodyCovariance(), of others the σ of EntryFor(), else relative_std times their Magnitudes(),
/// else 0; 0 of what nothing is known of.
Eigen::MatrixXd CovarianceByEntries(const PriorOptions& options, const PriorParameters& of);
/// Returns the parameters that nothing is known of, increasing.
std::vector<int> UnknownByEntries(const PriorOptions& options, const PriorParameters& of);

/// Returns what is wrong with `std`, with pointers from /problem/prior on: an entry that speaks of
/// none of the parameters, a σ of a body whose prior cannot exist, two σ of one parameter, a
/// parameter of which nothing is said.
std::vector<Issue> CheckStd(const PriorOptions& options, const PriorParameters& of);

/// Gives parameters that no body holds the values of the prior's `mean`, by kind or name.
void SetMeans(const RobotModel& model, const Labelled<double>& mean, Eigen::VectorXd& pi);
/// Returns what is wrong with `mean`: an entry that speaks of no such parameter.
std::vector<Issue> CheckMean(const RobotModel& model, const Labelled<double>& mean);

}  // namespace idbench
