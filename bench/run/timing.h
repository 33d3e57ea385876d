#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <string>

#include "bench/cell/prepared_cell.h"
#include "bench/trial/labelled_estimators.h"

namespace idbench {

/// How much is timed in a cell.
struct TimingLimit {
  std::int64_t trials = 0;  ///< Of each estimator.
  /// After this time none is begun any more [s], but at least one of each estimator is timed.
  double most_s = std::numeric_limits<double>::infinity();
};

/// Times whole estimates of one cell on the calling thread, in rotating order so that none always
/// has a warm cache; subtracts the cost of reading the clock. These runs are separate from those of
/// the records: a timed run has nothing else to do. Uses the data of a few trials. For online
/// estimators it also times single updates, in a separate pass; an estimate of a method that
/// experiments takes the simulation of its plant with it. Returns the lines of
/// `timings.jsonl`; failed estimates are timed but not listed:
///
///     {"cell": 0, "estimator": "ekf", "trial": 0, "estimate_ms": 18.2, "estimate_cpu_ms": 18.1,
///      "estimate_allocations": 91, "update_us": [4.2, …], "updates": 4000,
///      "update_allocations": 0, "deadline_rate_hz": 100, "deadline_misses": 0}
///
/// `update_us` holds a part of the `updates`; allocations and deadline misses (updates that took
/// longer than 1/rate) count all of them. The rate is the scenario's `deadline_rate_hz`, by default
/// that of the sensors.
/// @param timed  is called after each trial, of which the estimators have been timed.
std::string TimeCell(
    const PreparedCell& context, std::size_t cell, const EstimatorSource& make_estimators,
    const TimingLimit& limit, const std::function<void()>& timed = [] {});

}  // namespace idbench
