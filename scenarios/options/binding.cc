#include "scenarios/options/binding.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include "scenarios/options/fields.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

using binding_internal::WrongType;

bool InRange(double value, const FieldInfo& info) {
  return value <= info.upper && (info.lower_open ? value > info.lower : value >= info.lower);
}

/// "a number, greater than 0 and at most 5 [s]"
std::string Accepted(std::string_view kind, const FieldInfo& info) {
  std::string text(kind);
  const bool below = std::isfinite(info.lower);
  const bool above = std::isfinite(info.upper);
  if (below)
    text += fmt::format(", {} {}", info.lower_open ? "greater than" : "at least", info.lower);
  if (above) text += fmt::format("{} at most {}", below ? " and" : ",", info.upper);
  if (!info.unit.empty()) text += fmt::format(" [{}]", info.unit);
  return text;
}

}  // namespace

void Binding<bool>::Read(const Json& json, const std::string& pointer, const FieldInfo&,
                         bool& value, std::vector<Issue>& issues) {
  if (!json.is_boolean()) return WrongType(json, pointer, "true or false", issues);
  value = json.get<bool>();
}

void Binding<bool>::Write(bool value, Json& json) { json = value; }

void Binding<bool>::Schema(const FieldInfo&, bool, Json& schema) { schema = {{"type", "boolean"}}; }

void Binding<double>::Read(const Json& json, const std::string& pointer, const FieldInfo& info,
                           double& value, std::vector<Issue>& issues) {
  if (!json.is_number() || !InRange(json.get<double>(), info)) {
    return WrongType(json, pointer, Accepted("a number", info), issues);
  }
  value = json.get<double>();
}

void Binding<double>::Write(double value, Json& json) {
  assert(std::isfinite(value));
  json = value;
}

void Binding<double>::Schema(const FieldInfo& info, double, Json& schema) {
  schema = {{"type", "number"}};
  if (std::isfinite(info.lower)) {
    schema[info.lower_open ? "exclusiveMinimum" : "minimum"] = info.lower;
  }
  if (std::isfinite(info.upper)) schema["maximum"] = info.upper;
}

void Binding<std::string>::Read(const Json& json, const std::string& pointer, const FieldInfo& info,
                                std::string& value, std::vector<Issue>& issues) {
  const std::vector<std::string>& choices = info.choices;
  const std::string text = json.is_string() ? json.get<std::string>() : "";
  if (choices.empty()) {
    if (!json.is_string()) return WrongType(json, pointer, "a text in quotes", issues);
  } else if (!json.is_string() || std::ranges::find(choices, text) == choices.end()) {
    issues.push_back({pointer, "got " + Describe(json), AcceptedNames(text, choices)});
    return;
  }
  value = text;
}

void Binding<std::string>::Write(const std::string& value, Json& json) { json = value; }

void Binding<std::string>::Schema(const FieldInfo& info, const std::string&, Json& schema) {
  schema = {{"type", "string"}};
  if (!info.choices.empty()) schema["enum"] = info.choices;
}

void Binding<PerJoint>::Read(const Json& json, const std::string& pointer, const FieldInfo& info,
                             PerJoint& value, std::vector<Issue>& issues) {
  if (json.is_array() && !json.empty()) {
    return Binding<std::vector<double>>::Read(json, pointer, info, value.values, issues);
  }
  if (!json.is_number() || !InRange(json.get<double>(), info)) {
    return WrongType(json, pointer, Accepted("a number, or a list with one number per joint", info),
                     issues);
  }
  value.values = {json.get<double>()};
}

void Binding<PerJoint>::Write(const PerJoint& value, Json& json) {
  if (value.values.size() == 1) return Binding<double>::Write(value.values[0], json);
  Binding<std::vector<double>>::Write(value.values, json);
}

void Binding<PerJoint>::Schema(const FieldInfo& info, const PerJoint&, Json& schema) {
  Json number, list;
  Binding<double>::Schema(info, 0.0, number);
  Binding<std::vector<double>>::Schema(info, {}, list);
  list["minItems"] = 1;
  schema = {{"anyOf", {number, list}}};
}

void Binding<JsonValue>::Read(const Json& json, const std::string&, const FieldInfo&,
                              JsonValue& value, std::vector<Issue>&) {
  *value = json;
}

void Binding<JsonValue>::Write(const JsonValue& value, Json& json) { json = *value; }

void Binding<JsonValue>::Schema(const FieldInfo&, const JsonValue&, Json& schema) {
  schema = Json::object();
}

