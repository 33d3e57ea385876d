#include "reports/tables/held_out.h"

#include <doctest/doctest.h>

#include "reports/run/run_folder.h"
#include "reports/run/sample_run_test.h"
#include "reports/tables/table_check.h"
#include "reports/tables/table_options.h"

namespace idbench {
namespace {

using HeldOutSentences = std::vector<std::string>;

/// What is said of a run on recordings with these relative errors of `ols` and `prior_only`.
struct HeldOutRun {
  double trained = 0.0158, near = 0.0183, far = 0.127, prior = 0.1125;
  bool simulated = false;
  std::string metric = "joint_torque_relative_error";

  HeldOutSentences Doubts() const {
    const TemporaryFolder folder;
    SampleRun run;
    run.manifest["trials"] = 1;
    run.manifest["estimators"] = {"prior_only", "ols"};
    Json& scenario = run.manifest["scenario"];
    scenario["experiments"] = {{"run1", {{"role", "identification"}}},
                               {"run2", {{"role", "validation"}}},
                               {"run3", {{"role", "validation"}}}};
    scenario["estimators"] = {{"prior_only", {{"type", "prior_only"}}}, {"ols", {{"type", "ols"}}}};
    scenario["recording"] = simulated ? Json(nullptr) : Json::object();
    run.manifest["metrics"] = Json::object();
    for (const char* experiment : {"run1", "run2", "run3"}) {
      run.manifest["metrics"][std::string("joint_torque_relative_error@") + experiment] = {
          {"unit", "1"}, {"components", Json::array()}, {"better", "lower"}};
    }
    run.change = [this](Json& record) {
      const bool is_prior = record["estimator"] == "prior_only";
      record["metrics"] = Json::object();
      const auto set = [&record](const char* experiment, double value) {
        record["metrics"][std::string("joint_torque_relative_error@") + experiment] = {
            {"value", value}};
      };
      set("run1", is_prior ? prior : trained);
      set("run2", is_prior ? prior : near);
      // The second cell's is less.
      set("run3", is_prior ? prior : record["cell"] == 1 ? 0.9 * far : far);
    };
    run.WriteTo(folder.path());
    const RunFolder read(folder.path());
    const Summary summary = Summarise(read);
    const TableOptions options = {.rows = TableSide("experiment"), .metric = metric};
    return HeldOutDoubts(read.manifest(),
                         SelectItems(options, VocabularyOf(read.manifest()), summary));
  }
};

TEST_CASE("A held-out error above three times that of training is told, and the prior's") {
  CHECK(HeldOutRun().Doubts() ==
        HeldOutSentences{
            "held-out error far above that of training: run3: ols 12.7 % against 1.58 % (the "
            "prior alone: 11.2 %); what was fitted does not carry over to it, nor does its σ"});
  CHECK(HeldOutRun{.far = 2.9 * 0.0158}.Doubts().empty());
  CHECK(HeldOutRun{.far = 3.1 * 0.0158}.Doubts().size() == 1);
  CHECK(HeldOutRun{.near = 0.5}.Doubts().size() == 2);
}

TEST_CASE("Tables of other experiments, and simulations, have no such sentence") {
  CHECK(HeldOutRun{.metric = "joint_torque_relative_error@run2"}.Doubts().empty());
  CHECK(HeldOutRun{.metric = "joint_torque_relative_error@run3"}.Doubts().size() == 1);
  CHECK(HeldOutRun{.simulated = true}.Doubts().empty());
}

/// What is said of a run with these errors of `ols` over the prior's on joint1 and joint2.
struct WorseJointsRun {
  double joint1 = 0.01, joint2 = 8.7;
  bool has_ratio = true;
  const char* role = "validation";

  HeldOutSentences Told() const {
    const TemporaryFolder folder;
    SampleRun run;
    run.manifest["estimators"] = {"prior_only", "ols"};
    Json& scenario = run.manifest["scenario"];
    scenario["experiments"] = {{"validation", {{"role", role}}}};
    scenario["estimators"] = {{"prior_only", Json::object()}, {"ols", Json::object()}};
    const std::string metric =
        has_ratio ? "joint_torque_ratio_to_prior@validation" : "joint_torque_rmse_nm@validation";
    run.manifest["metrics"] = {
        {metric, {{"unit", "1"}, {"components", {"joint1", "joint2"}}, {"better", "lower"}}}};
    run.change = [&](Json& record) {
      const double scale = has_ratio ? 1.0 : 0.25;
      const double part = record["cell"] == 0 ? 0.5 : 1.0;  // the second cell's is the larger
      const Json components = record["estimator"] == "prior_only"
                                  ? Json{scale, scale}
                                  : Json{part * scale * joint1, part * scale * joint2};
      record["metrics"] = {{metric, {{"value", 0.5}, {"components", components}}}};
    };
    run.WriteTo(folder.path());
    const RunFolder read(folder.path());
    const Summary summary = Summarise(read);
    const TableOptions options = {.rows = TableSide("cell"), .metric = metric};
    return JointsWorseThanPrior(read.manifest(),
                                SelectItems(options, VocabularyOf(read.manifest()), summary));
  }
};

TEST_CASE("A joint that the prior predicts better is told, whatever the error over all joints") {
  const HeldOutSentences told = {
      "joints that the prior alone predicts better on validation, with errors over the prior's: "
      "joint2 (ols 8.7)"};
  CHECK(WorseJointsRun().Told() == told);
  CHECK(WorseJointsRun{.has_ratio = false}.Told() == told);
  CHECK(WorseJointsRun{.joint2 = 1.04}.Told().empty());
  CHECK(WorseJointsRun{.role = "identification"}.Told().empty());
  CHECK(WorseJointsRun{.joint1 = 1.5}.Told().front().find("joint1 (ols 1.5), joint2 (ols 8.7)") !=
        std::string::npos);
}

}  // namespace
}  // namespace idbench
