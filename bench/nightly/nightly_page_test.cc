#include "bench/nightly/nightly_page.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <filesystem>

#include "bench/captured_output_test.h"
#include "scenarios/options/json.h"
#include "scenarios/options/utf8.h"

namespace idbench {
namespace {

std::vector<NightlyResult> OneOfEach() {
  NightlyResult pass;
  pass.label = "good";
  pass.verdict = NightlyVerdict::kPass;
  pass.sentence = "4 identical";
  pass.scenario = "r";
  pass.folder = "n/good/1";
  pass.duration_s = 1.25;
  NightlyResult skipped;
  skipped.label = "left";
  skipped.verdict = NightlyVerdict::kSkipped;
  skipped.sentence = "X is not set";
  NightlyResult worse;
  worse.label = "a<b";
  worse.verdict = NightlyVerdict::kRegression;
  worse.sentence = "5 % \"worse\"";
  worse.duration_s = 2.5;
  worse.comparisons = {{BaselineRole::kAccepted, "n/a", NightlyVerdict::kPass, "4 same"},
                       {BaselineRole::kPinned, "n/p", NightlyVerdict::kRegression, "5 %"}};
  NightlyResult late;
  late.label = "late";
  late.verdict = NightlyVerdict::kOverBudget;
  late.sentence = "stopped";
  return {pass, skipped, worse, late};
}

const NightlyHeading kHeading{"s.json", "2026-03-01T02:00:00Z", "abc"};

TEST_CASE("The file of a night has each verdict by name with its exit code, and the worst") {
  const Json json = NightlyToJson(kHeading, OneOfEach());
  CHECK(json["exit_code"] == 5);
  CHECK(json["scenarios"][2] ==
        Json::parse(R"({"label":"a<b","scenario":"","verdict":"regression","exit_code":1,
          "sentence":"5 % \"worse\"","duration_s":2.5,"folder":"","baseline":"n/p",
          "comparisons":[
            {"against":"accepted","folder":"n/a","verdict":"pass","sentence":"4 same"},
            {"against":"pinned","folder":"n/p","verdict":"regression","sentence":"5 %"}]})"));
  CHECK(json["scenarios"][0]["comparisons"].empty());
  CHECK(json["scenarios"][0]["baseline"] == "");
  CHECK(json["scenarios"][1]["verdict"] == "skipped");
  CHECK(json["scenarios"][3]["verdict"] == "over budget");
}

TEST_CASE("In JUnit a regression is a failure, what did not end is an error") {
  CHECK(NightlyToJunit(kHeading, OneOfEach()) ==
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<testsuite name=\"nightly\" timestamp=\"2026-03-01T02:00:00Z\" tests=\"4\" failures=\"1\" "
        "errors=\"1\" skipped=\"1\" time=\"3.750\">\n"
        "  <testcase classname=\"nightly\" name=\"good\" time=\"1.250\"/>\n"
        "  <testcase classname=\"nightly\" name=\"left\" time=\"0.000\">\n"
        "    <skipped message=\"X is not set\"/>\n"
        "  </testcase>\n"
        "  <testcase classname=\"nightly\" name=\"a&lt;b\" time=\"2.500\">\n"
        "    <failure type=\"regression\" message=\"5 % &quot;worse&quot;\"/>\n"
        "  </testcase>\n"
        "  <testcase classname=\"nightly\" name=\"late\" time=\"0.000\">\n"
        "    <error type=\"over budget\" message=\"stopped\"/>\n"
        "  </testcase>\n"
        "</testsuite>\n");
}

TEST_CASE("The page counts what is fine and colours verdicts, a skipped one not") {
  const std::string page = NightlyToHtml(kHeading, OneOfEach(), "n");
  CHECK(Has(page, "<dt>scenarios</dt><dd>4</dd>"));
  CHECK(Has(page, "<dt>fine</dt><dd>1</dd>"));
  CHECK(Has(page, "<div class=\"bad\"><dt>to look at</dt><dd>2</dd>"));
  CHECK(Has(page, "<dt>skipped</dt><dd>1</dd>"));
  CHECK(Has(page, "<span class=\"verdict good\">pass</span>"));
  CHECK(Has(page, "<span class=\"verdict \">skipped</span>"));
  CHECK(Has(page,
            "accepted a <span class=\"verdict good\">pass</span><br>"
            "pinned p <span class=\"verdict bad\">regression</span>"));
  CHECK(Has(page, "<span class=\"verdict bad\">over budget</span>"));
}

TEST_CASE("Stray bytes and control characters of a message cost no file of the night") {
  NightlyResult odd;
  odd.label = "odd";
  odd.verdict = NightlyVerdict::kRefused;
  odd.sentence = "q_\xB0 \x1b[31m\x01";
  constexpr const char* kClean = "q_\xEF\xBF\xBD \xEF\xBF\xBD[31m\xEF\xBF\xBD";
  CHECK(Json::parse(JsonText(NightlyToJson(kHeading, {odd})))["scenarios"][0]["sentence"] ==
        "q_\xEF\xBF\xBD \x1b[31m\x01");
  CHECK(Has(NightlyToJunit(kHeading, {odd}), fmt::format("message=\"{}\"", kClean)));
  CHECK(Has(NightlyToHtml(kHeading, {odd}, "n"), fmt::format(">{}</td>", kClean)));
  CHECK(NightlyToText({odd}).ends_with(fmt::format("  {}\n", kClean)));
}

TEST_CASE("A link is percent-encoded, and no label is a scheme, a query or a fragment") {
  const TemporaryFolder folder;
  NightlyResult result;
  result.label = "javascript:a?b#c%20\"°";
  result.folder = folder.path() / result.label;
  std::filesystem::create_directories(result.folder);
  folder.Write(result.label + "/report.html", "");
  CHECK(Has(NightlyToHtml(kHeading, {result}, folder.path()),
            "<a href=\"javascript%3Aa%3Fb%23c%2520%22%C2%B0/report.html\">report</a>"));
}

TEST_CASE("The table for a terminal is aligned by the longest label") {
  const std::string text = NightlyToText(OneOfEach());
  CHECK(text.starts_with("good  pass          "));
  CHECK(Has(text, "\na<b   regression    "));
  CHECK(text.ends_with("  stopped\n"));
}

}  // namespace
}  // namespace idbench
