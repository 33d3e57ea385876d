#pragma once

#include <string>

#include "reports/run_folder.h"

namespace idbench {

/// What each estimator identified, from `identified.json` of a run: every parameter with its σ, and
/// what of each standard parameter can be told from the data. "" where there is no such file.
///
/// Of many cells and trials the first tables are shown, the rest is in the file.
/// @throws ConfigError if the file is damaged.
std::string HtmlIdentified(const RunFolder& folder);

}  // namespace idbench
