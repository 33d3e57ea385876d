#include "bench/run/compared_manifest.h"

#include <doctest/doctest.h>

#include "bench/small_run_test.h"
#include "reports/gate/matched_runs.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

TEST_CASE("Keys that an older program did not know have their defaults in a comparison") {
  const TemporaryFolder folder;
  Records(Description(), folder / "new");
  const Json manifest = ReadJsonFile(folder / "new" / "manifest.json");
  Json older = manifest;
  older["scenario"].erase("processing");
  older["scenario"]["sensors"].erase("rate_hz");
  folder.Write("old/manifest.json", older.dump());
  CHECK(WhyIncomparable(older, manifest) != "");
  CHECK(WhyIncomparable(ReadManifestToCompare(folder / "old"),
                        ReadManifestToCompare(folder / "new")) == "");

  older["scenario"]["sensors"]["rate_hz"] = 37.0;  // not what it is by default
  folder.Write("other/manifest.json", older.dump());
  CHECK(WhyIncomparable(ReadManifestToCompare(folder / "other"),
                        ReadManifestToCompare(folder / "new"))
            .starts_with("another scenario: /sensors/rate_hz is "));
}

TEST_CASE("A scenario that this program cannot read is compared as it stands") {
  const TemporaryFolder folder;
  const Json manifest = {{"scenario", {{"name", "x"}, {"key of the future", 1}}}};
  folder.Write("manifest.json", manifest.dump());
  CHECK(ReadManifestToCompare(folder.path()) == manifest);
}

}  // namespace
}  // namespace idbench
