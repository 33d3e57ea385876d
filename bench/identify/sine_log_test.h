#pragma once

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "bench/identify/found_columns.h"
#include "robots/robot.h"
#include "scenarios/options/config_error.h"

/// Logs for the tests of what columns are found.
namespace idbench {

using NameList = std::vector<std::string>;

/// A table of N rows: time at 100 Hz in `per_second`, then sines of other phases.
inline Log SineLog(std::vector<std::string> columns, double per_second = 1.0) {
  const Eigen::Index rows = 400;
  Eigen::MatrixXd values(rows, std::ssize(columns));
  for (Eigen::Index i = 0; i < rows; ++i) {
    const double t = 0.01 * static_cast<double>(i);
    values(i, 0) = per_second * t;
    for (Eigen::Index j = 1; j < values.cols(); ++j) {
      values(i, j) = std::sin(3.0 * t + static_cast<double>(j));
    }
  }
  Log log{"log.csv", {}};
  log.tables.push_back({"", std::move(columns), std::move(values), {}, "line", {}});
  return log;
}

inline FoundColumns FindInLog(const Log& log, const LogColumns& told = {},
                              const char* robot = "planar2") {
  return FindColumns({log}, {"log"}, LoadWhole(robot), told);
}

inline std::string LogRefusal(const Log& log, const LogColumns& told = {}) {
  try {
    FindInLog(log, told);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace idbench
