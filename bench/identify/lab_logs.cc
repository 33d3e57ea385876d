#include "bench/identify/lab_logs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "hw/log_format.h"
#include "robots/recording/transmission.h"
#include "scenarios/options/config_error.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

namespace fs = std::filesystem;

Log Open(const fs::path& path, const RecordingFormat& format) {
  Log log = ReadWholeLog(path, format);
  if (log.tables.empty()) {
    throw ConfigError(
        path.string(), "", "holds nothing that idbench can read",
        {"bags need topics of sensor_msgs/msg/JointState or alike, archives arrays of "
         "numbers"});
  }
  return log;
}

/// The folder that holds all of them.
fs::path RootOf(const std::vector<fs::path>& paths) {
  fs::path root = fs::absolute(paths.front()).lexically_normal().parent_path();
  for (const fs::path& each : paths) {
    const fs::path path = fs::absolute(each).lexically_normal();
    while (!root.empty() && root != root.root_path() &&
           path.lexically_relative(root).string().starts_with("..")) {
      root = root.parent_path();
    }
  }
  return root;
}

class LabReader {
 public:
  explicit LabReader(const IdentifyOptions& options)
      : options_(options),
        whole_(options.part.whole() ? LoadWhole(options.robot)
                                    : LoadRobot(options.robot, options.part)) {
    std::vector<fs::path> all = options.logs;
    all.insert(all.end(), options.validation.begin(), options.validation.end());
    root_ = RootOf(all);
    for (const fs::path& path : all) {
      std::error_code unreadable;
      if (fs::exists(path, unreadable)) continue;
      throw ConfigError(path.string(), "", "no such file or folder", {"check the path of the log"});
    }
    result_.recording.format = GuessCommonFormat(all);
  }

  LabLogs Read() {
    const std::vector<std::vector<fs::path>> recordings = Divide();
    for (const std::vector<fs::path>& paths : recordings) {
      result_.identification.push_back(Take(paths));
    }
    for (const fs::path& path : options_.validation) result_.validation.push_back(Take({path}));
    TakeRobot();
    return std::move(result_);
  }

 private:
  /// Each log is a recording if the first one is; else all are one.
  std::vector<std::vector<fs::path>> Divide() {
    if (options_.logs.size() == 1) return {options_.logs};
    try {
      Find({options_.logs.front()});
    } catch (const ConfigError& alone) {
      try {
        Find(options_.logs);
      } catch (const ConfigError& together) {
        throw Joined(alone, together);
      }
      result_.sentences.push_back(
          fmt::format("{} files are taken for one recording, since the first alone lacks positions "
                      "or torques",
                      options_.logs.size()));
      return {options_.logs};
    }
    std::vector<std::vector<fs::path>> recordings;
    for (const fs::path& path : options_.logs) recordings.push_back({path});
    return recordings;
  }

  /// What is wrong of the first log alone, and of all as one recording.
  ConfigError Joined(const ConfigError& alone, const ConfigError& together) const {
    std::vector<Issue> issues = alone.issues();
    const Issue& issue = together.issues().front();
    issues.back().details.push_back(fmt::format("taken for one recording, the {} files: {}{}{}",
                                                options_.logs.size(), issue.where,
                                                issue.where.empty() ? "" : " ", issue.what));
    return {alone.source(), std::move(issues)};
  }

  FoundColumns Find(const std::vector<fs::path>& paths) {
    std::vector<Log> logs;
    std::vector<std::string> stems;
    for (const fs::path& path : paths) {
      logs.push_back(Open(path, result_.recording.format));
      stems.push_back(path.stem().string());
    }
    return FindColumns(logs, stems, whole_, options_.told);
  }

  /// The files of one recording; the first one says how all are read.
  RecordingFiles Take(const std::vector<fs::path>& paths) {
    const FoundColumns found = Find(paths);
    if (joints_.empty()) {
      joints_ = found.joints;
      result_.recording.root = root_.string();
      result_.recording.columns = found.columns;
      result_.recording.units = found.units;
      result_.recording.factors = found.factors;
      result_.recording.offsets = found.offsets;
      result_.recording.rate_hz = found.rate_hz;
      result_.recording.unordered_rows = FaultyRows::kDrop;
      result_.recording.incomplete_rows = FaultyRows::kDrop;
      result_.checked = result_.recording;
      if (found.velocity) {
        result_.checked.columns[kJointVelocity] = found.velocity;
        result_.checked.units[kJointVelocity] = found.velocity_unit;
      }
      std::ranges::copy(found.sentences, std::back_inserter(result_.sentences));
    } else {
      CheckSame(found, paths.front());
      // What only some logs hold is of no use to checks, and no reason to refuse the others.
      const bool same =
          found.velocity == result_.checked.columns[kJointVelocity] &&
          (!found.velocity || found.velocity_unit == result_.checked.units[kJointVelocity]);
      if (!same) result_.checked = result_.recording;
    }
    const auto name = [this](const fs::path& path) {
      return fs::absolute(path).lexically_normal().lexically_relative(root_).string();
    };
    RecordingFiles files;
    if (paths.size() == 1) {
      files.all = name(paths.front());
    } else {
      for (const auto& [channel, log] : found.log_of) {
        files.by_channel.emplace_back(channel, name(paths[log]));
      }
    }
    result_.findings[files.names().front()] = found.findings;
    return files;
  }

  /// Refuses a log whose columns are others than those of the first one.
  void CheckSame(const FoundColumns& found, const fs::path& path) const {
    const RecordingColumns& first = result_.recording.columns;
    const RecordingUnits& units = result_.recording.units;
    for (const std::string_view name : first.names()) {
      if (found.columns[name] == first[name] && found.units[name] == units[name]) continue;
      throw ConfigError(
          path.string(), "",
          fmt::format("{} is in other columns or units than in {}", name,
                      options_.logs.front().string()),
          {"logs of one call have the same columns; say them with --columns and --unit, "
           "or identify from those that are alike"});
    }
  }

  void TakeRobot() {
    const bool is_path = options_.robot.find_first_of("/.") != std::string::npos;
    result_.robot_name =
        is_path ? fs::absolute(options_.robot).lexically_normal().string() : options_.robot;
    RobotPart part = options_.part;
    if (joints_.size() < whole_.model.joint_names().size()) part.joints.patterns = joints_;
    result_.robot = LoadRobot(result_.robot_name, part);
  }

  const IdentifyOptions& options_;
  const Robot whole_;
  fs::path root_;
  std::vector<std::string> joints_;
  LabLogs result_;
};

}  // namespace

LabLogs ReadLabLogs(const IdentifyOptions& options) { return LabReader(options).Read(); }

namespace {

Recording ReadThrough(const LabLogs& logs, const RecordingOptions& options,
                      const RecordingFiles& files, const std::string& label, Role role) {
  Recording recording = ReadRecording(options, files, label, role, logs.robot.model.dofs());
  const Actuation& actuation = logs.robot.model.actuation();
  for (Dataset& segment : recording.segments) {
    if (segment.Find(kMotorPosition) == nullptr && segment.Find(kMotorTorque) == nullptr) continue;
    segment = ThroughTransmission(segment, {actuation.B.transpose(), actuation.zero});
  }
  return recording;
}

}  // namespace

Recording ReadLab(const LabLogs& logs, const RecordingFiles& files, const std::string& label,
                  Role role) {
  return ReadThrough(logs, logs.recording, files, label, role);
}

Recording ReadForChecks(const LabLogs& logs, const RecordingFiles& files) {
  return ReadThrough(logs, logs.checked, files, "log", Role::kIdentification);
}

}  // namespace idbench
