#include "reports/page/html_gate.h"

#include <doctest/doctest.h>

#include "reports/run/sample_run_test.h"

namespace idbench {
namespace {

bool GateHas(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_CASE("The gate's verdict is shown with its comparisons, nothing without a gate") {
  const TemporaryFolder page;
  SampleRun().WriteTo(page.path());
  CHECK(HtmlGate(RunFolder(page.path())).empty());
  WriteText(page.path() / "gate.json", R"({"format":1,"baseline":"base","verdict":"regression",
    "sentences":["1 regression"],
    "members":[{"cell":1,"estimator":"ols","kind":"accuracy","metric":"rmse","verdict":"regression",
                "effect":0.05,"interval":[0.03,0.07],"p":1e-5,"sentence":"5 % worse"}]})");
  const std::string html = HtmlGate(RunFolder(page.path()));
  CHECK(GateHas(html,
                "<li class=\"bad\"><strong>regression</strong>, compared with <code>base</code>"));
  CHECK(GateHas(html, "<li>1 regression</li>"));
  CHECK(GateHas(html, "torque noise 0.2"));
  CHECK(
      GateHas(html, "<td data-v=\"5\">+5.00 <span class=\"interval\">[+3.00, +7.00]</span></td>"));
  CHECK(GateHas(html, "<td data-v=\"1e-05\">1e-05</td><td class=\"text wrap\">5 % worse</td>"));
  CHECK_FALSE(GateHas(html, "reserve"));
  WriteText(page.path() / "gate.json", "{}");
  CHECK(GateHas(MessageOf(page.path(), [&] { HtmlGate(RunFolder(page.path())); }), "gate.json: "));
}

TEST_CASE("The reserve has a column where a member has one, and names break behind words") {
  const TemporaryFolder page;
  SampleRun().WriteTo(page.path());
  WriteText(page.path() / "gate.json", R"({"format":2,"verdict":"inconclusive","members":[
    {"cell":0,"estimator":"ols","metric":"rmse_nm@all","verdict":"inconclusive","effect":0.05,
     "p":0.01,"reserve":{"effect":-0.001,"p":0.7}},
    {"cell":0,"estimator":"wls","metric":"rmse_nm@all","verdict":"same","effect":0}]})");
  const std::string html = HtmlGate(RunFolder(page.path()));
  CHECK(GateHas(html, "<button type=\"button\">reserve [%]</button>"));
  CHECK(GateHas(html, "<td>-0.10 <span class=\"interval\">p 0.7</span></td>"));
  CHECK(GateHas(html, "rmse_<wbr>nm<wbr>@all"));
  CHECK_FALSE(GateHas(html, "in words"));
}

TEST_CASE("A verdict has the colour of what is to be done: nothing, look, mend") {
  const TemporaryFolder page;
  SampleRun().WriteTo(page.path());
  const auto html = [&page](const std::string& verdict, const std::string& member) {
    WriteText(page.path() / "gate.json",
              R"({"verdict":")" + verdict +
                  R"(","members":[{"cell":0,"estimator":"ols","effect":null,"verdict":")" + member +
                  "\"}]}");
    return HtmlGate(RunFolder(page.path()));
  };
  const std::string fine = html("pass", "improved");
  CHECK(GateHas(fine, "<li class=\"good\"><strong>pass</strong></li>"));
  CHECK(GateHas(fine, "text verdict good\">improved"));
  CHECK(GateHas(fine, "<td class=\"absent\">–</td>"));
  const std::string open = html("incomparable", "inconclusive");
  CHECK(GateHas(open, "<li class=\"warn\"><strong>incomparable"));
  CHECK(GateHas(open, "text verdict warn\">inconclusive"));
}

}  // namespace
}  // namespace idbench
