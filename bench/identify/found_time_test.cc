#include "bench/identify/found_time.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "bench/identify/sine_log_test.h"

namespace idbench {
namespace {

TEST_CASE("A rate that is told replaces stamps, and a contradiction is a finding") {
  const std::vector<std::string> names = {"t", "q1", "q2", "tau1", "tau2"};
  LogColumns told;
  told.rate_hz = 100.5;  // half a per cent beside the stamps
  FoundColumns found = FindInLog(SineLog(names, 1e3), told);
  CHECK(found.rate_hz == 100.5);
  CHECK(found.sentences.back() ==
        "time: rows at 100.5 Hz, as told, in place of t, which makes 100 Hz in ms");
  CHECK(found.findings.empty());
  told.rate_hz = 110.0;
  found = FindInLog(SineLog(names), told);
  REQUIRE(found.findings.size() == 1);
  CHECK(found.findings.front().check == "clock");
  CHECK(found.findings.front().evidence == "t in s makes 100 Hz, and --rate says 110 Hz");
  // Nor are stamps in a unit that is not read refused, which the rate replaces.
  Log log = SineLog(names);
  log.tables.front().below_names = {"ticks", "rad", "rad", "Nm", "Nm"};
  CHECK(FindInLog(log, told).sentences.back() == "time: rows at 110 Hz, as told, in place of t");
  // A column that the user says is compared as well.
  told.columns = {{"time", "clock2"}};
  found = FindInLog(SineLog({"clock2", "q1", "q2", "tau1", "tau2"}), told);
  REQUIRE(found.findings.size() == 1);
  CHECK(found.findings.front().evidence == "clock2 in s makes 100 Hz, and --rate says 110 Hz");
  told.columns.clear();
  // Counts of rows are no time.
  found = FindInLog(SineLog(names, 1e12), told);
  CHECK(found.sentences.back() == "time: rows at 110 Hz, as told, in place of t");
  CHECK(found.findings.empty());
}

TEST_CASE("Stamps of the format go before columns, and a rate before both") {
  Log log = SineLog({"t", "q1", "q2", "tau1", "tau2"});
  for (Eigen::Index i = 0; i < log.tables.front().values.rows(); ++i) {
    log.tables.front().stamps_ns.push_back(10'000'000 * i);
  }
  FoundColumns found = FindInLog(log);
  CHECK_FALSE(found.columns[kTime].has_value());
  LogColumns told;
  told.columns = {{"time", "t"}};
  found = FindInLog(log, told);
  CHECK_FALSE(found.columns[kTime].has_value());
  CHECK(found.sentences.back() == "time: the stamps of the format, not t");
  told.columns = {{"time", "t_ms"}};
  CHECK(LogRefusal(log, told).find("no column 't_ms'") != std::string::npos);
  told.columns.clear();
  told.rate_hz = 90.0;
  CHECK(FindInLog(log, told).rate_hz == 90.0);
}

TEST_CASE("A column that is time alone goes before one that says more") {
  CHECK(FindInLog(SineLog({"t", "motor_t_1", "q1", "q2", "tau1", "tau2"})).columns[kTime]->list ==
        NameList{"t"});
  Log log = SineLog({"time", "motor_t_1", "q1", "q2", "tau1", "tau2"});
  std::swap(log.tables[0].columns[0], log.tables[0].columns[1]);
  log.tables[0].values.col(0).swap(log.tables[0].values.col(1));
  CHECK(FindInLog(log).columns[kTime]->list == NameList{"time"});
}

TEST_CASE("Time without a unit is in the one that makes the rate plausible") {
  for (const auto& [unit, per_second] :
       {std::pair("s", 1.0), std::pair("ms", 1e3), std::pair("us", 1e6), std::pair("ns", 1e9)}) {
    const FoundColumns found = FindInLog(SineLog({"time", "q1", "q2", "tau1", "tau2"}, per_second));
    CHECK(found.units[kTime] == unit);
  }
  CHECK(LogRefusal(SineLog({"time", "q1", "q2", "tau1", "tau2"}, 1e-4))
            .find("which makes no rate between 10 Hz and 20000 Hz") != std::string::npos);
}

TEST_CASE("Seconds and nanoseconds of one stamp are time together, unless one is missing") {
  Log log = SineLog({"header.stamp.nsecs", "header.stamp.secs", "q1", "q2", "tau1", "tau2"});
  Eigen::MatrixXd& values = log.tables.front().values;
  for (Eigen::Index i = 0; i < values.rows(); ++i) {
    const Eigen::Index seconds = i / 100;
    values(i, 1) = 1.7e9 + static_cast<double>(seconds);
    values(i, 0) = 1e7 * static_cast<double>(i % 100);
  }
  const FoundColumns found = FindInLog(log);
  CHECK(found.columns[kTime]->list == NameList{"header.stamp.secs", "header.stamp.nsecs"});
  CHECK_FALSE(found.units[kTime].has_value());
  CHECK(std::ranges::find(found.sentences,
                          "time: header.stamp.secs, header.stamp.nsecs, whole seconds and "
                          "nanoseconds") != found.sentences.end());

  LogColumns told;
  told.columns = {{"time", "header.stamp.{secs,nsecs}"}};
  CHECK(FindInLog(log, told).columns[kTime]->list == found.columns[kTime]->list);

  values.col(1).array() += 0.5;  // no whole seconds
  log.tables.front().columns[0] = "t_s";
  values.col(0) = Eigen::VectorXd::LinSpaced(values.rows(), 0.0, 3.99);
  CHECK(FindInLog(log).columns[kTime]->list == NameList{"t_s"});
}

}  // namespace
}  // namespace idbench