namespace binding_internal {
namespace {

/// The choices of `info`; all names but old spellings if it has none.
std::vector<std::string> ListedNames(const FieldInfo& info, const NamesOfEnum& known) {
  std::vector<std::string> listed = info.choices;
  if (!listed.empty()) return listed;
  for (std::size_t i = 0; i < known.names.size(); ++i) {
    if (known.names[i] == known.meant[i]) listed.emplace_back(known.names[i]);
  }
  return listed;
}

}  // namespace

void WrongType(const Json& json, const std::string& pointer, std::string_view accepted,
               std::vector<Issue>& issues) {
  issues.push_back(
      {pointer, "got " + Describe(json), {fmt::format("accepted here: {}", accepted)}});
}

bool ExpectObject(const Json& json, const std::string& pointer, std::vector<Issue>& issues) {
  if (!json.is_object()) WrongType(json, pointer, "an object {…}", issues);
  return json.is_object();
}

bool ExpectList(const Json& json, const std::string& pointer, std::vector<Issue>& issues) {
  if (!json.is_array()) WrongType(json, pointer, "a list […]", issues);
  return json.is_array();
}

void ReadInteger(const Json& json, const std::string& pointer, const FieldInfo& info,
                 IntegerLimits limits, std::uint64_t& value, std::vector<Issue>& issues) {
  constexpr double kExact = 0x1p53;  // a larger one may have been rounded when it was parsed
  constexpr double kNoInteger = 0.5;
  const double number = json.is_number() ? json.get<double>() : kNoInteger;
  const bool exact = json.is_number_integer() || std::abs(number) <= kExact;
  FieldInfo accepted = info;
  if (exact && std::trunc(number) == number) {
    const bool negative = number < 0;
    const bool fits = negative ? json.get<std::int64_t>() >= limits.least
                               : json.get<std::uint64_t>() <= limits.most;
    if (fits && InRange(number, info)) {
      value = negative ? static_cast<std::uint64_t>(json.get<std::int64_t>())
                       : json.get<std::uint64_t>();
      return;
    }
    if (!fits && negative) accepted.lower = std::max(info.lower, static_cast<double>(limits.least));
    if (!fits && !negative) accepted.upper = std::min(info.upper, static_cast<double>(limits.most));
  }
  const std::string_view kind =
      exact ? "an integer" : "an integer of at most 64 bits, with all its digits";
  WrongType(json, pointer, Accepted(kind, accepted), issues);
}

void WriteInteger(std::int64_t value, Json& json) { json = value; }

void WriteInteger(std::uint64_t value, Json& json) { json = value; }

void IntegerSchema(const FieldInfo& info, IntegerLimits limits, Json& schema) {
  Binding<double>::Schema(info, 0.0, schema);
  schema["type"] = "integer";
  if (info.lower < static_cast<double>(limits.least)) schema["minimum"] = limits.least;
  if (info.upper > static_cast<double>(limits.most)) schema["maximum"] = limits.most;
}

void OptionalSchema(Json& schema) {
  Json alternatives = Json::array({std::move(schema), {{"type", "null"}}});
  schema = {{"anyOf", std::move(alternatives)}};
}

void ListSchema(Json& schema) {
  Json items = std::move(schema);
  schema = {{"type", "array"}, {"items", std::move(items)}};
}

void LabelledSchema(Json& schema) {
  Json values = std::move(schema);
  schema = {{"type", "object"}, {"additionalProperties", std::move(values)}};
}

std::optional<std::size_t> ReadName(const Json& json, const std::string& pointer,
                                    const FieldInfo& info, const NamesOfEnum& known,
                                    std::vector<Issue>& issues) {
  const std::vector<std::string> listed = ListedNames(info, known);
  const std::string text = json.is_string() ? json.get<std::string>() : "";
  const auto name = std::ranges::find(known.names, text);
  const auto place = static_cast<std::size_t>(name - known.names.begin());
  if (json.is_string() && name != known.names.end() &&
      std::ranges::find(listed, known.meant[place]) != listed.end()) {
    return place;
  }
  issues.push_back({pointer, "got " + Describe(json), AcceptedNames(text, listed)});
  return std::nullopt;
}

void NameSchema(const FieldInfo& info, const NamesOfEnum& known, Json& schema) {
  schema = {{"type", "string"}, {"enum", ListedNames(info, known)}};
}

std::string ReadType(const Json& json, const std::string& pointer,
                     std::span<const std::string_view> accepted, std::string_view fallback,
                     std::vector<Issue>& issues) {
  const auto type = json.find("type");
  if (type == json.end()) return std::string(fallback);
  std::string value;
  Binding<std::string>::Read(*type, PointerTo(pointer, "type"),
                             {.doc = "", .choices = {accepted.begin(), accepted.end()}}, value,
                             issues);
  return value;
}

void WriteChoice(std::string_view type, const FieldTable& fields, Json& json) {
  json = {{"type", type}};
  json.update(WriteFields(fields));
}

void AddChoice(std::string_view type, const FieldTable& fields, bool required, Json& schema) {
  schema["oneOf"].push_back(WithType(SchemaOf(fields), type, required));
}

Json WithType(Json schema, std::string_view type, bool required) {
  Json properties = {{"type", {{"const", type}}}};
  properties.update(schema["properties"]);
  schema["properties"] = std::move(properties);
  if (required) schema["required"].push_back("type");
  return schema;
}

}  // namespace binding_internal
}  // namespace idbench
