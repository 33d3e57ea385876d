#include "scenarios/former_defaults.h"

namespace idbench {
namespace {

/// Motions stand in experiments, and whole ones in the values of a sweep.
void AddDesigns(Json& json) {
  if (json.is_object() && json.value("type", Json()) == Json("fourier") &&
      !json.contains("design")) {
    json["design"] = nullptr;
  }
  if (!json.is_structured()) return;
  for (Json& member : json) AddDesigns(member);
}

}  // namespace

Json WithFormerDefaults(Json scenario) {
  AddDesigns(scenario);
  return scenario;
}

}  // namespace idbench
