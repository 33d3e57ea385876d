#include "bench/notes/rate_sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "bench/trial/labelled_estimators.h"
#include "estimators/interface/per_sample.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

/// Of what estimators get [Hz]; nothing where the scenario does not tell it.
std::optional<double> RateOf(const Scenario& scenario) {
  const ProcessingOptions& processing = scenario.processing;
  if (processing.decimate_to_hz) return processing.decimate_to_hz;
  if (processing.resample_rate_hz) return processing.resample_rate_hz;
  if (scenario.sensors) return scenario.sensors->rate_hz;
  return std::nullopt;
}

/// An option of an estimator.
struct PerSampleOption {
  std::string estimator, key, unit, doc;

  auto operator<=>(const PerSampleOption&) const = default;
};

/// Values as written, each with the rates at which it is in use.
using RatesByValue = std::map<std::string, std::set<double>>;

bool HasEffect(const Json& value) {
  return !value.is_null() && !(value.is_number() && value.get<double>() == 0.0);
}

}  // namespace

std::vector<std::string> RateSweepNotes(const LoadedScenario& loaded) {
  std::map<PerSampleOption, RatesByValue> options;
  for (const Cell& cell : loaded.cells) {
    const std::optional<double> rate_hz = RateOf(cell.scenario);
    if (!rate_hz) continue;
    for (const auto& [label, estimator] : MakeEstimators(cell.scenario)) {
      const FieldTable table = estimator->Fields();
      for (const Field& field : table.fields()) {
        if (!IsPerSample(field.info.unit)) continue;
        Json value;
        field.member.Write(value);
        if (!HasEffect(value)) continue;
        options[{label, field.name, field.info.unit, field.info.doc}][value.dump()].insert(
            *rate_hz);
      }
    }
  }
  std::vector<std::string> notes;
  for (const auto& [option, values] : options) {
    for (const auto& [value, rates] : values) {
      if (rates.size() < 2) continue;
      notes.push_back(fmt::format(
          "the sweep changes the rate ({:.4g} to {:.4g} Hz), and /estimators/{}/{} keeps {} ({}), "
          "whose effect changes with it: {}",
          *rates.begin(), *rates.rbegin(), option.estimator, option.key, value, option.unit,
          option.doc));
    }
  }
  return notes;
}

}  // namespace idbench
