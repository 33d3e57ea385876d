#include "hw/log/split_stamps.h"

#include <doctest/doctest.h>

#include <limits>
#include <utility>

#include "scenarios/options/config_error.h"

namespace idbench {
namespace {

/// A log with rows {seconds, nanoseconds} as its only columns.
Log LogOf(const Eigen::MatrixX2d& rows) {
  Log log{"log.csv", {}};
  LogTable& table = log.tables.emplace_back();
  table.columns = {"sec", "nanosec"};
  table.values = rows;
  for (Eigen::Index i = 0; i < rows.rows(); ++i) table.places.push_back(i + 2);
  return log;
}

TEST_CASE("Stamps in two columns are joined to the nanosecond") {
  Log log = LogOf(Eigen::MatrixX2d{{1700000000.0, 999999999.0}, {1700000001.0, 0.0}});
  CHECK(AreSplitStamps(log.tables.front(), "sec", "nanosec"));
  JoinStamps(log, "sec", "nanosec");
  CHECK(log.tables.front().stamps_ns ==
        std::vector<std::int64_t>{1700000000999999999, 1700000001000000000});
}

TEST_CASE("A table that lacks one of the two columns has no stamps") {
  Log log = LogOf(Eigen::MatrixX2d{{1.0, 2.0}});
  JoinStamps(log, "sec", "nsecs");
  CHECK(log.tables.front().stamps_ns.empty());
}

TEST_CASE("What cannot be parts of a stamp is refused by its row") {
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  for (const auto& [seconds, nanoseconds] :
       {std::pair(0.5, 0.0), std::pair(1.0, 0.5), std::pair(1.0, -1.0), std::pair(1.0, 1e9),
        std::pair(1e10, 0.0), std::pair(kNaN, 0.0), std::pair(1.0, kNaN)}) {
    CAPTURE(seconds);
    CAPTURE(nanoseconds);
    Log log = LogOf(Eigen::MatrixX2d{{1.0, 0.0}, {seconds, nanoseconds}});
    CHECK_FALSE(AreSplitStamps(log.tables.front(), "sec", "nanosec"));
    CHECK_THROWS_WITH_AS(JoinStamps(log, "sec", "nanosec"),
                         doctest::Contains("line 3, columns 'sec' and 'nanosec'"), ConfigError);
  }
}

}  // namespace
}  // namespace idbench
