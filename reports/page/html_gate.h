#pragma once

#include <string>

#include "reports/run/run_folder.h"

namespace idbench {

/// Returns the gate's verdict, its sentences and all its comparisons, from `gate.json` of a run; ""
/// if there is no such file.
/// @throws ConfigError if the file is damaged.
std::string HtmlGate(const RunFolder& folder);

}  // namespace idbench
