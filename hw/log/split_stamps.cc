#include "hw/log/split_stamps.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <optional>

#include "scenarios/options/config_error.h"

namespace idbench {
namespace {

constexpr std::int64_t kPerSecond = 1'000'000'000;

/// The stamp of a row; nothing if its parts are none. NaN is none, because it equals nothing.
std::optional<std::int64_t> StampOf(double seconds, double nanoseconds) {
  constexpr double kMostSeconds = 9.2e9;  // 10⁹ times as much stays within 64 bits
  const bool whole = std::floor(seconds) == seconds && std::floor(nanoseconds) == nanoseconds;
  const bool within = std::abs(seconds) < kMostSeconds && nanoseconds >= 0.0 &&
                      nanoseconds < static_cast<double>(kPerSecond);
  if (!whole || !within) return std::nullopt;
  return kPerSecond * static_cast<std::int64_t>(seconds) + static_cast<std::int64_t>(nanoseconds);
}

/// Index of the first row that holds no such stamp; the number of rows if all do.
Eigen::Index FirstWithout(const LogTable& table, Eigen::Index seconds, Eigen::Index nanoseconds) {
  Eigen::Index i = 0;
  while (i < table.values.rows() &&
         StampOf(table.values(i, seconds), table.values(i, nanoseconds)).has_value()) {
    ++i;
  }
  return i;
}

}  // namespace

void JoinStamps(Log& log, const std::string& seconds, const std::string& nanoseconds) {
  for (LogTable& table : log.tables) {
    const Eigen::Index s = table.Find(seconds), ns = table.Find(nanoseconds);
    if (s < 0 || ns < 0) continue;
    const Eigen::Index faulty = FirstWithout(table, s, ns);
    if (faulty < table.values.rows()) {
      throw ConfigError(
          log.source,
          fmt::format("{}{}{} {}, columns '{}' and '{}'", table.name,
                      table.name.empty() ? "" : ", ", table.row,
                      table.places[static_cast<std::size_t>(faulty)], seconds, nanoseconds),
          fmt::format("hold {} and {}", table.values(faulty, s), table.values(faulty, ns)),
          {"accepted of two columns of time: whole seconds and whole nanoseconds from 0 to "
           "999999999"});
    }
    table.stamps_ns.clear();
    for (Eigen::Index i = 0; i < table.values.rows(); ++i) {
      table.stamps_ns.push_back(*StampOf(table.values(i, s), table.values(i, ns)));
    }
  }
}

bool AreSplitStamps(const LogTable& table, const std::string& seconds,
                    const std::string& nanoseconds) {
  return FirstWithout(table, table.Find(seconds), table.Find(nanoseconds)) == table.values.rows();
}

}  // namespace idbench
