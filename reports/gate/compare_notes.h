#pragma once

#include <string>
#include <vector>

#include "reports/gate/compare.h"

namespace idbench {

/// Returns, as sentences, what a reader of the comparison must know of its numbers: what was
/// compared and tested and how, and where no side counts as better.
std::vector<std::string> NotesOf(const Comparison& comparison);

}  // namespace idbench
