#include "bench/identify/found_time.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "hw/units.h"
#include "robots/recording/resample.h"

namespace idbench {
namespace {

/// The column of time in a table: one that says nothing else goes before "motor_t_1".
const ColumnGroup* TimeBeside(const TimeSearch& search) {
  std::vector<const ColumnGroup*> candidates;
  for (const ColumnGroup& group : search.groups) {
    if (group.channel == kTime && group.table == &search.positions) candidates.push_back(&group);
  }
  std::ranges::stable_sort(candidates, {}, [](const ColumnGroup* group) {
    const LabColumn& column = group->columns.front();
    return column.number || column.motor || !column.rest.empty() || !column.joint.empty() ||
           column.source == ColumnSource::kCommanded;
  });
  return candidates.empty() ? nullptr : candidates.front();
}

/// Says which column of time the rate that was told replaces, and whether it says another rate.
void SayUnused(const ColumnGroup& time, double told_hz, const ColumnUnits& units,
               FoundTime& found) {
  const std::string told =
      fmt::format("time: rows at {:g} Hz, as told, in place of {}", told_hz, time.Describe());
  const Eigen::VectorXd stamps = time.values().col(0);
  const bool readable = time.columns.size() == 1 && stamps.size() > 1 && stamps.allFinite() &&
                        time.columns.front().unknown_unit.empty();
  const std::optional<std::string> unit = readable ? units.OfTimeIfAny(time) : std::nullopt;
  const std::optional<ColumnUnit> known = unit ? UnitBySuffix(*unit) : std::nullopt;
  if (!known) {
    found.sentences.push_back(told);
    return;
  }
  constexpr double kAgrees = 0.01;
  const double rate_hz = NominalRate(stamps) / known->to_si;
  found.sentences.push_back(fmt::format("{}, which makes {:.4g} Hz in {}", told, rate_hz, *unit));
  if (std::abs(rate_hz / told_hz - 1.0) <= kAgrees) return;
  found.findings.push_back(
      {.check = "clock",
       .joint = "",
       .evidence = fmt::format("{} in {} makes {:.4g} Hz, and --rate says {:g} Hz", time.Describe(),
                               *unit, rate_hz, told_hz),
       .cure = "leave out --rate where the stamps are right; accelerations go with its square"});
}

}  // namespace

std::optional<FoundTime> FindTime(const TimeSearch& search, const ColumnUnits& units) {
  FoundTime found;
  const bool has_stamps = !search.positions.stamps_ns.empty();
  if (has_stamps) {
    found.rate_hz = search.told_hz;
    if (search.told != nullptr) {
      found.sentences.push_back(
          fmt::format("time: the stamps of the format, not {}", search.told->Describe()));
    }
    return found;
  }
  const ColumnGroup* const time = search.told != nullptr ? search.told : TimeBeside(search);
  if (search.told_hz) {
    found.rate_hz = search.told_hz;
    if (time != nullptr) SayUnused(*time, *search.told_hz, units, found);
    return found;
  }
  if (time == nullptr) {
    if (!search.own_hz) return std::nullopt;
    found.rate_hz = search.own_hz;
    found.sentences.push_back(
        fmt::format("no column of time: {:g} Hz, as in the robot's own logs", *search.own_hz));
    return found;
  }
  for (const LabColumn& column : time->columns) found.columns.push_back(column.name);
  if (time->columns.size() == 2) {
    found.sentences.push_back(
        fmt::format("time: {}, whole seconds and nanoseconds", time->Describe()));
    return found;
  }
  found.unit = units.OfTime(*time);
  found.sentences.push_back(fmt::format("time: {}, in {}", time->Describe(), *found.unit));
  return found;
}

}  // namespace idbench
