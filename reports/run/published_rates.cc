#include "reports/run/published_rates.h"

#include "scenarios/options/json.h"

namespace idbench {

FieldTable Visit(PublishedRates& o) {
  FieldTable table;
  table.Add("source", o.source, {.doc = "Citation", .required = true})
      .Add("false_positive_rate", o.false_positive_rate,
           {.doc = "Part of the samples without contact that are taken for it",
            .lower = 0.0,
            .upper = 1.0,
            .required = true})
      .Add("true_positive_rate", o.true_positive_rate,
           {.doc = "Part of the samples with contact that are detected",
            .lower = 0.0,
            .upper = 1.0,
            .required = true})
      .Add("experiment", o.experiment,
           {.doc = "Experiment beside whose characteristic it stands; empty: all"});
  return table;
}

std::vector<PublishedRates> PublishedRatesOf(const Json& scenario, const std::string& experiment) {
  std::vector<PublishedRates> of_experiment;
  const auto found = scenario.find("published_rates");
  if (found == scenario.end() || !found->is_array()) return of_experiment;
  for (const Json& each : *found) {
    PublishedRates rates;
    std::vector<Issue> issues;
    ReadFields(Visit(rates), each, "", issues);
    if (!issues.empty()) continue;  // of a later version
    if (rates.experiment.empty() || rates.experiment == experiment) {
      of_experiment.push_back(std::move(rates));
    }
  }
  return of_experiment;
}

}  // namespace idbench
