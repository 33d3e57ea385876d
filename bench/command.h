#pragma once

#include <boost/program_options.hpp>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace idbench {

/// Exit codes of the program.
inline constexpr int kExitFine = 0;
inline constexpr int kExitUsage = 2;      ///< Wrong call, or a scenario that cannot be run.
inline constexpr int kExitExecution = 5;  ///< Interrupted, or something failed while running.

/// A call that the program does not understand; what() is printed, and the program ends with
/// kExitUsage.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// One word behind `idbench` and what it does.
struct Command {
  const char* name;
  const char* arguments;  ///< As usage shows them.
  const char* summary;
  boost::program_options::options_description options;
  /// Names of the positional options, each a text; the last one, if it ends with "…", takes all
  /// that are left and is found under its name without the "…".
  std::vector<std::string> positional;
  std::function<int(const boost::program_options::variables_map&)> run;  ///< Returns the exit code.
};

}  // namespace idbench
