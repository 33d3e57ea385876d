#include "scenarios/options/binding.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>

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

Json Binding<bool>::Schema(const FieldInfo&, bool) { return {{"type", "boolean"}}; }

void Binding<double>::Read(const Json& json, const std::string& pointer, const FieldInfo& info,
                           double& value, std::vector<Issue>& issues) {
  if (!json.is_number() || !InRange(json.get<double>(), info)) {
    return WrongType(json, pointer, Accepted("a number", info), issues);
  }
  value = json.get<double>();
}

Json Binding<double>::Write(double value) {
  assert(std::isfinite(value));
  return value;
}

Json Binding<double>::Schema(const FieldInfo& info, double) {
  Json schema = {{"type", "number"}};
  if (std::isfinite(info.lower)) {
    schema[info.lower_open ? "exclusiveMinimum" : "minimum"] = info.lower;
  }
  if (std::isfinite(info.upper)) schema["maximum"] = info.upper;
  return schema;
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

Json Binding<std::string>::Schema(const FieldInfo& info, const std::string&) {
  Json schema = {{"type", "string"}};
  if (!info.choices.empty()) schema["enum"] = info.choices;
  return schema;
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

Json Binding<PerJoint>::Write(const PerJoint& value) {
  const Json list = Binding<std::vector<double>>::Write(value.values);
  return list.size() == 1 ? list[0] : list;
}

Json Binding<PerJoint>::Schema(const FieldInfo& info, const PerJoint&) {
  Json list = Binding<std::vector<double>>::Schema(info, {});
  list["minItems"] = 1;
  return {{"anyOf", {Binding<double>::Schema(info, 0.0), list}}};
}

namespace binding_internal {

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

Json IntegerSchema(const FieldInfo& info, IntegerLimits limits) {
  Json schema = Binding<double>::Schema(info, 0.0);
  schema["type"] = "integer";
  if (info.lower < static_cast<double>(limits.least)) schema["minimum"] = limits.least;
  if (info.upper > static_cast<double>(limits.most)) schema["maximum"] = limits.most;
  return schema;
}

std::string ReadType(const Json& json, const std::string& pointer,
                     const std::vector<std::string>& accepted, std::string_view fallback,
                     std::vector<Issue>& issues) {
  const auto type = json.find("type");
  if (type == json.end()) return std::string(fallback);
  std::string value;
  Binding<std::string>::Read(*type, PointerTo(pointer, "type"), {.doc = "", .choices = accepted},
                             value, issues);
  return value;
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
