#pragma once

#include <string>

#include "reports/run/run_folder.h"

namespace idbench {

/// Returns what looks wrong in a lab's logs, from `checks.json` of `idbench identify`: what was
/// found and its cure, or that there is nothing. "" if there is no such file.
/// @throws ConfigError if the file is damaged.
std::string HtmlChecks(const RunFolder& folder);

}  // namespace idbench
