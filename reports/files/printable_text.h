#pragma once

#include <string>
#include <string_view>

namespace idbench {

/// Returns a text that XML 1.0 can hold and that does nothing to a terminal: U+FFFD stands for each
/// sequence that is no UTF-8, for control characters other than tab and line feed (a terminal takes
/// them for commands, and XML excludes most, escaped ones too), for U+FFFE and for U+FFFF.
///
/// It does not escape < and &. Source: XML 1.0, fifth edition, production 2 (Char).
std::string PrintableText(std::string_view text);

}  // namespace idbench
