#include "scenarios/former_defaults.h"

#include <doctest/doctest.h>

namespace idbench {
namespace {

TEST_CASE("Motions of an older manifest were designed by the problem, those of a sweep too") {
  const Json old = ParseJson(R"({
    "experiments": {"a": {"motion": {"type": "fourier", "duration_s": 2}},
                    "b": {"motion": {"type": "way_points"}}},
    "estimators": {"ols": {"type": "ols"}},
    "sweep": [{"name": "m", "values": [1, 2], "set": {"/experiments/a/motion": [
      {"type": "fourier"}, {"type": "fourier", "design": {"equations": ["base_wrench"]}}]}}]})",
                             "old");
  const Json read = WithFormerDefaults(old);
  Json expected = old;
  expected["experiments"]["a"]["motion"]["design"] = nullptr;
  expected["sweep"][0]["set"]["/experiments/a/motion"][0]["design"] = nullptr;
  CHECK(read == expected);
  CHECK(WithFormerDefaults(read) == read);
}

}  // namespace
}  // namespace idbench
