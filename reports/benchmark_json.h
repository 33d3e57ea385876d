#pragma once

#include "reports/run_folder.h"

namespace idbench {

/// A run's timings as Google Benchmark writes them, so that its `compare.py` and what tracks its
/// results read them:
///
///     {"context": {…}, "benchmarks": [{"name": "case 1/ekf/update", "run_type": "iteration",
///       "repetitions": 20, "repetition_index": 0, "real_time": 4.2, "cpu_time": 4.2,
///       "time_unit": "us", …}]}
///
/// One entry per timed trial, cell and estimator: `…/estimate` [ms], and of online estimators
/// `…/update` [µs], the median of its updates, whose CPU time is not known apart and repeats the
/// real one. No date, so that the same files give the same bytes.
/// @throws ConfigError if `timings.jsonl` is damaged.
Json BenchmarkJson(const RunFolder& folder);

}  // namespace idbench
