#include "reports/tables/sigma_sentences.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string_view>
#include <utility>

#include "scenarios/options/json.h"

namespace idbench {
namespace {

/// Cells whose σ are told one by one.
constexpr std::size_t kMostCells = 8;

/// σ of the parts of a sensor [the unit that its key ends with].
using Sigmas = std::vector<double>;

/// σ of one kind of one sensor in one cell.
struct SensorSigmas {
  std::string sensor;  ///< "joint_torque noise_std_nm"
  Sigmas sigmas;
  bool told_already = false;  ///< It is declared, and that of the noise.
};

/// Returns the numbers of the key that begins with `quantity`, and the key.
std::pair<std::string, Sigmas> FindSigmas(const Json& json, std::string_view quantity) {
  for (const auto& [key, value] : json.items()) {
    if (!key.starts_with(quantity)) continue;
    if (value.is_array()) return {key, value.get<Sigmas>()};
    if (value.is_number()) return {key, {value.get<double>()}};
  }
  return {};
}

/// Adds what each sensor below `json` has.
void CollectSigmas(const Json& json, const std::string& where, std::vector<SensorSigmas>& all) {
  const auto [noise_key, noise] = FindSigmas(json, "noise_std");
  const auto [declared_key, declared] = FindSigmas(json, "declared_sigma");
  if (!noise.empty()) all.push_back({where + " " + noise_key, noise});
  if (!declared.empty()) all.push_back({where + " " + declared_key, declared, declared == noise});
  for (const auto& [name, value] : json.items()) {
    if (!value.is_object()) continue;
    CollectSigmas(value, where.empty() ? name : fmt::format("{} {}", where, name), all);
  }
}

/// "1.65, 0.24", of parts alike "1.65".
std::string SigmaText(const Sigmas& sigmas) {
  const bool alike =
      std::ranges::adjacent_find(sigmas, std::ranges::not_equal_to()) == sigmas.end();
  std::vector<std::string> each;
  for (const double sigma : sigmas) each.push_back(fmt::format("{:.3g}", sigma));
  if (alike && !each.empty()) each.resize(1);
  return fmt::format("{}", fmt::join(each, ", "));
}

/// σ of one sensor in the cells.
struct SensorCells {
  std::string sensor;
  std::vector<std::pair<const RunCell*, Sigmas>> cells = {};
  bool told_already = true;

  bool differ() const {
    return !told_already && std::ranges::any_of(cells, [this](const auto& cell) {
      return cell.second != cells.front().second;
    });
  }

  std::string Sentence() const {
    std::vector<std::string> each;
    double least = HUGE_VAL, largest = -HUGE_VAL;
    for (const auto& [cell, sigmas] : cells) {
      each.push_back(fmt::format("{}: {}", cell->Label(), SigmaText(sigmas)));
      for (const double sigma : sigmas) {
        least = std::min(least, sigma);
        largest = std::max(largest, sigma);
      }
    }
    if (each.size() <= kMostCells)
      return fmt::format("{} by cell: {}", sensor, fmt::join(each, "; "));
    return fmt::format(
        "{} differs between cells, {:.3g}–{:.3g}: see cells/sensors in manifest.json", sensor,
        least, largest);
  }
};

}  // namespace

std::vector<std::string> SigmaSentences(const std::vector<TableItem>& items) {
  std::vector<SensorCells> sensors;
  std::vector<const RunCell*> cells;
  for (const TableItem& item : items) AddOnce(cells, &item.cell->cell);
  for (const RunCell* const cell : cells) {
    std::vector<SensorSigmas> all;
    CollectSigmas(*cell->sensors, "", all);
    for (auto& [sensor, sigmas, told_already] : all) {
      auto known = std::ranges::find(sensors, sensor, &SensorCells::sensor);
      if (known == sensors.end()) known = sensors.insert(known, {sensor});
      known->cells.emplace_back(cell, std::move(sigmas));
      known->told_already = known->told_already && told_already;
    }
  }
  std::vector<std::string> sentences;
  for (const SensorCells& sensor : sensors) {
    if (sensor.differ()) sentences.push_back(sensor.Sentence());
  }
  return sentences;
}

}  // namespace idbench
