#pragma once

#include <string>
#include <string_view>

#include "scenarios/options/json_fwd.h"

namespace idbench {

/// Returns JSON as text that is UTF-8 whatever its strings hold: each ill-formed sequence becomes
/// U+FFFD. (Json::dump() throws there, and a message may quote any bytes of a user's file.)
///
/// @param indent  spaces of each level; −1: all in one line.
std::string JsonText(const Json& json, int indent = -1);

/// Returns a text with each sequence that is no UTF-8 (RFC 3629) replaced by U+FFFD.
std::string ReplaceIllFormed(std::string_view text);

/// Returns true if a text is UTF-8.
bool IsUtf8(std::string_view text);

}  // namespace idbench
