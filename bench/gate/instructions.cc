#include "bench/gate/instructions.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "bench/gate/process.h"
#include "bench/run/provenance.h"
#include "bench/run/sanitized.h"
#include "reports/files/atomic_file.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

constexpr double kTolerance = 0.01;
constexpr std::size_t kCounts = std::size(kCountedRepetitions);

/// What the number of instructions depends on, beside the sources.
Json CountedBuild() {
  const Json versions = Versions();
  const Json build = Build();
  return {{"compiler", versions.at("compiler")},
          {"eigen", versions.at("eigen")},
          {"xsimd", versions.at("xsimd")},
          {"kind",
           fmt::format("{}, {}", build.at("optimised").get<bool>() ? "optimised" : "not optimised",
                       build.at("assertions").get<bool>() ? "assertions" : "no assertions")},
          {"kernel", "avx2"}};
}

std::vector<std::string> Lines(std::string_view text) {
  std::vector<std::string> lines;
  std::istringstream stream{std::string(text)};
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// A baseline's cases; a damaged one is refused.
std::map<std::string, double> CasesOf(const Json& baseline, const std::string& source) {
  const auto cases = baseline.find("cases");
  const bool sound = baseline.value("format", 0) == 1 && cases != baseline.end() &&
                     cases->is_object() && baseline.value("tolerance", Json()).is_number() &&
                     std::ranges::all_of(*cases, [](const Json& count) {
                       return count.is_number() && count.get<double>() > 0;
                     });
  if (!sound) {
    throw ConfigError(source, "", "is no baseline of instruction counts",
                      {"make one with `idbench gate --instructions --write-baseline FILE`"});
  }
  return cases->get<std::map<std::string, double>>();
}

/// Says where the build of a baseline differs from another one, "" if it does not.
std::string OtherBuild(const Json& baseline, const Json& here) {
  const Json build = baseline.value("build", Json::object());
  const auto pointer = FirstDifference(here, build);
  if (!pointer) return "";
  return fmt::format("another build: {} is {} here, {} in the baseline", *pointer,
                     DescribeAt(here, *pointer), DescribeAt(build, *pointer));
}

}  // namespace

Json ToJson(const InstructionCounts& counts) {
  Json cases = Json::object();
  for (const auto& [name, count] : counts.cases) cases[name] = count;
  return {{"format", 1},
          {"tolerance", kTolerance},
          {"build", *counts.build},
          {"cases", cases},
          {"left_out", counts.left_out}};
}

std::map<std::string, std::string> WorkloadsLeftOut(std::string_view errors) {
  std::map<std::string, std::string> left_out;
  for (const std::string& line : Lines(errors)) {
    if (!line.starts_with(kWorkloadLeftOut)) continue;
    const std::string told = line.substr(std::string_view(kWorkloadLeftOut).size());
    const std::size_t colon = told.find(": ");
    if (colon != std::string::npos) left_out[told.substr(0, colon)] = told.substr(colon + 2);
  }
  return left_out;
}

std::string CauseUnderValgrind(std::string_view errors) {
  std::string own, of_valgrind;
  for (const std::string& line : Lines(errors)) {
    if (line.empty() || line.starts_with(kWorkloadLeftOut)) continue;
    (line.starts_with("==") ? of_valgrind : own) = line;
  }
  return own.empty() ? of_valgrind : own;
}

double OwnInstructions(std::string_view text, std::string_view program) {
  double sum = 0;
  bool own = false;
  bool inclusive = false;  // the line behind calls= tells what was called, not what was executed
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (line.starts_with("ob=")) own = line.substr(3) == program;
    if (line.starts_with("calls=")) {
      inclusive = true;
      continue;
    }
    const bool cost = !line.empty() && (line[0] == '+' || line[0] == '-' || line[0] == '*' ||
                                        (line[0] >= '0' && line[0] <= '9'));
    if (!cost) continue;
    const std::size_t space = line.find(' ');
    if (own && !inclusive && space != std::string_view::npos) {
      const std::string_view number = line.substr(space + 1);
      double instructions = 0;
      std::from_chars(number.data(), number.data() + number.size(), instructions);
      sum += instructions;
    }
    inclusive = false;
  }
  return sum;
}

