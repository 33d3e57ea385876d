#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

/// Json by name alone, which is enough to declare functions of it. A source that makes or reads
/// JSON values includes scenarios/options/json.h; a struct of a common header holds a JsonValue.
namespace idbench {

/// JSON that keeps the order of its keys.
using Json = nlohmann::ordered_json;

/// `pointer` with `/key` appended, escaped as RFC 6901 demands.
std::string PointerTo(const std::string& pointer, std::string_view key);
/// `pointer` with the index of an item of a list appended.
std::string PointerTo(const std::string& pointer, std::size_t index);

/// What a message calls a JSON value: "an object", "a list of 3", or the value itself as JSON.
std::string Describe(const Json& value);

}  // namespace idbench
