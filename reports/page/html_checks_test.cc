#include "reports/page/html_checks.h"

#include <doctest/doctest.h>

#include "reports/run/sample_run_test.h"
#include "scenarios/options/config_error.h"

namespace idbench {
namespace {

TEST_CASE(
    "What looks wrong in logs is a table of the page, escaped; a run without checks has none") {
  const TemporaryFolder page;
  SampleRun().WriteTo(page.path());
  CHECK(HtmlChecks(RunFolder(page.path())).empty());

  WriteText(page.path() / "checks.json", "[]");
  CHECK(HtmlChecks(RunFolder(page.path())).find("no check found a mistake") != std::string::npos);

  WriteText(page.path() / "checks.json",
            R"([{"check":"sign","joint":"joint<2>","evidence":"fits better","cure":"turn it"}])");
  const std::string html = HtmlChecks(RunFolder(page.path()));
  CHECK(html.find("joint&lt;2&gt;") != std::string::npos);
  CHECK(html.find("turn it") != std::string::npos);
  CHECK(html.find("Nothing of this was corrected") != std::string::npos);
}

TEST_CASE("A damaged checks.json is refused by its path") {
  const TemporaryFolder page;
  SampleRun().WriteTo(page.path());
  for (const char* damaged : {"{}", R"([{"check":"sign"}])", "["}) {
    CAPTURE(std::string(damaged));
    WriteText(page.path() / "checks.json", damaged);
    CHECK_THROWS_AS(HtmlChecks(RunFolder(page.path())), ConfigError);
  }
}

}  // namespace
}  // namespace idbench
