#pragma once

#include <concepts>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "estimators/interface/estimator.h"
#include "estimators/interface/series.h"

namespace idbench {

/// Names of series and labels that metrics read.
///
/// Of all that acts on the robot from outside, as a force at its end effector: columns x, y, z in
/// the axes of the base [N].
inline constexpr std::string_view kExternalForce = "external_force";
/// One column: the larger, the more likely what the observer detects.
inline constexpr std::string_view kStatistic = "statistic";
/// Labels: whether the observer says that it is there, in classes of which the first is "no".
inline constexpr std::string_view kDetected = "detected";

/// Columns x, y, z: the point at which something touches a link, in that link's frame [m].
inline constexpr std::string_view kTouchPlace = "touch_place";

/// Alarms that are no further apart are one episode [s], and so is what is to be detected.
inline constexpr double kJoinAlarms = 0.2;

/// What an observer looks for.
enum class Detects {
  kNothing,
  kContact,  ///< Something touches the robot.
  kPayload,  ///< What the robot carries is not what it carried in the training data.
};

/// What was observed in one dataset.
struct Observation {
  Outcome outcome = Outcome::kOk;
  std::string reason;          ///< Says why there is nothing; empty if there is.
  std::vector<Series> series;  ///< Over the stamps of the dataset.
  std::vector<Labels> labels;
  /// The statistic above which it takes something for there; absent: it compares with nothing.
  std::optional<double> threshold = {};

  bool ok() const { return outcome == Outcome::kOk; }
};

/// Method that tells from data and a model of the robot what acts on it: forces, contacts, changes
/// of its load. It judges a model by what that is used for.
///
/// The model is an estimate of any method, the prior, or the truth: an observer reads Estimate::pi
/// and does not know of which. An object holds its options and no other lasting state. Only one
/// thread may use an object.
class Observer {
 public:
  virtual ~Observer() = default;

  /// Returns the table of this object's options, for reading and writing; it refers to this object.
  virtual FieldTable Fields() = 0;
  virtual EstimatorNeeds needs() const = 0;
  /// Returns the names of the series that it gives.
  virtual std::vector<std::string_view> gives() const = 0;
  virtual Detects detects() const { return Detects::kNothing; }
  /// Returns the name of the body on which it takes forces to act; "" for the end effector, or
  /// where it tells no force.
  virtual std::string touched_body() const { return ""; }
  /// Returns true if no observation at an instant depends on later samples of its own dataset.
  virtual bool causal() const = 0;

  /// Returns why the observer refuses the problem whatever model and data are; "" if it does not.
  std::string WhyRefused(const Problem& problem) const;

  /// Observes one dataset.
  ///
  /// Does not throw for a failure of the data or the method: it returns an Observation with outcome
  /// and reason. Series of wrong sizes are a failure too.
  /// @param model     an estimate that did not fail, with π.
  /// @param training  all datasets of the trial; those of role `identification` tell what residuals
  ///                  are like where nothing acts. Others are ignored.
  /// @param watched   of role `application`.
  /// @throws std::bad_alloc  if memory runs out.
  Observation Observe(const Problem& problem, const Estimate& model,
                      std::span<const Dataset> training, const Dataset& watched);

 protected:
  /// Hook of WhyRefused(): throws what Watch() would throw of the problem and the options alone.
  /// Default: refuses what does not meet needs().
  virtual void CheckProblem(const Problem& problem) const;
  /// Does the work of Observe(), which has checked the problem and catches what it throws.
  virtual Observation Watch(const Problem& problem, const Estimate& model,
                            std::span<const Dataset> training, const Dataset& watched) = 0;
};

/// Observer that holds its options, a struct whose Visit() makes the table of Fields().
template <HasFields Options>
class ConfiguredObserver : public Observer {
 public:
  FieldTable Fields() final { return Visit(options_); }

 protected:
  Options options_;
};

}  // namespace idbench
