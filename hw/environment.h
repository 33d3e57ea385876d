#pragma once

#include <string>
#include <vector>

namespace idbench {

/// `text` with each $NAME and ${NAME} replaced by the value of that environment variable. A $ that
/// no name follows stays as it is.
///
/// @param details  further lines for the message: where what is missing can be had.
/// @throws ConfigError (source: `text`) naming each variable that is not set or empty.
std::string ExpandEnvironment(const std::string& text,
                              const std::vector<std::string>& details = {});

}  // namespace idbench
