#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/identify/column_groups.h"
#include "robots/log_columns.h"
#include "robots/robot.h"

namespace idbench {

/// Returns the value of that label, or nullptr if there is none.
template <class T>
const T* ValueOf(const Labelled<T>& labelled, std::string_view label) {
  for (const auto& [name, value] : labelled) {
    if (name == label) return &value;
  }
  return nullptr;
}

/// Units of the columns of a recording's logs: those that the user tells, those in the names, or
/// those that the numbers suggest, of which it says so.
class ColumnUnits {
 public:
  /// @param logs      the recording's; outlives this object, as do the others.
  /// @param told      what the user says.
  /// @param sentences where it appends what was assumed.
  ColumnUnits(const std::vector<Log>& logs, const LogColumns& told,
              std::vector<std::string>& sentences)
      : logs_(logs), told_(told), sentences_(sentences) {}

  /// Returns the unit of positions: as they are told; else degrees where they leave the model's
  /// joint limits, or ±4π rad, as radians and not as degrees; else radians. Nothing if each name
  /// ends in its own.
  /// @param joints  those of the columns.
  /// @throws ConfigError (source: the log), as the others below, if names say several units.
  std::optional<std::string> OfPositions(const ColumnGroup& group, const RobotModel& model,
                                         const std::vector<std::string>& joints) const;

  /// Returns the unit of torques: as they are told, else N·m; currents are told to be such.
  std::optional<std::string> OfTorques(const ColumnGroup& group) const;

  /// Returns the unit of time: as it is told, else the largest of s, ms, µs and ns that makes the
  /// rate 10 Hz … 20 kHz. @throws ConfigError too if none does.
  std::string OfTime(const ColumnGroup& group) const;
  /// The same, or nothing if none does.
  std::optional<std::string> OfTimeIfAny(const ColumnGroup& group) const;

 private:
  /// Refuses millimetres of a joint that turns, and degrees of one that slides.
  void CheckKinds(const ColumnGroup& group, const std::string& unit, const RobotModel& model,
                  const std::vector<std::string>& joints) const;
  std::optional<std::string> SaidUnit(const ColumnGroup& group) const;

  const std::vector<Log>& logs_;
  const LogColumns& told_;
  std::vector<std::string>& sentences_;
};

}  // namespace idbench
