// Runs CheckLab() on a log as `idbench run` writes it: lab_checks_program ROBOT LOG.csv. For
// tools/lab_mistakes.

#include <fmt/format.h>

#include <exception>
#include <iostream>
#include <nlohmann/json.hpp>

#include "bench/lab_checks/check_lab.h"
#include "robots/recording/csv.h"
#include "robots/recording/motion_band.h"
#include "robots/recording/processing.h"
#include "robots/recording/resample.h"

namespace idbench {
namespace {

/// Steps of time that count as a gap.
constexpr double kGapSteps = 10.0;

nlohmann::json ToJson(const LabFinding& finding) {
  nlohmann::json json = {{"check", finding.check},   {"joint", finding.joint},
                         {"evidence", finding.evidence}, {"cure", finding.cure},
                         {"joints", finding.joints}, {"value", finding.value},
                         {"rivals", nlohmann::json::array()}};
  for (const LabFinding& rival : finding.rivals) json["rivals"].push_back(ToJson(rival));
  return json;
}

/// Rows with a time stamp of their own, so that Dataset takes them.
std::vector<Eigen::Index> RowsWithStamp(const Eigen::VectorXd& time_s) {
  std::vector<Eigen::Index> rows;
  for (Eigen::Index i = 0; i < time_s.size(); ++i) {
    if (i == 0 || time_s[i] != time_s[i - 1]) rows.push_back(i);
  }
  return rows;
}

int Main(const std::string& robot_name, const std::string& file) {
  const Robot robot = LoadRobot(robot_name);
  const CsvTable table = ReadCsv(file);
  LabLog log{.robot = robot};
  log.stamps_s = table.values.col(table.Find("t_s"));
  const std::vector<Eigen::Index> rows = RowsWithStamp(log.stamps_s);
  const Eigen::VectorXd time_s = log.stamps_s(rows);
  std::vector<Channel> channels;
  for (const std::string_view name : {kJointPosition, kJointVelocity, kJointTorque}) {
    const ChannelInfo& info = ChannelNamed(name);
    Eigen::MatrixXd samples(time_s.size(), robot.model.dofs());
    bool there = true;
    for (int j = 0; j < robot.model.dofs(); ++j) {
      const Eigen::Index at = table.Find(ColumnName(info, static_cast<std::size_t>(j)));
      there = there && at >= 0;
      if (there) samples.col(j) = table.values(rows, at);
    }
    if (there) channels.push_back({std::string(name), std::string(info.unit), time_s, samples, {}});
  }
  Segments segments = SplitAtBreaks(std::move(channels), kGapSteps);
  log.breaks = segments.breaks;
  std::vector<PositionLog> positions;
  const double rate = NominalRate(time_s);
  for (const std::vector<Channel>& part : segments.parts) {
    Dataset& dataset = log.recorded.emplace_back("log", Role::kIdentification);
    for (const Channel& channel : part) dataset.Add(channel);
    positions.push_back({dataset.Get(kJointPosition).samples, rate});
  }
  ProcessingOptions options;
  options.resample_rate_hz = rate;
  options.differentiate = {std::string(kJointVelocity), std::string(kJointAcceleration)};
  options.lowpass.emplace().cutoff_hz = FindMotionBand(positions).cutoff_hz;
  for (const Dataset& recorded : log.recorded) {
    try {
      log.processed.push_back(Process(recorded, options));
    } catch (const TooShortError&) {
      continue;  // others may be long enough
    }
  }
  nlohmann::json findings = nlohmann::json::array();
  for (const LabFinding& finding : CheckLab(log)) findings.push_back(ToJson(finding));
  std::cout << findings.dump(1) << "\n";
  return 0;
}

}  // namespace
}  // namespace idbench

int main(int argc, char** argv) {
  try {
    if (argc != 3) throw std::invalid_argument("usage: lab_checks_program ROBOT LOG.csv");
    return idbench::Main(argv[1], argv[2]);
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 2;
  }
}
