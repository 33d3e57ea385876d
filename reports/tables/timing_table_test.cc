#include "reports/tables/timing_table.h"

#include <doctest/doctest.h>

#include "reports/tables/render.h"

namespace idbench {
namespace {

EstimatorSummary Timed(const std::string& label, double estimate_ms) {
  EstimatorSummary estimator;
  estimator.label = label;
  estimator.estimate_ms = {estimate_ms, std::nullopt, 20};
  return estimator;
}

EstimatorSummary Online(double update_us, std::size_t misses) {
  EstimatorSummary estimator = Timed("ekf", 20);
  estimator.update_us = {update_us, 2 * update_us, 500};
  estimator.update_allocations = 0;
  estimator.deadline = {100, 4000, misses};
  return estimator;
}

TEST_CASE("Times stand in a table, of several cells the largest, with deadlines and allocations") {
  Summary summary;
  summary.cells.emplace_back().estimators = {Timed("ols", 2), Online(4, 10)};
  summary.cells.emplace_back().estimators = {Timed("ols", 3), Online(5, 2)};
  CHECK(RenderMarkdown(MakeTimingTable(summary).value()) ==
        "## Time of an estimate, regressors included, and of one update of online methods\n"
        "\n"
        "| estimator | estimate [ms] | update [µs] | update, p99 [µs] | allocations an update | "
        "deadlines missed [%] |\n"
        "| --------- | ------------: | ----------: | ---------------: | --------------------: | "
        "-------------------: |\n"
        "| ols       |           3.0 |           – |                – |                     – |    "
        "                – |\n"
        "| ekf       |          20.0 |        5.00 |             10.0 |                     0 |    "
        "            0.250 |\n"
        "\n"
        "- medians and 99 % quantiles, alone on one thread, of 20 estimates each; the largest of 2 "
        "cells each\n"
        "- deadline of an update: 1/100 s\n");
}

TEST_CASE("Where there was no time for as many, the table says on how many it stands") {
  Summary summary;
  summary.cells.emplace_back().estimators = {Timed("ols", 2), Timed("slow", 900)};
  summary.cells.emplace_back().estimators = {Timed("ols", 2), Timed("slow", 900)};
  summary.cells[1].estimators[1].estimate_ms->n = 3;
  CHECK(MakeTimingTable(summary).value().notes.front() ==
        "medians and 99 % quantiles, alone on one thread, of 3–20 estimates each; the largest of 2 "
        "cells each");
  summary.cells = {CellSummary{}};
  summary.cells[0].estimators = {Timed("ols", 2)};
  summary.cells[0].estimators[0].estimate_ms->n = 1;
  CHECK(MakeTimingTable(summary).value().notes.front() ==
        "medians and 99 % quantiles, alone on one thread, of 1 estimate each");
}

TEST_CASE("Times that hold σ under correlated noise are told") {
  Summary summary;
  summary.cells.emplace_back().estimators = {Timed("ols", 2), Timed("ridge", 1)};
  const auto notes = [&] { return MakeTimingTable(summary).value().notes; };
  CHECK(notes().size() == 1);
  summary.cells[0].estimators[0].tally.notes[{"sigma", "that of residuals"}] = {1, ""};
  REQUIRE(notes().size() == 2);
  CHECK(notes().back() ==
        "ols: with σ for residuals correlated in time, which may take far longer than x");
}

TEST_CASE("What was not timed has no table") {
  Summary summary;
  CHECK_FALSE(MakeTimingTable(summary).has_value());
  summary.cells.emplace_back().estimators.emplace_back().label = "ols";
  CHECK_FALSE(MakeTimingTable(summary).has_value());
}

}  // namespace
}  // namespace idbench
