#pragma once

#include <string>
#include <vector>

namespace idbench {

/// Returns `text` with each $NAME and ${NAME} replaced by the value of that environment variable. A
/// $ without a name after it stays.
///
/// @param details  further lines for the message: where the missing data are available.
/// @throws ConfigError (source: `text`) naming each variable that is not set or empty.
std::string ExpandEnvironment(const std::string& text,
                              const std::vector<std::string>& details = {});

}  // namespace idbench
