#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "scenarios/options/json_fwd.h"

namespace idbench {

/// Parses strict JSON: no comments, no NaN, no duplicate keys, nothing behind the value, at most 64
/// objects and lists inside each other.
///
/// @param source  name of the text in error messages.
/// @throws ConfigError with line and column [characters, both from 1] of the last character read;
///         for nesting and for duplicate keys (all at once) with JSON pointers instead.
Json ParseJson(std::string_view text, const std::string& source);

/// ParseJson() of a file. @throws ConfigError also if the file cannot be read.
Json ReadJsonFile(const std::filesystem::path& file);

/// Returns the JSON pointer of the first place, in the order of `a`, where two documents differ;
/// nothing if they are equal. Numbers compare by value, objects in any order of their keys.
std::optional<std::string> FirstDifference(const Json& a, const Json& b);

/// Describe() of the value at a JSON pointer; "nothing" if the document has none there.
std::string DescribeAt(const Json& document, const std::string& pointer);

}  // namespace idbench
