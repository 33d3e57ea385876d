#pragma once

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "robots/temporary_folder_test.h"
#include "scenarios/options/config_error.h"
#include "scenarios/options/json.h"

/// For tests: a run folder with numbers that can be computed by hand.
namespace idbench {

inline void WriteText(const std::filesystem::path& file, const std::string& text) {
  std::ofstream(file, std::ios::binary) << text;
}

/// Two cells ("torque noise" 0.1 and 0.2), estimators `ols` and `wls`, 12 trials on one roll-out
/// per cell. In cell c and trial t `rmse_nm@validation` is (c + 1)(1 + t/10) for ols, half of that
/// for wls; joint1 has 0.5 times that, joint2 1.5 times. `relative_error` is 0.01(c + 1)(1 + t).
class SampleRun {
 public:
  static constexpr int kTrials = 12;

  Json manifest = {
      {"format", 1},
      {"scenario", {{"name", "sample"}, {"title", "A sample run"}, {"tables", Json::array()}}},
      {"seed", 1},
      {"trials", kTrials},
      {"cells", Json::array({{{"index", 0}, {"axes", {{"torque noise", "0.1"}}}},
                             {{"index", 1}, {"axes", {{"torque noise", "0.2"}}}}})},
      {"estimators", Json::array({"ols", "wls"})},
      {"metrics",
       {{"rmse_nm@validation",
         {{"unit", "N·m"}, {"components", Json::array({"joint1", "joint2"})}, {"better", "lower"}}},
        {"relative_error", {{"unit", "1"}, {"components", Json::array()}, {"better", "lower"}}}}},
      {"absent_metrics", Json::object()},
      {"marks", Json::array({"rates are exact (oracle)"})},
      {"versions", {{"idbench", "0.1.0"}}},
      {"commit", "abc123"}};

  /// Changes a record before it is written; an empty object leaves the record out.
  std::function<void(Json& record)> change = [](Json&) {};

  static Json Record(int cell, int trial, const std::string& estimator) {
    const double value = (cell + 1) * (1 + trial / 10.0) * (estimator == "wls" ? 0.5 : 1.0);
    return {{"cell", cell},
            {"trial", trial},
            {"estimator", estimator},
            {"rollout", fmt::format("{:08x}", cell)},
            {"outcome", "ok"},
            {"metrics",
             {{"rmse_nm@validation",
               {{"value", value}, {"components", Json::array({0.5 * value, 1.5 * value})}}},
              {"relative_error", {{"value", 0.01 * (cell + 1) * (1 + trial)}}}}},
            {"x", Json::array({1.0, 2.0})},
            {"diagnostics", {{"iterations", 3}}}};
  }

  /// Adds two observers: T2 of prior, ols and truth, with `detection_auc@contact` of 0.5, 0.8 and
  /// 0.9, and `force` of ols, with `external_force_rmse_n@contact` of (c + 1)(1 + t/10).
  void AddObservers() {
    manifest["observers"] = {{{"label", "T2"}, {"models", {"prior", "ols", "truth"}}},
                             {{"label", "force"}, {"models", {"ols"}}}};
    manifest["metrics"]["detection_auc@contact"] = {{"unit", "1"},
                                                    {"components", Json::array()},
                                                    {"better", "higher"},
                                                    {"headline", true},
                                                    {"observed", true}};
    manifest["metrics"]["external_force_rmse_n@contact"] = {{"unit", "N"},
                                                            {"components", {"x", "y", "z"}},
                                                            {"better", "lower"},
                                                            {"headline", true},
                                                            {"observed", true}};
  }

  static Json ObserverRecord(int cell, int trial, const std::string& observer,
                             const std::string& model) {
    Json record = Record(cell, trial, model);
    record["observer"] = observer;
    if (observer == "T2") {
      const double auc = model == "prior" ? 0.5 : model == "ols" ? 0.8 : 0.9;
      record["metrics"] = {{"detection_auc@contact", {{"value", auc}}}};
    } else {
      const double value = (cell + 1) * (1 + trial / 10.0);
      record["metrics"] = {{"external_force_rmse_n@contact",
                            {{"value", value}, {"components", {0.6 * value, 0.8 * value, 0.0}}}}};
    }
    return record;
  }

  /// Adds the motion of an experiment, with `excitation_jd@experiment` of −100·(c + 1) − t over
  /// columns[c] columns.
  void AddMotion(const std::string& experiment, const std::vector<int>& columns) {
    manifest["metrics"]["excitation_jd@" + experiment] = {
        {"unit", "1"}, {"components", Json::array()}, {"better", "lower"}, {"of_motion", true}};
    motions_.emplace_back(experiment, columns);
  }

  /// Turns a record into that of a failed estimate.
  static void Fail(Json& record, const std::string& outcome, const std::string& reason) {
    record["outcome"] = outcome;
    record["reason"] = reason;
    record["metrics"] = Json::object();
  }

  std::string Records() const {
    std::string text;
    for (std::size_t cell = 0; cell < manifest["cells"].size(); ++cell) {
      for (int trial = 0; trial < manifest["trials"].get<int>(); ++trial) {
        const auto add = [&](Json record) {
          change(record);
          if (!record.empty()) text += record.dump() + '\n';
        };
        for (const Json& estimator : manifest["estimators"]) {
          add(Record(static_cast<int>(cell), trial, estimator.get<std::string>()));
        }
        for (const Json& observer : manifest.value("observers", Json::array())) {
          for (const Json& model : observer["models"]) {
            add(ObserverRecord(static_cast<int>(cell), trial, observer["label"], model));
          }
        }
        for (const auto& [experiment, columns] : motions_) {
          add({{"cell", cell},
               {"trial", trial},
               {"experiment", experiment},
               {"rollout", fmt::format("{:08x}", cell)},
               {"outcome", "ok"},
               {"metrics",
                {{"excitation_jd@" + experiment,
                  {{"value", -100.0 * static_cast<double>(cell + 1) - trial},
                   {"count", columns.at(cell)}}}}}});
        }
      }
    }
    return text;
  }

  /// Writes manifest.json and records.jsonl.
  void WriteTo(const std::filesystem::path& folder) const {
    WriteText(folder / "manifest.json", manifest.dump(1));
    WriteText(folder / "records.jsonl", Records());
  }

 private:
  std::vector<std::pair<std::string, std::vector<int>>> motions_;
};

/// Returns the message of the ConfigError that `call` throws, without its folder; "" if
/// it throws none.
inline std::string MessageOf(const std::filesystem::path& folder,
                             const std::function<void()>& call) {
  try {
    call();
  } catch (const ConfigError& error) {
    std::string message = error.what();
    const std::string prefix = folder.string() + '/';
    for (std::size_t at = message.find(prefix); at != std::string::npos;
         at = message.find(prefix)) {
      message.erase(at, prefix.size());
    }
    return message;
  }
  return "";
}

}  // namespace idbench
