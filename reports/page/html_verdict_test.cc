#include "reports/page/html_verdict.h"

#include <doctest/doctest.h>

#include "reports/run/sample_run_test.h"
#include "scenarios/options/config_error.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

Json SampleValidation(const char* experiment) {
  return {{"experiment", experiment},
          {"sentence", std::string("Held-out torque (") + experiment + ")"},
          {"joints", Json::array({{{"joint", "joint<2>"},
                                   {"torque_nm", 10.0},
                                   {"file_nm", 4.0},
                                   {"identified_nm", 3.0},
                                   {"noise_nm", nullptr},
                                   {"predicted", "roughly"},
                                   {"grade", "fair"}}})},
          {"notes", {"filtered before"}}};
}

Json SampleVerdict(const Json& validation) {
  return {{"title", "arm"},           {"found", {"q is in radians & seconds"}},
          {"wrong", {"nothing"}},     {"prepared", {"low-pass at 5 Hz"}},
          {"validation", validation}, {"parameters", {"1 alone"}}};
}

/// The section of a run folder with that verdict.json.
std::string VerdictSection(const std::string& verdict) {
  const TemporaryFolder page;
  SampleRun().WriteTo(page.path());
  WriteText(page.path() / "verdict.json", verdict);
  return HtmlVerdict(RunFolder(page.path()));
}

std::size_t CountOf(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

TEST_CASE("The verdict is on the page, escaped; a run without one has no such section") {
  const TemporaryFolder page;
  SampleRun().WriteTo(page.path());
  CHECK(HtmlVerdict(RunFolder(page.path())).empty());

  const std::string html =
      VerdictSection(SampleVerdict(Json::array({SampleValidation("log2")})).dump());
  for (const char* part :
       {"Held-out torque (log2)", "joint&lt;2&gt;", "<td data-v=\"3\">3</td>",
        "<td class=\"absent\">–</td>", "<td class=\"text verdict warn\">roughly</td>",
        "<li>filtered before</li>", "<li>1 alone</li>", "<li>q is in radians &amp; seconds</li>",
        "<li>low-pass at 5 Hz</li>"}) {
    CAPTURE(part);
    CHECK(CountOf(html, part) == 1);
  }
}

TEST_CASE("A note of all experiments of validation is told once, one of some beside each") {
  Json own = SampleValidation("log3");
  own["notes"].push_back("repeats the motion");
  const std::string html = VerdictSection(SampleVerdict({SampleValidation("log2"), own}).dump());
  CHECK(CountOf(html, "filtered before") == 1);
  CHECK(html.find("repeats the motion") < html.find("filtered before"));
}

TEST_CASE("Where there is no verdict, its reason is shown") {
  const Json missing = {{"experiment", "log2"}, {"no_verdict", "wls: failed"}};
  CHECK(VerdictSection(SampleVerdict({SampleValidation("log1"), missing}).dump())
            .find("<li class=\"bad\">No verdict on log2: wls: failed</li>") != std::string::npos);
}

TEST_CASE("A damaged verdict.json is refused by its path") {
  for (const char* damaged : {"[]", R"({"validation":[{"sentence":"x"}]})", "{"}) {
    CAPTURE(damaged);
    CHECK_THROWS_AS(VerdictSection(damaged), ConfigError);
  }
}

}  // namespace
}  // namespace idbench
