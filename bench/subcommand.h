#pragma once

#include <boost/program_options.hpp>
#include <functional>
#include <string>
#include <vector>

namespace idbench {

/// Subcommand of `idbench`.
struct Subcommand {
  const char* name;
  std::string arguments;  ///< As printed in the usage.
  const char* summary;
  boost::program_options::options_description options;
  /// Names of the positional options, each a text. A last name that ends with "…" takes all
  /// remaining arguments and is stored without the "…".
  std::vector<std::string> positional;
  std::function<int(const boost::program_options::variables_map&)> run;  ///< Returns the exit code.
};

}  // namespace idbench
