#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "estimators/estimate.h"
#include "estimators/problem.h"
#include "scenarios/options/fields.h"

namespace idbench {

/// What the unknowns of a problem have to be.
enum class Unknowns {
  kStandard,    ///< What makes up the standard parameters π.
  kLagrangian,  ///< The β of a PlanarLagrangian.
  kAny,
};

/// What a method cannot do without. The harness refuses a scenario that cannot supply it.
struct EstimatorNeeds {
  std::vector<std::string_view> channels = {};  ///< Beside what the equations measure.
  Unknowns unknowns = Unknowns::kStandard;
  bool affine = false;            ///< π must be affine in x.
  bool prior = false;             ///< The problem must state a prior.
  bool prior_covariance = false;  ///< And say how far it may be off.
  bool declared_sigma = false;    ///< Of every equation row, positive.
  bool bounds = false;            ///< Of every unknown, finite ones on both sides.
  bool measurements = true;       ///< The channels that the problem's equations measure.
};

/// A method that estimates a robot's parameters from recorded experiments.
///
/// An object holds its options and nothing else that lasts: the same input gives the same bits, in
/// any order of calls. One object is used by one thread.
class Estimator {
 public:
  virtual ~Estimator() = default;

  /// The options of this object, to be read and written.
  virtual FieldTable Fields() = 0;
  virtual EstimatorNeeds needs() const = 0;
  /// True if the method declares: E[x̂] = x where the model is right and noise is white, without
  /// help from a prior or bounds. It cannot beat the Cramér-Rao bound then.
  virtual bool unbiased() const { return false; }

  /// Estimates from the datasets of role `identification`; others are left alone.
  ///
  /// Never throws for what the data or the method do: a failure is an Estimate with its outcome and
  /// reason. A result with a NaN or an infinity, or of a wrong size, is a failure too.
  /// @throws std::bad_alloc: memory is the machine's failure, not the method's.
  Estimate Run(const Problem& problem, std::span<const Dataset> datasets);

  /// One estimate per checkpoint, then the one of all data: each has the bits of a Run() on what
  /// had been recorded by then (see recorded_time.h), and fails on its own.
  ///
  /// @param checkpoints_s  recorded time [s], positive, increasing.
  /// @throws std::invalid_argument for checkpoints that are not.
  std::vector<Estimate> RunAt(const Problem& problem, std::span<const Dataset> datasets,
                              std::span<const double> checkpoints_s);

 protected:
  virtual Estimate Identify(const Problem& problem, std::span<const Dataset> datasets) = 0;
  /// What RunAt() returns. Here: a Run() for each.
  virtual std::vector<Estimate> IdentifyAt(const Problem& problem,
                                           std::span<const Dataset> datasets,
                                           std::span<const double> checkpoints_s);

  /// What `make` returns, checked and with its π; or the failure that it threw.
  static Estimate Guarded(const Problem& problem, const std::function<Estimate()>& make);
  /// @throws EstimationFailure (refused) for the first of UnmetNeeds() that is the problem's.
  void CheckNeeds(const Problem& problem) const;
};

/// What `needs` asks for and `problem` does not supply, one sentence each.
std::vector<std::string> UnmetNeeds(const EstimatorNeeds& needs, const Problem& problem);
/// Likewise `problem`, or a dataset with the channels `available`.
std::vector<std::string> UnmetNeeds(const EstimatorNeeds& needs, const Problem& problem,
                                    const std::vector<std::string>& available);

}  // namespace idbench
