#include "reports/page/html_identified.h"

#include <doctest/doctest.h>

#include "reports/run/sample_run_test.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

bool IdentifiedHas(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_CASE("Of what was identified the first estimator that identifies anything is open") {
  SampleRun run;
  run.manifest["scenario"]["estimators"] = {{"ols", {{"type", "prior_only"}}},
                                            {"wls", Json::object()}};
  const TemporaryFolder page;
  run.WriteTo(page.path());
  WriteText(page.path() / "identified.json",
            R"({"format":1,"cells":[{"cell":0,"trial":0,"estimators":[
              {"label":"ols","parameters":[]},{"label":"wls","parameters":[]},{"label":"wls","parameters":[]}]}]})");
  const std::string html = HtmlIdentified(RunFolder(page.path()));
  CHECK(html.find("<details><summary><b>ols") < html.find("<details open><summary><b>wls"));
  CHECK(html.find("<details open>") == html.rfind("<details open>"));
  CHECK(IdentifiedHas(html, "<details open>"));
}

TEST_CASE("Of an identification the estimator whose model was written is open") {
  const TemporaryFolder page;
  SampleRun().WriteTo(page.path());
  WriteText(page.path() / "verdict.json", R"({"exported":"consistent_wls"})");
  WriteText(page.path() / "identified.json",
            R"({"format":1,"cells":[{"cell":0,"trial":0,"estimators":[
              {"label":"wls","parameters":[]},{"label":"consistent_wls","parameters":[]}]}]})");
  const std::string html = HtmlIdentified(RunFolder(page.path()));
  CHECK(IdentifiedHas(html, "<details><summary><b>wls"));
  CHECK(IdentifiedHas(html, "<details open><summary><b>consistent_wls"));
}

TEST_CASE("What was identified is shown per estimator, nothing where the file is not there") {
  const TemporaryFolder page;
  SampleRun().WriteTo(page.path());
  CHECK(HtmlIdentified(RunFolder(page.path())).empty());
  WriteText(page.path() / "identified.json", R"({"format":1,"cells":[{"cell":0,"trial":3,
    "estimators":[{"label":"ols","parameters":[
        {"name":"link1.m","unit":"kg","value":2.1,"sigma":0.05,"percent_sigma":2.4,"true":2.0},
        {"name":"link1.x","unit":"1","value":1.0}],
      "standard":[{"name":"link1.Ixx","unit":"kg·m²","identifiable":"combination",
                   "in":["link1.Izz_R"],"expressions":["link1.Izz + 2 link2.m"],"why":"its axis",
                   "hardly":[{"name":"link1.Izz_R","cure":"accelerate"}]}]}]}]})");
  const std::string html = HtmlIdentified(RunFolder(page.path()));
  CHECK(IdentifiedHas(html, "<b>ols · torque noise 0.1 · trial 3</b>"));
  CHECK(IdentifiedHas(html, "link1.m <span class=\"unit\">[kg]</span>"));
  CHECK(IdentifiedHas(html, ">0.098</td><td data-v=\"0.05\">"));
  CHECK(IdentifiedHas(html, ">1</td><td class=\"absent\">–</td>"));  // no σ, no interval
  CHECK(IdentifiedHas(html, "± (95 %): 1.96σ"));
  CHECK_FALSE(IdentifiedHas(html, "dimmed"));  // link1.Ixx is hardly told, but has no row
  CHECK(IdentifiedHas(html, ">+2.00</td>"));   // (2.1 − 2.0)/0.05
  CHECK(IdentifiedHas(html, "in a combination"));
  CHECK(IdentifiedHas(html, "link1.Izz + 2 link2.m"));
  CHECK_FALSE(IdentifiedHas(html, "link1.Izz_R"));  // the expression says more
  CHECK_FALSE(IdentifiedHas(html, "What the equations show of them"));
  WriteText(page.path() / "identified.json", R"({"format":1,"cells":[{}]})");
  CHECK(IdentifiedHas(MessageOf(page.path(), [&] { HtmlIdentified(RunFolder(page.path())); }),
                      "identified.json: "));
}

