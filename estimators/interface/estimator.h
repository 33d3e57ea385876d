#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "estimators/interface/estimate.h"
#include "estimators/interface/problem.h"
#include "scenarios/options/capability.h"
#include "scenarios/options/fields.h"

namespace idbench {

/// What a method requires. The harness refuses a scenario that cannot supply it.
struct EstimatorNeeds {
  /// Channels that the method reads beside those that the equations measure.
  std::vector<std::string_view> channels = {};
  Capabilities problem = {Capability::kStandardUnknowns};  ///< Of what SuppliedBy() tells.
  /// True if the method reads the channels that the problem's equations measure.
  bool measurements = true;
  /// True if the method takes data of a robot that something touches, see Configuration::touched.
  /// All that read data need Capability::kUntouched otherwise.
  bool takes_touched = false;
  /// Cut-off of the method's low-pass [Hz], which half the rate of the data has to exceed.
  std::optional<double> cutoff_hz = {};
};

/// Returns the needs of a method that reads positions, velocities and accelerations of the joints.
/// @param more  beside standard parameters for its unknowns.
EstimatorNeeds ArmNeeds(Capabilities more = {});

/// What of a method's results depends on the choice of the bodies' frames, in which the same robot
/// and the same data have other parameters.
struct FrameDependence {
  std::string_view by = "";  ///< What makes the method itself depend on it; "": nothing does.
  /// It takes the prior's covariance. One of independent unknowns says something else in other
  /// frames; one that is carried over with its bodies does not.
  bool by_prior_sigma = false;

  bool operator==(const FrameDependence&) const = default;
};

/// Method that estimates a robot's parameters from recorded experiments.
///
/// An object holds its options and no other lasting state: the same input gives the same bits, in
/// any order of calls. Only one thread may use an object.
class Estimator {
 public:
  virtual ~Estimator() = default;

  /// Returns the table of this object's options, for reading and writing; it refers to this object.
  virtual FieldTable Fields() = 0;
  virtual EstimatorNeeds needs() const = 0;
  /// Returns true if the method claims E[x̂] = x for a correct model and white noise, without help
  /// from a prior or bounds. Such a method cannot beat the Cramér-Rao bound.
  virtual bool unbiased() const { return false; }
  /// Returns what of the method depends on body frames. Where nothing does, the same robot, data
  /// and prior in other frames give the same predictions and the same eᵀP⁻¹e, but for round-off.
  virtual FrameDependence frame_dependence() const { return {}; }

  /// Returns why the method refuses the problem whatever the data are; "" if it does not.
  std::string WhyRefused(const Problem& problem);

  /// Estimates x from the datasets of role `identification`; ignores all others.
  ///
  /// Does not throw for a failure of the data or the method: it returns an Estimate with outcome
  /// and reason. A result that holds a NaN or an infinity, or has a wrong size, is a failure too.
  /// @throws std::bad_alloc  if memory runs out: that is the machine's failure, not the method's.
  Estimate Run(const Problem& problem, std::span<const Dataset> datasets);

  /// Returns one estimate per checkpoint, then the estimate from all data. Each has the bits of a
  /// Run() on what was recorded up to then (see recorded_time.h), and each can fail on its own.
  ///
  /// @param checkpoints_s  recorded time [s], positive, strictly increasing.
  /// @throws std::invalid_argument if the checkpoints are not positive and strictly increasing.
  std::vector<Estimate> RunAt(const Problem& problem, std::span<const Dataset> datasets,
                              std::span<const double> checkpoints_s);

 protected:
  /// Hook of WhyRefused(): throws what Identify() throws of the problem alone. Default:
  /// CheckNeeds().
  virtual void CheckProblem(const Problem& problem);
  /// Does the work of Run(), which catches what it throws and fills in π.
  virtual Estimate Identify(const Problem& problem, std::span<const Dataset> datasets) = 0;
  /// Does the work of RunAt(). This default calls Run() once per checkpoint.
  virtual std::vector<Estimate> IdentifyAt(const Problem& problem,
                                           std::span<const Dataset> datasets,
                                           std::span<const double> checkpoints_s);

  /// Returns the checked result of `make` with its π, or the failure that `make` threw.
  static Estimate Guarded(const Problem& problem, const std::function<Estimate()>& make);
  /// @throws std::invalid_argument unless they are positive and strictly increasing.
  static void CheckCheckpoints(std::span<const double> checkpoints_s);
  /// @throws EstimationFailure (refused) with the first sentence of UnmetNeeds(needs(), problem).
  void CheckNeeds(const Problem& problem) const;
};

/// Returns one sentence for each of `needs` that `problem` does not meet; empty if it meets all.
std::vector<std::string> UnmetNeeds(const EstimatorNeeds& needs, const Problem& problem);
/// As above, and also checks for the needed channels among those `available` in a dataset.
std::vector<std::string> UnmetNeeds(const EstimatorNeeds& needs, const Problem& problem,
                                    const std::vector<std::string>& available);

}  // namespace idbench