InstructionCounts CountInstructions(WorkloadMode mode) {
  if (IDBENCH_SANITIZED) {
    throw std::runtime_error("instructions cannot be counted in a program with a sanitizer");
  }
  const ScratchDirectory scratch;
  const std::string program = ThisProgram().string();
  const std::filesystem::path out = scratch.path() / "counts";
  const auto result = RunProcess(
      {"valgrind", "--tool=callgrind", fmt::format("--callgrind-out-file={}", out.string()),
       fmt::format("--toggle-collect={}", kCountedFunction),
       fmt::format("--dump-after={}", kCountedFunction), "--compress-strings=no",
       "--compress-pos=no", program, "gate", "--workloads", std::string(ToString(mode)), "--isa",
       "avx2"},
      scratch.path());
  if (!result) {
    throw std::runtime_error(
        "instructions are counted by valgrind, which is not installed: apt-get install valgrind");
  }
  if (result->code != 0) {
    throw std::runtime_error(fmt::format("valgrind ended with {}: {}", result->code,
                                         CauseUnderValgrind(result->errors)));
  }
  InstructionCounts counts;
  counts.build = CountedBuild();
  counts.left_out = WorkloadsLeftOut(result->errors);
  std::size_t file = 0;
  for (const std::string& name : Lines(result->output)) {
    double instructions[kCounts];
    for (double& count : instructions) {
      const std::filesystem::path dump = fmt::format("{}.{}", out.string(), ++file);
      count = OwnInstructions(BytesOf(dump), program);
    }
    counts.cases[name] =
        (instructions[2] - instructions[1]) / (kCountedRepetitions[2] - kCountedRepetitions[1]);
    if (counts.cases[name] > 0) continue;
    throw std::runtime_error(fmt::format(
        "valgrind counted nothing in {}: was the program stripped of its symbols?", name));
  }
  return counts;
}

GateReport JudgeInstructions(const Json& baseline, const std::string& source,
                             const InstructionCounts& counts) {
  const std::map<std::string, double> before = CasesOf(baseline, source);
  if (std::string why = OtherBuild(baseline, *counts.build); !why.empty()) {
    return Incomparable(std::move(why));
  }
  GateReport report;
  report.tolerance = baseline.at("tolerance").get<double>();
  for (const auto& [name, count] : counts.cases) {
    const auto found = before.find(name);
    if (found == before.end()) {
      report.sentences.push_back(fmt::format("{} is not in the baseline", name));
      continue;
    }
    GateMember member;
    member.estimator = name;
    member.kind = GateMemberKind::kInstructionCount;
    member.cell.reset();
    member.metric = "instructions";
    member.effect = count / found->second - 1;
    member.verdict = count == found->second              ? MemberVerdict::kIdentical
                     : member.effect > report.tolerance  ? MemberVerdict::kRegression
                     : member.effect < -report.tolerance ? MemberVerdict::kImproved
                                                         : MemberVerdict::kSame;
    if (member.verdict == MemberVerdict::kRegression) {
      member.sentence =
          fmt::format("{}: {:.0f} instructions a call, {:.0f} before", name, count, found->second);
    }
    report.members.push_back(std::move(member));
  }
  report.verdict = VerdictOf(report.members);
  for (const auto& [type, why] : counts.left_out) {
    report.sentences.push_back(fmt::format("{} is no workload, for it refuses: {}", type, why));
  }
  for (const auto& [name, count] : before) {
    if (counts.cases.contains(name)) continue;
    const bool refuses = counts.left_out.contains(name.substr(0, name.find('/')));
    report.sentences.push_back(fmt::format("{} is in the baseline alone: {}", name,
                                           refuses
                                               ? "now it refuses, see above; mend that, or make "
                                                 "the baseline anew"
                                               : "count it, or make the baseline anew"));
    if (report.verdict == GateVerdict::kPass) report.verdict = GateVerdict::kIncomparable;
  }
  std::ranges::stable_sort(report.members, {}, &GateMember::verdict);
  return report;
}

GateReport GateInstructionCounts(const std::filesystem::path& baseline) {
  const Json json = ReadJsonFile(baseline);
  // What is damaged or of another build is told before anything is counted.
  CasesOf(json, baseline.string());
  if (std::string why = OtherBuild(json, CountedBuild()); !why.empty()) {
    return Incomparable(std::move(why));
  }
  try {
    return JudgeInstructions(json, baseline.string(), CountInstructions());
  } catch (const std::runtime_error& error) {
    return Incomparable(error.what());
  }
}

InstructionCounts WriteInstructionBaseline(const std::filesystem::path& file) {
  InstructionCounts counts = CountInstructions();
  WriteAtomically(file, ToJson(counts).dump(1) + '\n');
  return counts;
}

}  // namespace idbench