TEST_CASE("Combinations of which the covariance is stand in a table of their own") {
  const TemporaryFolder page;
  SampleRun().WriteTo(page.path());
  WriteText(page.path() / "identified.json", R"({"format":1,"cells":[{"cell":0,"trial":0,
    "estimators":[{"label":"ols","parameters":[{"name":"link1.Izz","unit":"kg·m²","value":1.5}],
      "covariance":{"basis":[{"name":"link1.Izz_R","unit":"kg·m²","value":2.5,"sigma":0.25,
                              "factors":{"link1.Izz":1,"link2.m":0.5}}],
                    "covariance":[[0.0625]]}}]}]})");
  const std::string html = HtmlIdentified(RunFolder(page.path()));
  const std::size_t title = html.find("<h4>What the equations show of them</h4>");
  REQUIRE(title != std::string::npos);
  CHECK(html.find("link1.Izz_R") > title);
  CHECK(html.find("link1.Izz <span") < title);
}

TEST_CASE("What the motion hardly tells is dimmed, and the table says so") {
  const TemporaryFolder page;
  SampleRun().WriteTo(page.path());
  WriteText(page.path() / "identified.json", R"({"format":1,"cells":[{"cell":0,"trial":0,
    "estimators":[{"label":"ols","parameters":[{"name":"link1.m","unit":"kg","value":1.5},
                                               {"name":"link1.Izz","unit":"kg·m²","value":2.5}],
      "standard":[{"name":"link1.Izz","unit":"kg·m²","identifiable":"alone","why":"too slow",
                   "hardly":[{"name":"link1.Izz","cure":"accelerate"}]}]}]}]})");
  const std::string html = HtmlIdentified(RunFolder(page.path()));
  CHECK(IdentifiedHas(html, "<th scope=\"row\" class=\"text\">link1.m"));
  CHECK(IdentifiedHas(html, "<th scope=\"row\" class=\"text hardly\">link1.Izz"));
  CHECK(IdentifiedHas(html, "<td class=\"hardly\" data-v=\"2.5\">"));
  CHECK(IdentifiedHas(html, "<li>dimmed: the motion hardly tells it"));
}

TEST_CASE("The prior's values stand before those of the estimate, of combinations too") {
  SampleRun run;
  run.manifest["scenario"]["estimators"] = {{"file", {{"type", "prior_only"}}},
                                            {"wls", Json::object()}};
  const TemporaryFolder page;
  run.WriteTo(page.path());
  const std::string wls = R"({"label":"wls","parameters":[{"name":"a","unit":"kg","value":1.5},
      {"name":"c","unit":"kg","value":1.25}],
    "covariance":{"basis":[{"name":"a_R","unit":"kg","value":2.5,"factors":{"a":2,"b":-0.5}}]}})";
  const auto html = [&](const std::string& before) {
    WriteText(page.path() / "identified.json",
              R"({"format":1,"cells":[{"cell":0,"trial":0,"estimators":[)" + before + wls + "]}]}");
    return HtmlIdentified(RunFolder(page.path()));
  };
  const std::string both =
      html(R"({"label":"file","parameters":[{"name":"a","value":4.0},{"name":"b","value":3.0}]},)");
  CHECK(IdentifiedHas(both,
                      "a <span class=\"unit\">[kg]</span></th><td data-v=\"4\">4</td>"
                      "<td data-v=\"1.5\">1.5</td>"));
  // 2 · 4 − 0.5 · 3
  CHECK(IdentifiedHas(both,
                      "a_R <span class=\"unit\">[kg]</span></th><td data-v=\"6.5\">6.5</td>"
                      "<td data-v=\"2.5\">2.5</td>"));
  // The prior knows nothing of it.
  CHECK(IdentifiedHas(both,
                      "c <span class=\"unit\">[kg]</span></th><td class=\"absent\">–</td>"
                      "<td data-v=\"1.25\">1.25</td>"));
  CHECK(both.find(">before<") > both.find("<b>wls"));
  CHECK_FALSE(IdentifiedHas(html(""), ">before<"));
}

}  // namespace
}  // namespace idbench
