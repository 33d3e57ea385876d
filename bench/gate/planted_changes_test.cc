#include "bench/gate/planted_changes.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "bench/run/exit_code.h"
#include "bench/small_run_test.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

TEST_CASE("A changed source has the records of the other one, in order, each changed once") {
  const LoadedScenario loaded = Load(Description());
  RolloutStore rollouts;
  std::vector<std::size_t> asked;
  const RecordSource source = [&](const LoadedScenario& of, std::size_t cell, RolloutStore& store) {
    CHECK(&of == &loaded);
    CHECK(&store == &rollouts);
    asked.push_back(cell);
    return std::string("{\"trial\":0,\"value\":0.1}\n{\"trial\":1,\"value\":1e-300}\n");
  };
  int changes = 0;
  const RecordSource changed = ChangedRecords(source, [&](Json& record) {
    ++changes;
    if (record["trial"] == 1) record["reason"] = "planted";
  });
  // What is not changed keeps its numbers to the bit and its keys in their order.
  CHECK(changed(loaded, 1, rollouts) ==
        "{\"trial\":0,\"value\":0.1}\n{\"trial\":1,\"value\":1e-300,\"reason\":\"planted\"}\n");
  CHECK(changes == 2);
  CHECK(asked == std::vector<std::size_t>{1});
}

TEST_CASE("A source that changes nothing gives a run's own records, byte for byte") {
  Json json = Description();
  json["trials"] = 3;
  const LoadedScenario loaded = Load(json);
  RolloutStore rollouts;
  const RecordSource plain = RecordsRunHere(1);
  const RecordSource same = ChangedRecords(plain, [](Json&) {});
  for (const std::size_t cell : {0, 1}) {
    CHECK(same(loaded, cell, rollouts) == plain(loaded, cell, rollouts));
  }
}

TEST_CASE("A self-test of a gate of a motion's metric is refused, for it plants in estimates") {
  Json json = Description();
  json["experiments"]["identification"]["motion"] = {
      {"type", "exciting"}, {"duration_s", 2}, {"self_collision", false}};
  json["metrics"] = {"excitation_jc"};
  json["trials"] = 2;
  const TemporaryFolder folder;
  Records(json, folder.path() / "run");
  CHECK_THROWS_WITH_AS(TellsPlantedRecords(folder.path() / "run", 1),
                       "--self-test plants in estimates, and excitation_jc@identification is of a "
                       "motion: gate a metric of estimators first",
                       UsageError);
}

TEST_CASE("A loss of accuracy does not tell that a gate finds failures") {
  GateReport report;
  report.members.resize(2);
  report.members[0].verdict = MemberVerdict::kRegression;
  report.members[1].verdict = MemberVerdict::kInconclusive;
  report.members[1].kind = GateMemberKind::kFailureRate;
  report.verdict = VerdictOf(report.members);
  CHECK(report.verdict == GateVerdict::kRegression);
  CHECK(Finds(report, GateMemberKind::kAccuracy));
  CHECK_FALSE(Finds(report, GateMemberKind::kFailureRate));
  report.members[1].verdict = MemberVerdict::kRegression;
  CHECK(Finds(report, GateMemberKind::kFailureRate));
}

}  // namespace
}  // namespace idbench
