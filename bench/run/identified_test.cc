#include "bench/run/identified.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "bench/small_run_test.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

Json IdentifiedOf(const char* robot, double noise, const char* more = "{}") {
  Json json = Description();
  json["robot"]["model"] = robot;
  json["sensors"]["joint_torque"]["noise_std_nm"] = noise;
  json["robot"]["truth"] = {{"rotor_inertia_kgm2", 0}};
  json["problem"]["parametrisation"] = {{"type", "base"}, {"friction", {"viscous", "coulomb"}}};
  json.erase("sweep");
  json["trials"] = 1;
  json.merge_patch(ParseJson(more, "more"));
  const LoadedScenario loaded = Load(json);
  RolloutStore rollouts;
  PreparedCells contexts;
  contexts.push_back(std::make_unique<PreparedCell>(loaded, loaded.cells[0], rollouts));
  KeptTrials kept(loaded, contexts);
  return Identified(loaded, contexts, {{0, 1}}, kept);
}

const Json& Entry(const Json& list, const std::string& name) {
  const auto at = std::ranges::find_if(list, [&](const Json& e) { return e["name"] == name; });
  REQUIRE(at != list.end());
  return *at;
}

TEST_CASE("A planar arm's parameters are told as what its joints can show of them, and why") {
  const Json identified = IdentifiedOf("planar2", 0.01);
  const Json& estimator = identified["cells"][0]["estimators"][0];
  CHECK(estimator["label"] == "ols");
  CHECK(estimator["parameters"].size() == 10);
  const Json& first = estimator["parameters"][0];
  CHECK(std::abs(first["value"].get<double>() - first["true"].get<double>()) <=
        5.0 * first["sigma"].get<double>());
  const Json& standard = estimator["standard"];
  CHECK(standard.size() == 34);  // 10 of each body, fv and fc of each joint
  CHECK(Entry(standard, "link2.mcx")["identifiable"] == "alone");
  CHECK(Entry(standard, "link2.mcx")["why"] == "");
  const Json& regrouped = Entry(standard, "link1.mcz");
  CHECK(regrouped["identifiable"] == "combination");
  CHECK(regrouped["in"] == Json({"link1.mcz_R"}));
  CHECK(regrouped["expressions"] == Json({"link1.mcz - 0.5·link2.m"}));
  CHECK(regrouped["why"] == "in every motion it acts together with link2.m");
  const auto why = [&](const char* name) {
    CHECK(Entry(standard, name)["identifiable"] == "no");
    return Entry(standard, name)["why"].get<std::string>();
  };
  CHECK(why("link1.m") ==
        "the origin of link1's frame stays where it is; a base force/moment sensor would show it "
        "as part of base.m_R");
  CHECK(why("link2.Ixx") ==
        "link2 never turns about the x axis of its frame; a base force/moment sensor would not "
        "show it either");
  CHECK(why("link2.Ixy") ==
        "link2 never turns about the x axis of its frame; a base force/moment sensor would show it "
        "alone");
  CHECK(why("base.Izz") ==
        "base stands still; a base force/moment sensor would not show it either");
}

TEST_CASE("Of standard parameters the covariance is told in the combinations that show") {
  const Json standard =
      IdentifiedOf("planar2", 0.01, R"({"problem": {"parametrisation": {"type": "standard"}}})");
  const Json base = IdentifiedOf("planar2", 0.01);
  const Json& estimator = standard["cells"][0]["estimators"][0];
  const Json& of_base = base["cells"][0]["estimators"][0];
  CHECK(estimator["parameters"].size() == 24);
  CHECK_FALSE(Entry(estimator["parameters"], "link1.mcz").contains("sigma"));
  CHECK_FALSE(Entry(estimator["parameters"], "link2.m").contains("percent_sigma"));
  const Json& basis = estimator["covariance"]["basis"];
  REQUIRE(basis.size() == of_base["parameters"].size());
  for (std::size_t k = 0; k < basis.size(); ++k) {
    const Json& expected = of_base["parameters"][k];
    CHECK(basis[k]["name"] == expected["name"]);
    CHECK(basis[k]["unit"] == expected["unit"]);
    for (const char* key : {"value", "sigma", "true"}) {
      CHECK(basis[k][key].get<double>() ==
            doctest::Approx(expected[key].get<double>()).epsilon(1e-8));
    }
    const auto sigma = basis[k]["sigma"].get<double>();
    const auto variance = estimator["covariance"]["covariance"][k][k].get<double>();
    CHECK(variance == doctest::Approx(sigma * sigma).epsilon(1e-12));
  }
  const Json& factors = Entry(basis, "link1.mcz_R")["factors"];
  CHECK(factors.size() == 2);
  CHECK(factors["link1.mcz"] == 1.0);
  CHECK(factors["link2.m"].get<double>() == doctest::Approx(-0.5).epsilon(1e-12));
  CHECK(Entry(estimator["parameters"], "joint2.fv")["sigma"] == Entry(basis, "joint2.fv")["sigma"]);
  CHECK_FALSE(of_base.contains("covariance"));
  CHECK(IdentifiedInShort(standard) == IdentifiedInShort(base));
  CHECK(IdentifiedMarkdown(standard).find("What the equations show of them:\n\n| parameter") !=
        std::string::npos);
}

