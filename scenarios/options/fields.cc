#include "scenarios/options/fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "scenarios/options/json.h"

namespace idbench {
namespace {

/// "Length of the motion [s]"
std::string Documentation(const FieldInfo& info) {
  return info.unit.empty() ? info.doc : fmt::format("{} [{}]", info.doc, info.unit);
}

bool IsListSchema(const Json& schema) { return schema.is_object() && schema.contains("items"); }

/// Whether a list was to stand where the issue of a field's value is, and something else does.
bool LacksList(const Issue& issue, const std::string& pointer, const Json& value,
               const Json& schema) {
  if (issue.where == pointer) return IsListSchema(schema) && !value.is_array();
  const auto labelled = schema.find("additionalProperties");
  if (!value.is_object() || labelled == schema.end() || !IsListSchema(*labelled)) return false;
  for (const auto& [label, item] : value.items()) {
    if (issue.where == PointerTo(pointer, label)) return !item.is_array();
  }
  return false;
}

/// Adds to issues from `first` on, of a field's value, what a list is of that is not there.
void TellWhatIsListed(const Field& field, const std::string& pointer, const Json& value,
                      std::size_t first, std::vector<Issue>& issues) {
  if (issues.size() == first) return;
  Json schema;
  field.member.Schema(field.info, schema);
  for (std::size_t i = first; i < issues.size(); ++i) {
    if (!LacksList(issues[i], pointer, value, schema)) continue;
    issues[i].details.push_back("what it lists: " + Documentation(field.info));
  }
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

FieldTable::FieldTable() = default;
FieldTable::FieldTable(const FieldTable&) = default;
FieldTable::FieldTable(FieldTable&&) noexcept = default;
FieldTable& FieldTable::operator=(const FieldTable&) = default;
FieldTable& FieldTable::operator=(FieldTable&&) noexcept = default;
FieldTable::~FieldTable() = default;

FieldTable& FieldTable::AddField(std::string_view name, const FieldInfo& info, BoundMember member) {
  fields_.push_back({std::string(name), info, member});
  return *this;
}

FieldTable& FieldTable::Check(std::function<void(std::vector<Issue>&)> check) {
  checks_.push_back(std::move(check));
  return *this;
}

FieldTable& FieldTable::Refuse(std::string_view name, std::string_view why) {
  refused_.emplace_back(name, why);
  return *this;
}

std::string FieldTable::WhyRefused(std::string_view name) const {
  for (const auto& [key, why] : refused_) {
    if (key == name) return why;
  }
  return "unknown key";
}

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
  const auto is_former = [&](const std::string& key) {
    return !key.empty() && std::ranges::any_of(table.fields(), [&](const Field& field) {
      return field.info.former_key == key && !json.contains(field.name);
    });
  };
  for (const auto& [key, value] : json.items()) {
    if (std::ranges::find(accepted, key) == accepted.end() && !is_former(key)) {
      issues.push_back(
          {PointerTo(pointer, key), table.WhyRefused(key), AcceptedNames(key, accepted)});
    }
  }
  for (const Field& field : table.fields()) {
    auto value = json.find(field.name);
    const bool former = value == json.end() && !field.info.former_key.empty();
    const std::string& key = former ? field.info.former_key : field.name;
    if (former) value = json.find(key);
    if (value != json.end()) {
      const std::size_t first = issues.size();
      field.member.Read(*value, PointerTo(pointer, key), field.info, issues);
      TellWhatIsListed(field, PointerTo(pointer, key), *value, first, issues);
    } else if (field.info.required) {
      issues.push_back({PointerTo(pointer, field.name),
                        "missing",
                        {"needed here: " + Documentation(field.info)}});
    }
  }
  if (issues.size() == issues_before) RunChecks(table, pointer, issues);
}

void WriteFields(const FieldTable& table, Json& object) {
  object = Json::object();
  for (const Field& field : table.fields()) field.member.Write(object[field.name]);
}

Json WriteFields(const FieldTable& table) {
  Json object;
  WriteFields(table, object);
  return object;
}

void SchemaOf(const FieldTable& table, Json& schema) {
  Json properties = Json::object();
  Json required = Json::array();
  for (const Field& field : table.fields()) {
    Json& property = properties[field.name];
    field.member.Schema(field.info, property);
    property["description"] = Documentation(field.info);
    Json value;
    field.member.Write(value);
    if (field.info.required) {
      required.push_back(field.name);
    } else if (!value.is_object()) {  // an object's defaults stand with its own fields
      property["default"] = std::move(value);
    }
  }
  schema = {{"type", "object"}, {"additionalProperties", false}, {"properties", properties}};
  if (!required.empty()) schema["required"] = required;
}

Json SchemaOf(const FieldTable& table) {
  Json schema;
  SchemaOf(table, schema);
  return schema;
}

}  // namespace idbench
