#pragma once

#include "reports/run/run_folder.h"
#include "scenarios/options/json_fwd.h"

namespace idbench {

/// Returns a run's timings in Google Benchmark's format, for its `compare.py` and for tools that
/// track its results:
///
///     {"context": {…}, "benchmarks": [{"name": "case 1/ekf/update", "run_type": "iteration",
///       "repetitions": 20, "repetition_index": 0, "real_time": 4.2, "cpu_time": 4.2,
///       "time_unit": "us", …}]}
///
/// One entry per timed trial, cell and estimator: `…/estimate` [ms] and, for online estimators,
/// `…/update` [µs], the median of its updates, whose CPU time is not measured separately and
/// repeats the real time. `library_build_type` is "debug" for a program with assertions, as Google
/// Benchmark says it of itself; it is absent if the run does not tell. Contains no date, so that
/// the same files give the same bytes.
/// @throws ConfigError if `timings.jsonl` is damaged.
Json BenchmarkJson(const RunFolder& folder);

}  // namespace idbench
