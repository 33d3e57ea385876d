#pragma once

#include <string>

#include "robots/robot.h"
#include "scenarios/options/json_fwd.h"

namespace idbench {

/// Returns a table of the joints of the model file that do not move: position, body, and the link
/// that it belongs to, "–" above the root of a part; "" if all move.
std::string HeldTable(const Robot& robot);
/// Returns them as a list of {`name`, `position`, `body`, `link`}; the link is null above the
/// root of a part.
Json HeldJson(const Robot& robot);

}  // namespace idbench
