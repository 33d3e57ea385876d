#include "bench/identify/log_checks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "scenarios/options/json.h"

namespace idbench {
namespace {

constexpr auto kChecked =
    std::to_array<std::string_view>({kJointPosition, kJointVelocity, kJointTorque});

LabLog LabLogOf(const LabLogs& logs, const RecordingFiles& files) {
  const Recording recording = ReadForChecks(logs, files);
  LabLog log{.robot = logs.robot,
             .guessed = logs.guessed,
             .stamps = {recording.rows, recording.repeated_stamps},
             .breaks = recording.breaks};
  for (const Dataset& segment : recording.segments) {
    Dataset& recorded = log.recorded.emplace_back(segment.WithoutChannels());
    for (const std::string_view name : kChecked) {
      if (const Channel* const channel = segment.Find(name)) recorded.Add(*channel);
    }
  }
  log.processed = ProcessedForChecks(log.recorded);
  return log;
}

}  // namespace

std::vector<LabFinding> JoinFindings(const std::vector<FindingsOfLog>& of_logs) {
  if (of_logs.size() == 1) return of_logs.front().findings;
  struct Joined {
    LabFinding clearest;
    std::string log;
    std::vector<std::string> others;
  };
  std::vector<Joined> joined;
  for (const auto& [log, findings] : of_logs) {
    for (const LabFinding& finding : findings) {
      const auto same = std::ranges::find_if(joined, [&finding = finding](const Joined& each) {
        return each.clearest.check == finding.check && each.clearest.joint == finding.joint;
      });
      if (same == joined.end()) {
        joined.push_back({finding, log, {}});
      } else if (finding.gain > same->clearest.gain) {
        same->others.push_back(std::exchange(same->log, log));
        same->clearest = finding;
      } else {
        same->others.push_back(log);
      }
    }
  }
  std::vector<LabFinding> told;
  for (Joined& each : joined) {
    std::erase(each.others, each.log);  // a check may tell of a joint twice
    const auto twice = std::ranges::unique(each.others);
    each.others.erase(twice.begin(), twice.end());
    each.clearest.evidence = fmt::format("{}: {}", each.log, each.clearest.evidence);
    if (!each.others.empty()) {
      each.clearest.evidence += fmt::format(" (also in {})", fmt::join(each.others, ", "));
    }
    std::vector<std::string> having = each.others;
    having.insert(having.begin(), each.log);
    if (having.size() < of_logs.size() && each.clearest.gain > 0.0) {
      each.clearest.cure += fmt::format(
          "; not all logs have it, and what one call says of columns (--unit, --factor, --offset) "
          "is of all its logs: change the values in {}",
          fmt::join(having, ", "));
    }
    told.push_back(std::move(each.clearest));
  }
  return told;
}

std::vector<LabFinding> JoinNamesAndData(const std::vector<LabFinding>& of_names,
                                         std::vector<LabFinding> of_data) {
  std::vector<LabFinding> all = of_names;
  for (LabFinding& finding : of_data) {
    const auto named = std::ranges::find(of_names, finding.check, &LabFinding::check);
    if (named == of_names.end() || !finding.joint.empty()) {
      all.push_back(std::move(finding));
      continue;
    }
    LabFinding& both = all[static_cast<std::size_t>(named - of_names.begin())];
    both.evidence += "; " + finding.evidence;
    both.gain = finding.gain;
  }
  return all;
}

LogChecks CheckLogs(const LabLogs& logs) {
  std::vector<RecordingFiles> all = logs.identification;
  all.insert(all.end(), logs.validation.begin(), logs.validation.end());
  LogChecks checks;
  std::vector<FindingsOfLog> of_logs;
  for (const RecordingFiles& files : all) {
    const LabLog log = LabLogOf(logs, files);
    const std::string name = files.names().front();
    if (!CanFit(log)) checks.unfitted.push_back(name);
    of_logs.push_back({name, JoinNamesAndData(logs.findings.at(name), CheckLab(log))});
  }
  checks.findings = JoinFindings(of_logs);
  return checks;
}

Json ChecksJson(const std::vector<LabFinding>& findings) {
  Json json = Json::array();
  for (const LabFinding& finding : findings) {
    json.push_back({{"check", finding.check},
                    {"joint", finding.joint},
                    {"evidence", finding.evidence},
                    {"cure", finding.cure}});
  }
  return json;
}

std::vector<std::string> DoubtfulData(const LogChecks& checks) {
  std::vector<std::string> names;
  for (const LabFinding& finding : checks.findings) {
    const auto check = std::ranges::find(LabChecks(), finding.check, &LabCheck::key);
    if (check->doubtful() && std::ranges::find(names, finding.check) == names.end()) {
      names.push_back(finding.check);
    }
  }
  return names;
}

std::vector<std::string> CheckSentences(const LogChecks& checks) {
  std::vector<std::string> sentences;
  for (const LabFinding& finding : checks.findings) {
    sentences.push_back(fmt::format("{}{}{}: {}. Cure: {}", finding.check,
                                    finding.joint.empty() ? "" : " of ", finding.joint,
                                    finding.evidence, finding.cure));
  }
  if (sentences.empty() && !checks.unfitted.empty()) {
    sentences.emplace_back("nothing was seen in stamps and samples, which is not much, see below");
  } else if (sentences.empty()) {
    sentences.push_back(
        fmt::format("nothing: {} checks found no mistake, which does not prove that there is none",
                    LabChecks().size()));
  } else {
    sentences.emplace_back(
        "nothing of this was corrected: what follows is of the logs as they are");
  }
  for (const std::string& name : checks.unfitted) {
    sentences.push_back(fmt::format(
        "no robot was fitted to {}, which is too short, or too slow, or has what is said above of "
        "dead torques, jumps or spikes: only stamps and samples were looked at",
        name));
  }
  return sentences;
}

}  // namespace idbench
