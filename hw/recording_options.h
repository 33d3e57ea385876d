#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "hw/files/csv_log.h"
#include "hw/files/numpy_log.h"
#include "hw/ros2/rosbag2_log.h"
#include "hw/units.h"
#include "robots/recording/channels.h"
#include "scenarios/options/fields.h"

namespace idbench {

/// A value for time and for each channel that a recording may hold; absent if it is not recorded.
template <class T>
class PerColumn {
 public:
  /// @param name  kTime or the name of a channel. @throws std::invalid_argument if it is neither.
  std::optional<T>& operator[](std::string_view name) {
    return name == kTime ? time_ : channels_[name];
  }
  const std::optional<T>& operator[](std::string_view name) const {
    return name == kTime ? time_ : channels_[name];
  }

  /// Returns kTime and the names of the channels, those at several places where they are there.
  std::vector<std::string_view> names() const {
    std::vector<std::string_view> all = {kTime};
    for (const std::string_view name : channels_.names()) all.push_back(name);
    return all;
  }
  /// Returns the values of a kind of channel that is at several places.
  Labelled<std::optional<T>>& PlacesOf(const ChannelInfo& kind) { return channels_.PlacesOf(kind); }

 private:
  std::optional<T> time_;
  PerChannel<std::optional<T>> channels_;
};

/// Names of columns: a pattern (see ExpandPattern()), or a list of names as they are, which may
/// hold commas and braces.
struct ColumnNames {
  std::string pattern;            ///< Unless there is a list.
  std::vector<std::string> list;  ///< Empty if there is a pattern.

  ColumnNames() = default;
  ColumnNames(std::string names) : pattern(std::move(names)) {}
  ColumnNames(const char* names) : pattern(names) {}
  bool operator==(const ColumnNames&) const = default;

  /// Returns the names in order; none if there is a problem.
  /// @param[out] problem  what is wrong with them; "" if nothing is.
  std::vector<std::string> Expand(std::string& problem) const;
};
/// A text, or a list of texts.
template <>
struct Binding<ColumnNames> {
  static void Read(const Json& json, const std::string& pointer, const FieldInfo& info,
                   ColumnNames& value, std::vector<Issue>& issues);
  static void Write(const ColumnNames& value, Json& json);
  static void Schema(const FieldInfo& info, const ColumnNames& value, Json& schema);
};

/// Columns of time and of each channel. Two columns of time are the whole seconds and the
/// nanoseconds of one stamp.
struct RecordingColumns : PerColumn<ColumnNames> {};
FieldTable Visit(RecordingColumns& columns);

/// Units, "deg", "rad_s" …, of channels whose column names do not end in their unit.
struct RecordingUnits : PerColumn<std::string> {};
FieldTable Visit(RecordingUnits& units);

/// What the columns of a channel are multiplied by, or what is added to them then: one number, or
/// one per column. Of that channel alone: rates that were recorded have their own.
struct RecordingFactors : PerChannel<std::optional<PerJoint>> {};
FieldTable Visit(RecordingFactors& factors);
struct RecordingOffsets : PerChannel<std::optional<PerJoint>> {};
FieldTable Visit(RecordingOffsets& offsets);

/// Standard deviation of the noise in the channels that estimators fit, after processing: one
/// number, or one per column; absent if unknown.
struct RecordingSigma : PerChannel<std::optional<PerJoint>> {};
FieldTable Visit(RecordingSigma& sigma);
/// Returns the key of the σ of a channel or a kind of channels: "joint_torque_nm".
std::string SigmaKey(const ChannelInfo& channel);

/// How the files of a recording are read; see hw/log/log.h for how a further format joins.
using RecordingFormat = std::variant<CsvFormat, NumpyFormat, Rosbag2Format>;

/// Returns true if the files of the format hold time stamps that are no column.
bool HasOwnTime(const RecordingFormat& format);

/// What is done with rows that cannot be used.
enum class FaultyRows {
  kRefuse,
  kDrop,  ///< They are left out, which is told.
};
template <>
inline constexpr auto kEnumNames<FaultyRows> = std::to_array<EnumName<FaultyRows>>(
    {{FaultyRows::kRefuse, "refuse"}, {FaultyRows::kDrop, "drop"}});

/// Folder of recordings in files of one format with the same columns.
struct RecordingOptions {
  RecordingFormat format;
  std::string root;  ///< As written: $NAME and ${NAME} are expanded when a file is read.
  /// Where the recordings are available; part of the message if they are missing.
  std::string source;
  std::int64_t skip_samples = 0;  ///< Rows dropped from the beginning, before time is checked.
  RecordingColumns columns;
  RecordingUnits units;
  RecordingFactors factors;  ///< Of columns in SI units: gear ratios, drive gains, signs.
  RecordingOffsets offsets;  ///< Added behind the factors, in SI units: zeros of encoders.
  /// A step of time, forward or back, of more than so many usual steps (see FindBreaks()) splits a
  /// recording; absent: no step does.
  ///
  /// Ten: over so many missing steps of a 200 Hz log of an arm a cubic errs by 0.01 % of a torque's
  /// standard deviation, over 40 by 0.25 %, over 100 by 5.8 %.
  std::optional<double> gap_steps = 10.0;
  FaultyRows unordered_rows = FaultyRows::kRefuse;  ///< Whose time does not increase.
  /// That lack numbers of a channel; dropped of that channel alone.
  FaultyRows incomplete_rows = FaultyRows::kRefuse;
  /// For files without time, or instead of the format's own stamps; their first row is at 0 s.
  std::optional<double> rate_hz;
  /// Channels that the recording's authors computed or filtered; their origin is kDerived.
  std::vector<std::string> derived;
  RecordingSigma declared_sigma;
};

/// Files of one recording: a single one, or one for each channel.
struct RecordingFiles {
  std::string all = "";  ///< "" if each channel has its own.
  Labelled<std::string> by_channel =
      {};  ///< By the channel's name; a file may stand several times.

  bool operator==(const RecordingFiles&) const = default;

  /// Returns the names of the files, each once.
  std::vector<std::string> names() const;
  /// Returns the file of a channel, or nullptr if it has none.
  const std::string* Of(std::string_view channel) const;
};
/// A text, or an object of texts by channel.
template <>
struct Binding<RecordingFiles> {
  static void Read(const Json& json, const std::string& pointer, const FieldInfo& info,
                   RecordingFiles& value, std::vector<Issue>& issues);
  static void Write(const RecordingFiles& value, Json& json);
  static void Schema(const FieldInfo& info, const RecordingFiles& value, Json& schema);
};

/// The table checks that patterns are well formed, every column has a unit that fits its channel,
/// and time is given in one way.
FieldTable Visit(RecordingOptions& options);

/// Column of a file.
struct RecordingColumn {
  std::string name;
  ColumnUnit unit;
  double factor = 1.0, offset = 0.0;  ///< SI units = factor · column in SI units + offset.
};

/// Columns of time (`channel` is kTime) or of a channel.
struct ChannelColumns {
  std::string_view channel;
  std::vector<RecordingColumn> columns;
};

/// Returns the columns that the options name, time first. Appends an issue for a bad pattern
/// and for a column without a fitting unit, and leaves such columns out; `where` is relative
/// to the options.
std::vector<ChannelColumns> ResolveColumns(const RecordingOptions& options,
                                           std::vector<Issue>& issues);

}  // namespace idbench
