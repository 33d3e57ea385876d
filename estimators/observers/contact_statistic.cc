#include "estimators/observers/contact_statistic.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>

#include "estimators/observers/model_residual.h"

namespace idbench {
namespace {

/// Names of the kinds of equation whose rows hold standard parameters.
std::vector<std::string> KindsWithModel() {
  std::vector<std::string> names;
  for (const EquationInfo& info : kEquationKinds) {
    if (info.rows != RowsFrom::kStateRows) names.emplace_back(ToString(info.equation));
  }
  return names;
}

/// The problem's equations of these kinds; all if there are none.
std::vector<EquationRows> EquationsOfKinds(const Problem& problem,
                                           const std::vector<Equation>& kinds) {
  std::vector<EquationRows> equations = EquationsWithModel(problem);
  if (kinds.empty()) return equations;
  for (const Equation kind : kinds) {
    if (std::ranges::find(equations, kind, &EquationRows::equation) != equations.end()) continue;
    std::vector<std::string_view> there;
    for (const EquationRows& rows : equations) there.push_back(ToString(rows.equation));
    there.erase(std::ranges::unique(there).begin(), there.end());
    Refuse(fmt::format("equations: the problem has no \"{}\", it has \"{}\"", ToString(kind),
                       fmt::join(there, "\", \"")));
  }
  std::erase_if(equations, [&kinds](const EquationRows& rows) {
    return std::ranges::find(kinds, rows.equation) == kinds.end();
  });
  return equations;
}

}  // namespace

FieldTable Visit(ContactStatisticOptions& o) {
  FieldTable table;
  table.Add("equations", o.equations,
            {.doc = "Kinds of the problem's equations whose rows count; empty: all that hold "
                    "standard parameters",
             .choices = KindsWithModel()});
  AddResidualStatistic(o.statistic, table);
  AddDeadZone(o.statistic, table);
  AddDetection(o.detection, table);
  return table;
}

void ContactStatistic::CheckProblem(const Problem& problem) const {
  Observer::CheckProblem(problem);
  WithDeadZone(problem, EquationsOfKinds(problem, options_.equations),
               options_.statistic.dead_zone_rad_s);
}

Observation ContactStatistic::Watch(const Problem& problem, const Estimate& model,
                                    std::span<const Dataset> training, const Dataset& watched) {
  ResidualStatistic statistic(problem, model, EquationsOfKinds(problem, options_.equations),
                              options_.statistic);
  const double threshold = ThresholdOf(options_.detection, statistic.Learn(training));
  const ModelResidual residual = statistic.Residual(watched);
  return DetectionOf(residual.time_s, statistic.Watch(residual, threshold).square, threshold,
                     {"free", "contact"});
}

}  // namespace idbench
