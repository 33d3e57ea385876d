#include "bench/run/compared_manifest.h"

#include "scenarios/options/json.h"
#include "scenarios/scenario_reader.h"

namespace idbench {

Json ReadManifestToCompare(const std::filesystem::path& folder) {
  Json manifest = ReadJsonFile(folder / "manifest.json");
  if (manifest.is_object() && manifest.contains("scenario")) {
    manifest["scenario"] = ExpandedScenario(manifest["scenario"]);
  }
  return manifest;
}

}  // namespace idbench
