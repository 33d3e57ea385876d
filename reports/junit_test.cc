#include "reports/junit.h"

#include <doctest/doctest.h>

#include <pugixml.hpp>

#include "reports/run/sample_run_test.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

pugi::xml_document Junit(const std::filesystem::path& folder) {
  const RunFolder run(folder);
  pugi::xml_document document;
  CHECK(document.load_string(RenderJunit(run, Summarise(run)).c_str()));
  return document;
}

TEST_CASE("Each cell is a suite, each estimator a case with its failures and their reasons") {
  const TemporaryFolder folder;
  SampleRun run;
  run.change = [](Json& record) {
    if (record["cell"] == 1 && record["estimator"] == "wls" && record["trial"].get<int>() < 2) {
      SampleRun::Fail(record, "diverged", "a < b & \"c\"");
    }
  };
  run.WriteTo(folder.path());
  WriteText(folder.path() / "timings.jsonl",
            "{\"cell\":0,\"estimator\":\"ols\",\"trial\":0,\"estimate_ms\":2.5}\n");
  const pugi::xml_document document = Junit(folder.path());
  const pugi::xml_node root = document.child("testsuites");
  CHECK(std::string(root.attribute("name").value()) == "sample");
  const pugi::xml_node first = root.child("testsuite");
  CHECK(std::string(first.attribute("name").value()) == "torque noise 0.1");
  CHECK(first.attribute("tests").as_int() == 2);
  CHECK(first.attribute("failures").as_int() == 0);
  CHECK(first.child("testcase").attribute("time").as_double() == doctest::Approx(0.0025));
  const pugi::xml_node second = first.next_sibling("testsuite");
  CHECK(second.attribute("failures").as_int() == 1);
  const pugi::xml_node wls = second.last_child();
  CHECK(std::string(wls.attribute("name").value()) == "wls");
  CHECK(std::string(wls.attribute("classname").value()) == "sample.torque noise 0.2");
  const pugi::xml_node failure = wls.child("failure");
  CHECK(std::string(failure.attribute("message").value()) == "2 of 12 estimates failed");
  CHECK(std::string(failure.attribute("type").value()) == "diverged");
  CHECK(std::string(failure.text().get()) == "diverged 2: a < b & \"c\"\n");
}

TEST_CASE("A reason with control characters gives well-formed XML") {
  const TemporaryFolder folder;
  SampleRun run;
  run.change = [](Json& record) {
    if (record["trial"] == 0) SampleRun::Fail(record, "diverged", "\x01 and \x1b[31m");
  };
  run.WriteTo(folder.path());
  const RunFolder written(folder.path());
  const std::string xml = RenderJunit(written, Summarise(written));
  CHECK(xml.find("diverged 1: \xEF\xBF\xBD and \xEF\xBF\xBD[31m\n") != std::string::npos);
  CHECK(xml.find("&#") == std::string::npos);
}

TEST_CASE("An estimator that was not run is skipped") {
  const TemporaryFolder folder;
  SampleRun run;
  run.change = [](Json& record) {
    if (record["estimator"] == "wls") record = Json::object();
  };
  run.WriteTo(folder.path());
  const pugi::xml_document document = Junit(folder.path());
  const pugi::xml_node suite = document.child("testsuites").child("testsuite");
  CHECK(suite.attribute("skipped").as_int() == 1);
  CHECK(suite.last_child().child("skipped"));
}

TEST_CASE("Comparisons of a gate are a suite of their own") {
  const TemporaryFolder folder;
  SampleRun().WriteTo(folder.path());
  WriteText(folder.path() / "gate.json", R"({"verdict":"regression","members":[
    {"cell":1,"estimator":"ols","kind":"time","metric":"estimate_ms","verdict":"regression",
     "sentence":"5 % slower"},
    {"cell":7,"estimator":"ols","metric":"rmse","verdict":"inconclusive"},
    {"cell":0,"estimator":"ols","metric":"rmse","verdict":"same"}]})");
  pugi::xml_document document = Junit(folder.path());
  pugi::xml_node gate = document.child("testsuites").last_child();
  CHECK(std::string(gate.attribute("name").value()) == "gate");
  CHECK(gate.attribute("tests").as_int() == 3);
  CHECK(gate.attribute("failures").as_int() == 1);
  CHECK(gate.attribute("errors").as_int() == 1);
  CHECK(gate.attribute("skipped").as_int() == 0);
  const pugi::xml_node slower = gate.first_child();
  CHECK(std::string(slower.attribute("classname").value()) == "gate.time");
  CHECK(std::string(slower.attribute("name").value()) == "torque noise 0.2: ols: estimate_ms");
  CHECK(std::string(slower.child("failure").attribute("message").value()) == "5 % slower");

  WriteText(folder.path() / "gate.json", R"({"verdict":"incomparable"})");
  document = Junit(folder.path());
  gate = document.child("testsuites").last_child();
  CHECK(std::string(gate.child("testcase").child("error").attribute("message").value()) ==
        "incomparable");
  WriteText(folder.path() / "gate.json",
            R"({"verdict":"incomparable","sentences":["another seed"]})");
  document = Junit(folder.path());
  gate = document.child("testsuites").last_child();
  CHECK(std::string(gate.child("testcase").child("error").attribute("message").value()) ==
        "another seed");
  WriteText(folder.path() / "gate.json", "{}");
  const RunFolder damaged(folder.path());
  CHECK(MessageOf(folder.path(), [&] {
          RenderJunit(damaged, Summarise(damaged));
        }).starts_with("gate.json: "));
}

}  // namespace
}  // namespace idbench
