#pragma once

#include <string>

#include "reports/run/run_folder.h"

namespace idbench {

/// Returns what each estimator identified, from `identified.json` of a run: every parameter with
/// its 95 % interval and σ, dimmed where the motion hardly tells it, and what the data can tell of
/// each standard parameter. "" if there is no such file.
///
/// The table of the model that `idbench identify` wrote is open, else the first of a fit.
/// For many cells and trials it shows the first tables; the file has the rest.
/// @throws ConfigError if the file is damaged.
std::string HtmlIdentified(const RunFolder& folder);

}  // namespace idbench