TEST_CASE("Gravity along the first axis hides the first link's centre of mass and mass") {
  const Json identified = IdentifiedOf("kuka_lwr4", 0.01);
  const Json& standard = identified["cells"][0]["estimators"][0]["standard"];
  CHECK(Entry(standard, "link1.mcx")["why"].get<std::string>().find(
            "the origin of link1's frame stays where it is, and gravity is the same along its x "
            "axis in every posture") == 0);
  CHECK(Entry(standard, "link1.Ixx")["why"].get<std::string>().find(
            "link1 never turns about the x axis of its frame") == 0);
  CHECK(Entry(standard, "link1.Izz")["identifiable"] == "combination");
}

TEST_CASE("What the model shows but these data hardly do is told with the motion that would") {
  const Json identified = IdentifiedOf("planar2", 50.0);
  const Json& standard = identified["cells"][0]["estimators"][0]["standard"];
  const std::string why = Entry(standard, "link2.Iyy")["why"];
  CAPTURE(why);
  CHECK(why.find("this motion excites link2.Iyy too little (σ ") == 0);
  // A value that may be 0 has no σ in percent; its advice tells both.
  std::size_t below = 0;
  for (const Json& entry : identified["cells"][0]["estimators"][0]["parameters"]) {
    const bool above = std::abs(entry["value"].get<double>()) > entry["sigma"].get<double>();
    CHECK(entry.contains("percent_sigma") == above);
    if (!above) ++below;
  }
  CHECK(below > 0);
  const std::string all = standard.dump();
  CHECK(all.find("of a value of") != std::string::npos);
  for (const char* percent : {"00 %)", "000 %"}) CHECK(all.find(percent) == std::string::npos);
  // Iyy of the last link acts through accelerations alone, on both joints alike by either's.
  CHECK(why.find("'s acceleration: accelerate joint") != std::string::npos);
  const std::string in_short = IdentifiedInShort(identified);
  CHECK(in_short.find("identifiable of 34 standard parameters: ") == 0);
  CHECK(in_short.find("ols: hardly determined by these data: ") != std::string::npos);
}

TEST_CASE("What dead zones leave out is counted, and told in words") {
  const Json identified = IdentifiedOf(
      "planar2", 0.01,
      R"({"problem": {"equations": [{"type": "joint_torque", "dead_zone_rad_s": [0, 0.2]}]}})");
  const Json& left = identified["cells"][0]["left_out"];
  REQUIRE(left.size() == 1);
  CHECK(left[0]["equation"] == "joint_torque");
  const auto rows = left[0]["rows"].get<double>(), out = left[0]["left_out"].get<double>();
  CHECK(out > 0.0);
  CHECK(out < rows / 2);
  const std::string words = left[0]["in_words"];
  CHECK(words == fmt::format("{:.3g} % of the rows of joint_torque lie in the dead zone",
                             100.0 * out / rows));
  CHECK(IdentifiedMarkdown(identified).find("\n" + words + " and are left out.\n\n| parameter") !=
        std::string::npos);
  CHECK(!IdentifiedOf("planar2", 0.01)["cells"][0].contains("left_out"));
}

