#include "reports/page/html_motion.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "reports/run/sample_run_test.h"
#include "scenarios/options/config_error.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

/// A line of motions of an arm of one joint: a full turn, at so many instants.
Json TurningArm(int instants = 3) {
  Json line = Json::parse(R"({"cell": 0, "trial": 2, "experiment": "validation",
    "t_s": [], "gravity": [0, 0, -9.81], "frames": ["link1", "end effector"], "parents": [-1, 0],
    "joints": ["joint1"], "q": [], "points": []})");
  for (int k = 0; k < instants; ++k) {
    const double q = 6.25 * k / instants;
    line["t_s"].push_back(0.5 * k);
    line["q"].push_back({q});
    line["points"].push_back({{0.0, 0.0, 0.3}, {0.4 * std::cos(q), 0.4 * std::sin(q), 0.3}});
  }
  return line;
}

/// A sample run with these motions.
class MovedRun {
 public:
  explicit MovedRun(const std::string& motions) {
    SampleRun().WriteTo(folder_.path());
    std::filesystem::create_directories(folder_.path() / "series");
    WriteText(folder_.path() / "series" / "motions.jsonl", motions);
  }

  std::string Html() const { return HtmlMotion(RunFolder(folder_.path())); }
  std::string Error() const {
    return MessageOf(folder_.path(), [&] { static_cast<void>(Html()); });
  }
  Json Data() const {
    const std::string html = Html(), begin = "id=\"motion-data\">";
    const std::size_t at = html.find(begin) + begin.size();
    return Json::parse(html.substr(at, html.find("</script>", at) - at));
  }

 private:
  TemporaryFolder folder_;
};

MovedRun RunOf(const Json& line) { return MovedRun(line.dump() + '\n'); }

TEST_CASE("A run without motions has no figure of them") {
  const TemporaryFolder folder;
  SampleRun().WriteTo(folder.path());
  CHECK(HtmlMotion(RunFolder(folder.path())).empty());
  CHECK(MovedRun("").Html().empty());
  CHECK(RunOf(TurningArm(0)).Html().empty());
}

TEST_CASE("The data of the figure are the line, with a label for each choice") {
  const Json line = TurningArm();
  const Json data = RunOf(line).Data();
  CHECK(data["choices"] == Json({"experiment", "cell", "trial"}));
  REQUIRE(data["views"].size() == 1);
  const Json& view = data["views"][0];
  CHECK(view["labels"] == Json({"validation", "torque noise 0.1", "2"}));
  CHECK(view["units"] == Json::object());
  for (const char* key : {"gravity", "frames", "parents", "joints", "t_s", "q", "points"}) {
    CAPTURE(key);
    CHECK(view[key] == line[key]);
  }
}

TEST_CASE("Segments of an experiment are chosen as experiments are, and units are handed on") {
  Json line = TurningArm();
  line["segment"] = 1;
  line["units"] = {{"joint1", "m"}};
  const Json view = RunOf(line).Data()["views"][0];
  CHECK(view["labels"][0] == "validation, segment 1");
  CHECK(view["units"] == Json({{"joint1", "m"}}));
}

TEST_CASE("Names that motions bring are text") {
  Json line = TurningArm();
  const std::string evil = "</script><script>alert(1)</script>";
  line["experiment"] = evil;
  line["frames"][0] = evil;
  const MovedRun run = RunOf(line);
  CHECK(run.Html().find("<script>") == std::string::npos);
  CHECK(run.Data()["views"][0]["frames"][0] == evil);
}

TEST_CASE("A page has a bounded number of motions and instants, each motion to its end") {
  std::string lines;
  for (int k = 0; k < 40; ++k) lines += TurningArm(290).dump() + '\n';
  const MovedRun run(lines);
  const Json data = run.Data();
  CHECK(data["views"].size() == 15);
  std::size_t instants = 0;
  for (const Json& view : data["views"]) {
    CHECK(view["t_s"].back() == 0.5 * 289);
    CHECK(view["q"].size() == view["t_s"].size());
    CHECK(view["points"].size() == view["t_s"].size());
    instants += view["t_s"].size();
  }
  CHECK(instants <= 1500);
  CHECK(instants >= 750);
  CHECK(run.Html().find("the first 15 of 40 motions are shown") != std::string::npos);
  CHECK(RunOf(TurningArm(290)).Data()["views"][0]["t_s"].size() == 290);
}

TEST_CASE("Of a robot with many joints the page has fewer instants") {
  Json line = TurningArm(300);
  for (int i = 2; i < 100; ++i) {
    line["frames"].push_back(fmt::format("link{}", i));
    line["parents"].push_back(i - 1);
  }
  for (Json& points : line["points"]) {
    while (points.size() < line["frames"].size()) points.push_back({0.1, 0.2, 0.3});
  }
  const Json data = RunOf(line).Data();
  CHECK(data["views"][0]["t_s"].size() == 150);  // of 60 000 numbers, 302 each: 198, every second
}

TEST_CASE("A damaged line is refused by its number") {
  const std::string at = "series/motions.jsonl: line ";
  CHECK(MovedRun(TurningArm().dump() + "\n{").Error() == at + "2: is not JSON");
  const auto error_of = [&](const auto& damage) {
    Json line = TurningArm();
    damage(line);
    const std::string error = RunOf(line).Error();
    CHECK(error.starts_with(at + "1: "));
    return error.substr(std::min(error.size(), at.size() + 3));
  };
  CHECK(error_of([](Json& line) { line["cell"] = 5; }) == "cell 5: the run has 2");
  CHECK(error_of([](Json& line) { line["parents"] = {-1}; }) == "parents: got 1 entries, not 2");
  CHECK(error_of([](Json& line) {
          line["parents"] = {-1, 1};
        }) == "parents: got 1 of frame 1, not -1 or a frame before it");
  CHECK(error_of([](Json& line) {
          line["parents"] = {-2, 0};
        }) == "parents: got -2 of frame 0, not -1 or a frame before it");
  CHECK(error_of([](Json& line) { line["gravity"] = {0, 0}; }) == "gravity: got 2 entries, not 3");
  CHECK(error_of([](Json& line) { line["q"].erase(0); }) == "q: got 2 entries, not 3");
  CHECK(error_of([](Json& line) { line["q"][1] = Json::array(); }) ==
        "a list of q: got 0 entries, not 1");
  CHECK(error_of([](Json& line) { line["points"].erase(0); }) == "points: got 2 entries, not 3");
  CHECK(error_of([](Json& line) { line["points"][0].erase(0); }) ==
        "a list of points: got 1 entries, not 2");
  CHECK(error_of([](Json& line) {
          line["points"][0][1] = {1, 2};
        }) == "a point: got 2 entries, not 3");
  CHECK(error_of([](Json& line) { line["points"][0][1][2] = nullptr; }).find("null") !=
        std::string::npos);
  CHECK(error_of([](Json& line) { line.erase("t_s"); }).find("'t_s' not found") !=
        std::string::npos);
}

}  // namespace
}  // namespace idbench
