#include "scenarios/observers.h"

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "scenarios/loaded_test.h"

namespace idbench {
namespace {

/// A small simulation with an application and the changes.
Json Watched(const char* change) {
  Json json = SmallSimulation();
  json["experiments"]["contact"] = json["experiments"]["identification"];
  json["experiments"]["contact"]["role"] = "application";
  json["observers"] = {{"T2", {{"type", "contact_statistic"}}}};
  json.merge_patch(Json::parse(change));
  return json;
}

std::string Message(const char* change) {
  try {
    LoadSmall(Watched(change));
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

TEST_CASE("An observer is given all models and watches all applications, unless it names some") {
  const Scenario all = LoadSmall(Watched(R"({"problem": {"prior": {}}})")).scenario;
  std::vector<std::string> models = {"prior"};
  for (const auto& [label, estimator] : all.estimators) models.push_back(label);
  models.emplace_back("truth");
  CHECK(ModelsOf(all, all.observers[0].second) == models);
  CHECK(WatchedBy(all, all.observers[0].second) == std::vector<std::string>{"contact"});
  const Scenario some =
      LoadSmall(Watched(R"({"observers": {"T2": {"models": ["truth"], "experiments": ["contact"],
                                                 "samples": 3}}})"))
          .scenario;
  CHECK(ModelsOf(some, some.observers[0].second) == std::vector<std::string>{"truth"});
  CHECK(some.observers[0].second.options->at("samples") == 3);
}

TEST_CASE("What an observer supplies is what it gives with its options") {
  const auto supplied = [](const char* observer) {
    const Scenario scenario =
        LoadSmall(Watched((std::string(R"({"observers": {"T2": )") + observer + "}}").c_str()))
            .scenario;
    std::string all;
    for (const auto& [name, what] : {std::pair{"force ", Capability::kObservedForce},
                                     std::pair{"place ", Capability::kObservedPlace},
                                     std::pair{"detection ", Capability::kDetection}}) {
      if (IsObserved(scenario, what, "contact")) all += name;
      CHECK(!IsObserved(scenario, what, "identification"));
    }
    return all;
  };
  CHECK(supplied(R"({"type": "contact_statistic"})") == "detection ");
  CHECK(supplied(R"({"type": "momentum_observer"})") == "force ");
  CHECK(supplied(R"({"type": "momentum_observer", "gives": "contact"})") == "detection ");
  CHECK(supplied(R"({"type": "momentum_observer", "gives": "force and contact"})") ==
        "force detection ");
  CHECK(supplied(R"({"type": "touch_force", "link": "link2", "axis_from_m": [0, 0, 0],
                     "axis_to_m": [1, 0, 0], "radius_m": 0.1})") == "force place detection ");
}

TEST_CASE("What results could not tell apart, or nothing watches, is refused with its place") {
  CHECK(Message("{}") == "");
  CHECK(Message(R"({"observers": {"T2": {"type": "contact"}}})")
            .starts_with("test.json: /observers/T2: no such observer: \"contact\"\n"));
  CHECK(Message(R"({"observers": {"T2": {"models": ["nobody"]}}})")
            .starts_with("test.json: /observers/T2/models/0: no such model: \"nobody\"\n"));
  CHECK(Message(R"({"observers": {"T2": {"models": ["prior"]}}, "problem": {"prior": null}})")
            .find("/observers/T2/models/0: no such model: \"prior\"") != std::string::npos);
  CHECK(Message(R"({"observers": {"T2": {"models": ["truth", "truth"]}}})")
            .find("/observers/T2/models/1: \"truth\" is there twice") != std::string::npos);
  CHECK(Message(R"({"observers": {"T2": {"experiments": ["identification"]}}})")
            .find("/observers/T2/experiments/0: no such experiment of role application") !=
        std::string::npos);
  CHECK(Message(R"({"estimators": {"truth": {"type": "ols"}}})")
            .find("/estimators/truth: observers name the truth itself so") != std::string::npos);
  CHECK(Message(R"({"estimators": {"T2 of truth": {"type": "ols"}}})")
            .find("/estimators/T2 of truth: tables call so what the observer 'T2' finds with the "
                  "model 'truth'") != std::string::npos);
  CHECK(Message(R"({"observers": {"T2": null}})") ==
        "test.json: /experiments/contact: has the role application, and no observer watches it\n"
        "  declare one in /observers, give it the role validation, or set its control's model to "
        "\"estimate\"");
  CHECK(Message(R"({"experiments": {"contact": {"role": "validation"}}})")
            .find("/observers/T2: watches nothing: no experiment has the role application") !=
        std::string::npos);
}

}  // namespace
}  // namespace idbench
