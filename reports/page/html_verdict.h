#pragma once

#include <string>

#include "reports/run/run_folder.h"

namespace idbench {

/// Returns how good the identified model is, from `verdict.json` of `idbench identify`: how each
/// joint's held-out torque is predicted, what the data tell, and how the logs were read. "" if
/// there is no such file.
/// @throws ConfigError if the file is damaged.
std::string HtmlVerdict(const RunFolder& folder);

}  // namespace idbench
