#include "bench/identify/log_checks.h"

#include <fmt/format.h>

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
  const Recording recording = ReadLab(logs, files, "log", Role::kIdentification);
  LabLog log{.robot = logs.robot,
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

LogChecks CheckLogs(const LabLogs& logs) {
  std::vector<RecordingFiles> all = logs.identification;
  all.insert(all.end(), logs.validation.begin(), logs.validation.end());
  LogChecks checks;
  std::vector<LabFinding>& findings = checks.findings;
  for (const RecordingFiles& files : all) {
    const LabLog log = LabLogOf(logs, files);
    if (!CanFit(log)) checks.unfitted.push_back(files.names().front());
    for (LabFinding& finding : CheckLab(log)) {
      if (all.size() > 1) {
        finding.evidence = fmt::format("{}: {}", files.names().front(), finding.evidence);
      }
      const auto same = std::ranges::find_if(findings, [&finding](const LabFinding& each) {
        return each.check == finding.check && each.joint == finding.joint;
      });
      if (same == findings.end()) {
        findings.push_back(std::move(finding));
      } else {
        same->evidence += "; " + finding.evidence;
      }
    }
  }
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

std::vector<std::string> CheckSentences(const LogChecks& checks) {
  std::vector<std::string> sentences;
  for (const LabFinding& finding : checks.findings) {
    sentences.push_back(fmt::format("{}{}{}: {}. Cure: {}", finding.check,
                                    finding.joint.empty() ? "" : " of ", finding.joint,
                                    finding.evidence, finding.cure));
  }
  if (sentences.empty()) {
    sentences.push_back(
        fmt::format("nothing: {} checks found no mistake, which does not prove that there is none",
                    LabChecks().size()));
  } else {
    sentences.emplace_back(
        "nothing of this was corrected: what follows is of the logs as they are");
  }
  for (const std::string& name : checks.unfitted) {
    sentences.push_back(fmt::format(
        "{} is too short, or its rate too low, for checks that fit the robot to it: only "
        "stamps and samples were looked at",
        name));
  }
  return sentences;
}

}  // namespace idbench