TEST_CASE("The page lists each unknown, and standard parameters with the same reason together") {
  const std::string page = IdentifiedMarkdown(IdentifiedOf("planar2", 0.01));
  for (const char* part :
       {"## ols, cell 0, trial 0\n\n| parameter | unit | value | σ | %σ | true |",
        "| link2.mcx | kg·m | ", "\nOnly in combinations:\n\n- link1.Iyy_R = ",
        "- link2.Ixx, link2.Ixz: link2 never turns about the x axis", "- base.mcz, base.Ixx, "}) {
    CAPTURE(part);
    CAPTURE(page);
    CHECK(page.find(part) != std::string::npos);
  }
}

TEST_CASE("What an estimate notes of its health stands before its unknowns") {
  // The robot has friction that the problem does not know.
  const Json correlated =
      IdentifiedOf("planar2", 0.01, R"({"problem": {"parametrisation": {"friction": []}}})");
  const Json& notes = correlated["cells"][0]["estimators"][0]["notes"];
  REQUIRE(notes.size() >= 1);
  const std::string first = notes[0].get<std::string>();
  CHECK(first.starts_with("σ is "));
  CHECK(IdentifiedMarkdown(correlated).find("trial 0\n\n- " + first + "\n") != std::string::npos);
}

TEST_CASE("Joints that are held are told with what was identified, for which alone it holds") {
  const Json identified = IdentifiedOf(
      "planar3", 0.01, R"({"robot": {"joints": "joint{1..2}", "held_at": {"joint3": 0.25}}})");
  CHECK(identified["held_joints"] == Json::parse(R"([{"name": "joint3", "position": 0.25}])"));
  CHECK(IdentifiedMarkdown(identified)
            .starts_with("# What was identified\n\n| held joint | at [rad, m] |\n|:--|--:|\n"
                         "| joint3 | 0.25 |\n\n## ols"));
  CHECK_FALSE(IdentifiedOf("planar2", 0.01).contains("held_joints"));
}

TEST_CASE("A prior was taught by no motion: nothing is said of what would teach it more") {
  const Json identified = IdentifiedOf("planar2", 0.01, R"({
    "estimators": {"ols": null, "wls": null, "prior_only": {}}, "problem": {"prior": {"relative_std": 5}}})");
  const Json& estimator = identified["cells"][0]["estimators"][0];
  REQUIRE(estimator.contains("untaught"));
  for (const Json& entry : estimator["standard"]) {
    CHECK(entry["why"].get<std::string>().find("too little") == std::string::npos);
  }
  CHECK(IdentifiedInShort(identified).find("hardly") == std::string::npos);
}

TEST_CASE("No advice for unknowns that a σ of rounding holds where they are") {
  const Json identified = IdentifiedOf("kuka_lwr4", 0.01, R"({
    "estimators": {"ols": null, "wls": null, "map": {}}, "problem": {"prior": {"relative_std": 0.3,
      "std": {"fv": 1, "fc": 1, "mcx": 1e-18, "Ixy": 1e-18, "Ixz": 1e-18}}}})");
  const Json& estimator = identified["cells"][0]["estimators"][0];
  std::size_t held = 0;
  for (const Json& entry : estimator["parameters"]) {
    if (entry["sigma"].get<double>() > 1e-15) continue;
    ++held;
    const std::string named =
        fmt::format("excites {} too little", entry["name"].get<std::string>());
    CHECK(estimator["standard"].dump().find(named) == std::string::npos);
  }
  CHECK(held > 0);
}

TEST_CASE(
    "No advice for offsets that are not there, and no σ in percent of a value that is rounding") {
  const Json identified = IdentifiedOf("planar2", 0.01, R"({
    "robot": {"truth": {"friction": {"offset_nm": 0}}},
    "problem": {"parametrisation": {"friction": ["viscous", "coulomb", "offset"]}}})");
  const Json& parameters = identified["cells"][0]["estimators"][0]["parameters"];
  const Json& offset = Entry(parameters, "joint1.fo");
  REQUIRE(offset["true"] == 0.0);
  // It came out below its σ, which is more than 30 % of it.
  REQUIRE(std::abs(offset["value"].get<double>()) < offset["sigma"].get<double>());
  CHECK_FALSE(offset.contains("percent_sigma"));
  CHECK(IdentifiedInShort(identified).find(".fo") == std::string::npos);
}

}  // namespace
}  // namespace idbench
