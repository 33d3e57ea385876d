#include "scenarios/observer_options.h"

#include <fmt/format.h>

#include <memory>

#include "estimators/observers/observer_registry.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

/// What the harness reads of an observer, beside the observer's own options.
void AddShared(ObserverOptions& o, FieldTable& table) {
  table
      .Add("models", o.models,
           {.doc = "Models that it is given: labels of estimators, prior or truth; empty: all that "
                   "there are"})
      .Add("experiments", o.experiments,
           {.doc = "Experiments of role application that it watches; empty: all of them"});
}

}  // namespace

void Binding<ObserverOptions>::Read(const Json& json, const std::string& pointer, const FieldInfo&,
                                    ObserverOptions& value, std::vector<Issue>& issues) {
  if (!binding_internal::ExpectObject(json, pointer, issues)) return;
  if (const auto type = json.find("type"); type != json.end()) {
    const std::size_t before = issues.size();
    Binding<std::string>::Read(*type, PointerTo(pointer, "type"), FieldInfo{}, value.type, issues);
    if (issues.size() != before) return;
  }
  const ObserverEntry* const entry = FindObserver(value.type);
  if (entry == nullptr) {
    std::vector<std::string> details = AcceptedNames(value.type, ObserverTypes());
    details.emplace_back("a label that is not the name of an observer needs a \"type\"");
    issues.push_back({pointer, fmt::format("no such observer: \"{}\"", value.type), details});
    return;
  }
  const std::unique_ptr<Observer> observer = entry->make();
  FieldTable all = observer->Fields();
  AddShared(value, all);
  ReadFields(all, json, pointer, issues, "type");
  value.options = WriteFields(observer->Fields());
}

void Binding<ObserverOptions>::Write(const ObserverOptions& value, Json& json) {
  json = {{"type", value.type}, {"models", value.models}, {"experiments", value.experiments}};
  json.update(*value.options);
}

void Binding<ObserverOptions>::Schema(const FieldInfo&, const ObserverOptions&, Json& schema) {
  Json choices = Json::array();
  for (const ObserverEntry& entry : ObserverRegistry()) {
    const std::unique_ptr<Observer> observer = entry.make();
    ObserverOptions shared;
    FieldTable all = observer->Fields();
    AddShared(shared, all);
    choices.push_back(binding_internal::WithType(SchemaOf(all), entry.type, false));
  }
  schema = {{"anyOf", choices}};
}

}  // namespace idbench
