#include "bench/gate_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <thread>

#include "bench/choice.h"
#include "bench/gate/baseline.h"
#include "bench/gate/gate_run.h"
#include "bench/gate/instructions.h"
#include "bench/gate/interleaved.h"
#include "bench/gate/planted_changes.h"
#include "bench/gate/workloads.h"
#include "bench/run/exit_code.h"
#include "reports/gate/gate_report.h"

namespace idbench {
namespace {

namespace po = boost::program_options;

std::filesystem::path PathOf(const po::variables_map& values, const char* name) {
  return values[name].as<std::string>();
}

/// The baseline that the call needs.
std::filesystem::path BaselineOf(const po::variables_map& values) {
  if (values.count("baseline")) return PathOf(values, "baseline");
  throw UsageError(
      "gate: against which baseline? Name it with --baseline, or make one with --write-baseline");
}

int Print(const GateReport& report) {
  fmt::print("{}", RenderGate(report));
  return ExitCodeOf(report.verdict);
}

int GateInstructions(const po::variables_map& values) {
  if (!values.count("write-baseline")) return Print(GateInstructionCounts(BaselineOf(values)));
  WriteInstructionBaseline(PathOf(values, "write-baseline"));
  fmt::print("written: {}\n", PathOf(values, "write-baseline").string());
  return kExitFine;
}

int Gate(const po::variables_map& values) {
  if (values.count("workloads")) {
    RunWorkloads(ParseChoice<WorkloadMode>("--workloads", values["workloads"].as<std::string>()));
    return kExitFine;
  }
  if (values.count("instructions")) return GateInstructions(values);
  if (!values.count("run")) throw UsageError("gate: which run folder?");
  const std::filesystem::path run = PathOf(values, "run");
  const int jobs = values["jobs"].as<int>();
  if (jobs < 1) throw UsageError("--jobs: at least 1");
  if (values.count("self-test")) {
    const bool records = TellsPlantedRecords(run, jobs);
    return TellsPlantedSlowdown() && records ? kExitFine : kExitRegression;
  }
  if (values.count("write-baseline")) {
    const std::filesystem::path directory = PathOf(values, "write-baseline");
    WriteBaseline(run, directory, jobs);
    fmt::print("written: {}\n", directory.string());
    return kExitFine;
  }
  if (values.count("against")) {
    return Print(GateTimes(run, PathOf(values, "against"), values["pairs"].as<int>()));
  }
  if (values.count("aa")) {
    fmt::print("{}", RenderAa(GateAgainstItself(run, BaselineOf(values), values["aa"].as<int>())));
    return kExitFine;
  }
  return Print(GateRun(run, BaselineOf(values), RecordsRunHere(jobs)));
}

}  // namespace

Command GateCommand() {
  Command gate{"gate",
               "RUN --baseline DIR",
               "tell regressions from noise",
               po::options_description("options"),
               {"run"},
               &Gate};
  const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  gate.options.add_options()  //
      ("baseline", po::value<std::string>()->value_name("DIR"),
       "compare with this baseline, or with any run folder of the same scenario")  //
      ("write-baseline", po::value<std::string>()->value_name("DIR"),
       "make a baseline of RUN, reserve trials included")  //
      ("jobs", po::value<int>()->default_value(cores)->value_name("J"),
       "use J threads for reserve trials")  //
      ("aa", po::value<int>()->implicit_value(2000)->value_name("N"),
       "measure how often the gate alarms if nothing changed, by N gates on records of different "
       "seeds with their labels exchanged at random")  //
      ("self-test",
       "plant a loss of accuracy, lost samples, failures and a slowdown, and fail "
       "unless the gate finds each")  //
      ("against", po::value<std::string>()->value_name("PROGRAM"),
       "compare times with another idbench program; both run RUN's scenario in turns")  //
      ("pairs", po::value<int>()->default_value(12)->value_name("N"),
       "run both programs N times, with --against")  //
      ("instructions",
       "count the instructions of fixed workloads under valgrind, without RUN; --baseline and "
       "--write-baseline then name a file")  //
      ("workloads", po::value<std::string>()->value_name("WHAT"),
       "run these workloads here: count (for valgrind), slow (10 % more work in one), time")  //
      ("isa", po::value<std::string>()->value_name("SET"),
       "use this instruction set in the kernel: baseline, avx2 or avx512 (default: the widest)");
  return gate;
}

}  // namespace idbench
