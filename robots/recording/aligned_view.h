#pragma once

#include <Eigen/Core>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "robots/recording/dataset.h"
#include "robots/recording/resample.h"
#include "scenarios/options/fields.h"

namespace idbench {

/// What to do if the channels that an estimator asks for were not sampled together.
enum class AlignmentPolicy { kRefuse, kResample };
template <>
inline constexpr auto kEnumNames<AlignmentPolicy> = std::to_array<EnumName<AlignmentPolicy>>(
    {{AlignmentPolicy::kRefuse, "refuse"}, {AlignmentPolicy::kResample, "resample"}});

struct AlignmentOptions {
  AlignmentPolicy policy = AlignmentPolicy::kRefuse;
  std::optional<double> rate_hz;                        ///< With kResample: the common rate [Hz].
  Interpolation interpolation = Interpolation::kCubic;  ///< With kResample.
};
FieldTable Visit(AlignmentOptions& options);

/// Why channels could not be aligned.
enum class AlignmentOutcome {
  kOk,
  kMissingChannel,  ///< The dataset lacks a requested channel.
  kTimesDiffer,     ///< The channels have different time stamps, and the policy is kRefuse.
  kNoCommonTime,    ///< The channels share no time span with enough samples to interpolate.
};
std::string_view ToString(AlignmentOutcome outcome);

/// Several channels of a dataset on one time vector: the input of an estimator.
///
///     const AlignedView view = Align(dataset, {{kJointPosition, kJointTorque}}, options);
///     if (!view.ok()) return Refused(view.reason());
///     view.time_s()[i], view[0].row(i), view[1].row(i)
///
/// Channels that share their time vector are not copied: the view refers to its dataset, which must
/// outlive it and must not get further channels meanwhile.
class AlignedView {
 public:
  bool ok() const { return outcome_ == AlignmentOutcome::kOk; }
  AlignmentOutcome outcome() const { return outcome_; }
  /// Returns a sentence for the estimate that fails because of this; empty if ok().
  const std::string& reason() const { return reason_; }

  /// Returns the number of samples N.
  Eigen::Index size() const { return time_s().size(); }
  /// Returns N time stamps, strictly increasing [s].
  const Eigen::VectorXd& time_s() const { return shared_time_ ? *shared_time_ : own_time_; }
  /// Returns the N × k samples of the i-th requested channel.
  const Eigen::MatrixXd& operator[](std::size_t i) const;
  /// Returns that channel with its name, unit, σ and origin; its time and samples are the
  /// recorded ones.
  const Channel& channel(std::size_t i) const { return *signals_.at(i).channel; }

  /// Returns true if some channel is exact, from a simulator.
  bool uses_oracle() const;
  /// Returns true if the samples were interpolated; declared σ then no longer hold.
  bool resampled() const { return shared_time_ == nullptr; }
  /// Returns 1 / (median step) [Hz].
  /// @throws std::invalid_argument if there are fewer than two samples.
  double nominal_rate_hz() const;
  /// Returns true if no step differs from the median step by more than `tolerance` times that step.
  bool IsUniform(double tolerance) const;

 private:
  friend AlignedView Align(const Dataset&, std::span<const std::string_view>,
                           const AlignmentOptions&);

  struct Signal {
    const Channel* channel;
    Eigen::MatrixXd resampled;  // empty if the channel's own samples are used
  };

  static AlignedView Refusal(AlignmentOutcome outcome, std::string reason);
  /// Interpolates all signals at common instants.
  static AlignedView Resampled(const Dataset& dataset, std::vector<Signal> signals,
                               const AlignmentOptions& options);

  AlignmentOutcome outcome_ = AlignmentOutcome::kOk;
  std::string reason_;
  const Eigen::VectorXd* shared_time_ = nullptr;
  Eigen::VectorXd own_time_;
  std::vector<Signal> signals_;
};

/// Returns the named channels on one time vector.
///
/// Under "refuse" they must have the same time stamps (up to kSameTimeTolerance), which need not be
/// uniform. Under "resample" they are interpolated over the time that all of them cover, at
/// `rate_hz`; without a rate they are interpolated only if their time stamps differ, at the nominal
/// rate of the slowest. Channels that already have that time are left unchanged.
/// @throws std::invalid_argument if `channels` is empty.
AlignedView Align(const Dataset& dataset, std::span<const std::string_view> channels,
                  const AlignmentOptions& options = {});
AlignedView Align(const Dataset& dataset, std::initializer_list<std::string_view> channels,
                  const AlignmentOptions& options = {});

}  // namespace idbench
