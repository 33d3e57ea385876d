// Runs CheckLab() on a log as `idbench run` writes it: lab_checks_program ROBOT LOG.csv [--trace].
// For tools/lab_mistakes.

#include <fmt/format.h>

#include <exception>
#include <iostream>
#include <nlohmann/json.hpp>

#include "bench/lab_checks/check_lab.h"
#include "robots/recording/csv.h"

namespace idbench {
namespace {

/// Steps of time that count as a gap.
constexpr double kGapSteps = 10.0;

nlohmann::json ToJson(const LabFinding& finding) {
  nlohmann::json json = {{"check", finding.check},           {"joint", finding.joint},
                         {"evidence", finding.evidence},     {"cure", finding.cure},
                         {"joints", finding.joints},         {"value", finding.value},
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

int Main(const std::string& robot_name, const std::string& file, bool traced) {
  const Robot robot = LoadRobot(robot_name);
  const CsvTable table = ReadCsv(file);
  LabLog log{.robot = robot};
  const Eigen::VectorXd stamps_s = table.values.col(table.Find("t_s"));
  const std::vector<Eigen::Index> rows = RowsWithStamp(stamps_s);
  log.stamps = {stamps_s.size(), stamps_s.size() - std::ssize(rows)};
  const Eigen::VectorXd time_s = stamps_s(rows);
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
  for (const std::vector<Channel>& part : segments.parts) {
    Dataset& dataset = log.recorded.emplace_back("log", Role::kIdentification);
    for (const Channel& channel : part) dataset.Add(channel);
  }
  log.processed = ProcessedForChecks(log.recorded);
  nlohmann::json findings = nlohmann::json::array();
  const CureTrace trace = [](const std::string& line) { std::cerr << line << "\n"; };
  for (const LabFinding& finding : CheckLab(log, traced ? trace : nullptr)) {
    findings.push_back(ToJson(finding));
  }
  std::cout << findings.dump(1) << "\n";
  return 0;
}

}  // namespace
}  // namespace idbench

int main(int argc, char** argv) {
  try {
    const bool traced = argc == 4 && std::string(argv[3]) == "--trace";
    if (argc != 3 && !traced) {
      throw std::invalid_argument("usage: lab_checks_program ROBOT LOG.csv [--trace]");
    }
    return idbench::Main(argv[1], argv[2], traced);
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 2;
  }
}
