#include "scenarios/options/fields.h"

#include <fmt/format.h>

#include <algorithm>

namespace idbench {
namespace {

/// "Length of the motion. [s]"
std::string Documentation(const FieldInfo& info) {
  return info.unit.empty() ? info.doc : fmt::format("{} [{}]", info.doc, info.unit);
}

void RunChecks(const FieldTable& table, const std::string& pointer, std::vector<Issue>& issues) {
  std::vector<Issue> found;
  for (const auto& check : table.checks()) check(found);
  for (Issue& issue : found) {
    issue.where = pointer + issue.where;
    issues.push_back(std::move(issue));
  }
}

}  // namespace

std::vector<std::string> FieldTable::Names() const {
  std::vector<std::string> names;
  for (const Field& field : fields_) names.push_back(field.name);
  return names;
}

void ReadFields(const FieldTable& table, const Json& json, const std::string& pointer,
                std::vector<Issue>& issues, std::string_view extra_key) {
  if (!binding_internal::ExpectObject(json, pointer, issues)) return;
  const std::size_t issues_before = issues.size();
  std::vector<std::string> accepted = table.Names();
  if (!extra_key.empty()) accepted.emplace_back(extra_key);
  for (const auto& [key, value] : json.items()) {
    if (std::ranges::find(accepted, key) == accepted.end()) {
      issues.push_back({PointerTo(pointer, key), "unknown key", AcceptedNames(key, accepted)});
    }
  }
  for (const Field& field : table.fields()) {
    const auto value = json.find(field.name);
    if (value != json.end()) {
      field.read(*value, PointerTo(pointer, field.name), issues);
    } else if (field.info.required) {
      issues.push_back({PointerTo(pointer, field.name),
                        "missing",
                        {"needed here: " + Documentation(field.info)}});
    }
  }
  if (issues.size() == issues_before) RunChecks(table, pointer, issues);
}

Json WriteFields(const FieldTable& table) {
  Json object = Json::object();
  for (const Field& field : table.fields()) object[field.name] = field.write();
  return object;
}

Json SchemaOf(const FieldTable& table) {
  Json properties = Json::object();
  Json required = Json::array();
  for (const Field& field : table.fields()) {
    Json schema = field.schema();
    schema["description"] = Documentation(field.info);
    Json value = field.write();
    if (field.info.required) {
      required.push_back(field.name);
    } else if (!value.is_object()) {  // an object's defaults stand with its own fields
      schema["default"] = std::move(value);
    }
    properties[field.name] = std::move(schema);
  }
  Json schema = {{"type", "object"}, {"additionalProperties", false}, {"properties", properties}};
  if (!required.empty()) schema["required"] = required;
  return schema;
}

}  // namespace idbench
