#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "robots/recording/channels.h"
#include "scenarios/options/enum_names.h"

namespace idbench {

/// Source of a channel's numbers.
enum class Origin {
  kMeasured,  ///< A sensor's reading.
  kDerived,   ///< Computed from measured channels: filtered, differentiated.
  kOracle,    ///< Exact, from a simulator; not available on a real robot.
};
template <>
inline constexpr auto kEnumNames<Origin> = std::to_array<EnumName<Origin>>(
    {{Origin::kMeasured, "measured"}, {Origin::kDerived, "derived"}, {Origin::kOracle, "oracle"}});

/// Named signal: N samples of k numbers, each sample with its own time stamp.
struct Channel {
  std::string name;  ///< See robots/recording/channels.h.
  std::string unit;
  Eigen::VectorXd time_s;   ///< N, strictly increasing [s].
  Eigen::MatrixXd samples;  ///< N × k
  Eigen::VectorXd sigma;    ///< Declared standard deviation, k [`unit`]; empty if none is declared.
  Origin origin = Origin::kMeasured;
};

enum class Role {
  kIdentification,
  kTuning,
  kValidation,
  kApplication,  ///< What models are used for: observers may watch it.
};
template <>
inline constexpr auto kEnumNames<Role> =
    std::to_array<EnumName<Role>>({{Role::kIdentification, "identification"},
                                   {Role::kTuning, "tuning"},
                                   {Role::kValidation, "validation"},
                                   {Role::kApplication, "application"}});

/// Stretch of time.
struct RecordedTime {
  double start_s = 0.0;  ///< Stamp of its beginning [s].
  double duration_s = 0.0;

  bool operator==(const RecordedTime&) const = default;
};

/// Recording of one experiment, or of an uninterrupted part of it.
class Dataset {
 public:
  Dataset() = default;
  /// @param configuration  name of what is attached to the robot, see RobotModel; "" if nothing can
  ///                       be attached.
  Dataset(std::string label, Role role, std::string configuration = "")
      : label_(std::move(label)), role_(role), configuration_(std::move(configuration)) {}

  const std::string& label() const { return label_; }
  Role role() const { return role_; }
  const std::string& configuration() const { return configuration_; }
  void set_configuration(std::string name) { configuration_ = std::move(name); }
  const std::vector<Channel>& channels() const { return channels_; }

  /// Returns a dataset with the same label, role, configuration and clock, without channels.
  Dataset WithoutChannels() const;

  /// Adds a channel.
  /// @throws std::invalid_argument if there is a channel of that name, sizes contradict each other,
  ///         or time is not finite or does not increase.
  void Add(Channel channel);

  /// Returns the channel, or nullptr if there is none; valid until the next Add().
  const Channel* Find(std::string_view name) const;
  /// Returns the channel; valid until the next Add().
  /// @throws std::invalid_argument if there is none; the message names the channels that exist.
  const Channel& Get(std::string_view name) const;

  /// Cut-off of the zero-phase low-pass of all derived channels [Hz], if there was one.
  std::optional<double> lowpass_cutoff_hz;
  /// Over what time it was recorded, before any sample was dropped: the clock of the experiment,
  /// see RecordedTimeOf(). With a gap behind it, up to the end of that.
  std::optional<RecordedTime> recorded;

 private:
  std::string label_;
  Role role_ = Role::kIdentification;
  std::string configuration_;
  std::vector<Channel> channels_;
};

/// Returns `recorded` of the dataset or, without it, the time from the first sample of any channel
/// to the last; zeros if there are no samples.
RecordedTime RecordedTimeOf(const Dataset& dataset);

}  // namespace idbench
