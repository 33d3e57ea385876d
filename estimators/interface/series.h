#pragma once

#include <Eigen/Core>
#include <string>
#include <string_view>
#include <vector>

namespace idbench {

/// Signals over time that belong to an estimate or an observation.
struct Series {
  std::string name;                  ///< "parameters", "external_force".
  std::vector<std::string> columns;  ///< Name of each signal, k.
  std::vector<std::string> units;    ///< Of each signal, k; "1" for a pure number.
  Eigen::VectorXd time_s;            ///< N, never decreasing [s].
  Eigen::MatrixXd values;            ///< N × k; NaN where there is no value.
};

/// What is recognised over time: one of several classes from each instant to the next.
struct Labels {
  std::string name;                  ///< "contact", "tool".
  std::vector<std::string> classes;  ///< "free", "contact".
  Eigen::VectorXd time_s;            ///< N, never decreasing [s].
  Eigen::VectorXi chosen;  ///< N, indices into `classes`; −1 where nothing is recognised.
};

/// Returns what is wrong with a series or with labels, "has 3 columns, 2 names and 3 units"; "" if
/// nothing is.
std::string FaultOf(const Series& series);
std::string FaultOf(const Labels& labels);

/// Returns "the series 'T2' has …" of the first that is wrong; "" if none is.
std::string FirstFaultOf(const std::vector<Series>& series, const std::vector<Labels>& labels);

/// Returns the one of that name, or nullptr if there is none.
template <class T>
const T* FindNamed(const std::vector<T>& all, std::string_view name) {
  for (const T& each : all) {
    if (each.name == name) return &each;
  }
  return nullptr;
}

}  // namespace idbench
