#pragma once

#include <stdexcept>

namespace idbench {

/// Exit codes of the program.
inline constexpr int kExitFine = 0;
inline constexpr int kExitRegression = 1;    ///< A gate found one.
inline constexpr int kExitUsage = 2;         ///< Wrong call, or a scenario that cannot run.
inline constexpr int kExitInconclusive = 3;  ///< A gate has too few trials to tell.
inline constexpr int kExitIncomparable = 4;  ///< The two sides of a gate cannot be compared.
inline constexpr int kExitExecution = 5;  ///< Interrupted, or something failed while running: the
                                          ///< program, or an estimator in all its trials.

/// Call that the program does not understand. The program prints what() and ends with kExitUsage.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace idbench
