#include "bench/gate_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "bench/choice.h"
#include "bench/gate/baseline.h"
#include "bench/gate/calibration.h"
#include "bench/gate/gate_run.h"
#include "bench/gate/instructions.h"
#include "bench/gate/interleaved.h"
#include "bench/gate/planted_changes.h"
#include "bench/gate/process.h"
#include "bench/gate/workloads.h"
#include "bench/run/compared_manifest.h"
#include "bench/run/exit_code.h"
#include "reports/gate/gate_report.h"
#include "reports/run/run_identity.h"
#include "scenarios/options/json.h"

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

/// The number that an option gives, in a range that a gate has a use for.
std::optional<double> NumberOf(const po::variables_map& values, const char* name, double above,
                               double most) {
  if (!values.count(name)) return std::nullopt;
  const double number = values[name].as<double>();
  if (number > above && number <= most) return number;
  throw UsageError(fmt::format("--{}: got {:g}\n  accepted here: above {:g}, at most {:g}", name,
                               number, above, most));
}

/// What the call says in place of the scenario.
GateChoices ChoicesOf(const po::variables_map& values) {
  GateChoices choices;
  if (values.count("metric")) choices.metric = values["metric"].as<std::string>();
  if (values.count("better")) {
    choices.better = ParseChoice<Better>("--better", values["better"].as<std::string>());
  }
  choices.tolerance = NumberOf(values, "tolerance", 0, kMostTolerance);
  choices.alpha = NumberOf(values, "alpha", 0, 0.5);
  choices.allow_missing = values.count("allow-missing") > 0;
  return choices;
}

/// Options that say what of a run is judged mean nothing for instructions.
int GateInstructions(const po::variables_map& values) {
  for (const char* const name : {"run", "isa", "metric", "tolerance", "alpha", "allow-missing"}) {
    if (!values.count(name)) continue;
    throw UsageError(
        fmt::format("gate: --instructions counts fixed workloads: {}{} means nothing for it",
                    name == std::string_view("run") ? "" : "--",
                    name == std::string_view("run") ? "a run folder" : name));
  }
  if (!values.count("write-baseline")) return Print(GateInstructionCounts(BaselineOf(values)));
  const InstructionCounts counts = WriteInstructionBaseline(PathOf(values, "write-baseline"));
  for (const auto& [type, why] : counts.left_out) {
    fmt::print(stderr, "{}{}: {}\n", kWorkloadLeftOut, type, why);
  }
  fmt::print("written: {}\n", PathOf(values, "write-baseline").string());
  return kExitFine;
}

/// Each of these is a task of its own; only the gate itself and --aa have a baseline.
void CheckTasks(const po::variables_map& values) {
  std::vector<std::string> tasks;
  for (const char* const name : {"write-baseline", "against", "aa", "self-test"}) {
    if (values.count(name)) tasks.push_back(fmt::format("--{}", name));
  }
  if (tasks.size() > 1) {
    throw UsageError(
        fmt::format("gate: {} in one call\n  give one of them", fmt::join(tasks, ", ")));
  }
  const bool has_baseline = tasks.empty() || values.count("aa");
  if (values.count("baseline") && !has_baseline) {
    throw UsageError(fmt::format(
        "gate: {} compares with no baseline\n  leave out --baseline, or gate in a call of its own",
        tasks[0]));
  }
  if (!values["pairs"].defaulted() && !values.count("against")) {
    throw UsageError("--pairs: needs --against, the program to compare with");
  }
}

/// Tells on stderr if two folders were made by different programs.
void TellPrograms(const std::filesystem::path& a, const std::string& a_name,
                  const std::filesystem::path& b, const std::string& b_name) {
  if (!std::filesystem::exists(b)) return;
  for (const std::string& sentence :
       ProgramDifferences(ReadManifestToCompare(a), a_name, ReadManifestToCompare(b), b_name)) {
    fmt::print(stderr, "note: {}\n", sentence);
  }
}

int Gate(const po::variables_map& values) {
  if (values.count("workloads")) {
    RunWorkloads(ParseChoice<WorkloadMode>("--workloads", values["workloads"].as<std::string>()));
    return kExitFine;
  }
  if (values.count("instructions")) return GateInstructions(values);
  if (!values.count("run")) throw UsageError("gate: which run folder?");
  const std::filesystem::path run = PathOf(values, "run");
  CheckTasks(values);
  const int jobs = values["jobs"].as<int>();
  const GateChoices choices = ChoicesOf(values);
  if (jobs < 1) throw UsageError("--jobs: at least 1");
  if (values.count("self-test")) {
    const bool records = TellsPlantedRecords(run, jobs);
    const std::optional<bool> slowdown = TellsPlantedSlowdown();
    if (!records || slowdown == false) return kExitRegression;
    return slowdown ? kExitFine : kExitExecution;  // nothing is wrong with the gate
  }
  if (values.count("write-baseline")) {
    const std::filesystem::path directory = PathOf(values, "write-baseline");
    WriteBaseline(run, directory, jobs, choices);
    fmt::print("written: {}\n", directory.string());
    TellPrograms(directory, "the run", directory / kReserveFolder, "its reserve");
    return kExitFine;
  }
  if (values.count("against")) {
    return Print(GateTimes(run, {.here = ThisProgram(), .there = PathOf(values, "against")},
                           values["pairs"].as<int>(), choices));
  }
  if (values.count("aa")) {
    const int gates = values["aa"].as<int>();
    if (gates < 1) throw UsageError("--aa: at least 1 run");
    const Calibration calibration = CalibrateGate(
        run, BaselineOf(values), static_cast<std::size_t>(gates), RecordsRunHere(jobs), choices);
    fmt::print("{}", RenderCalibration(calibration));
    if (calibration.failed()) return kExitRegression;
    const bool is_open = calibration.decided_nothing() && !values.count("inconclusive-ok");
    return is_open ? kExitInconclusive : kExitFine;
  }
  const int code = Print(GateRun(run, BaselineOf(values), RecordsRunHere(jobs), choices));
  return code == kExitInconclusive && values.count("inconclusive-ok") ? kExitFine : code;
}

}  // namespace

Subcommand GateCommand() {
  Subcommand gate{"gate",
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
      ("metric", po::value<std::string>()->value_name("NAME"),
       "check this metric in place of those that the scenario names (without any: the first "
       "headline metric that ranks estimators, as the torque error on held-out data, else the "
       "first)")  //
      ("better", po::value<std::string>()->value_name("WHICH"),
       "take lower or higher values of the metric as better")  //
      ("tolerance", po::value<double>()->value_name("X"),
       "set the relative change that is no regression, in place of the scenario's; twice as much "
       "must be "
       "found")  //
      ("alpha", po::value<double>()->value_name("X"),
       "set the greatest probability of a false alarm, in place of the scenario's")  //
      ("allow-missing", "check the rest if estimators of the baseline are gone")     //
      ("inconclusive-ok", "tell with 0, not 3, where the trials do not decide")      //
      ("aa", po::value<int>()->implicit_value(20)->value_name("N"),
       "check N runs that differ from the baseline in nothing but fresh noise, and fail "
       "if they alarm more often than alpha allows")  //
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
