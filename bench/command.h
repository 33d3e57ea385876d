#pragma once

#include <boost/program_options.hpp>
#include <functional>
#include <string>
#include <vector>

namespace idbench {

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
