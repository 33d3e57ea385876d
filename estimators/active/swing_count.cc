#include "estimators/active/swing_count.h"

#include <fmt/format.h>

#include <numbers>

#include "estimators/active/frequency_line.h"

namespace idbench {

FieldTable Visit(SwingCountOptions& o) {
  FieldTable table;
  AddFields(table, o.swing);
  table.Add("push", o.push, {.doc = "Direction of the rates with which the robot is let go"})
      .Add("factor", o.factor,
           {.doc = "Factor of the prior's gravity that is compensated",
            .lower = 0.0,
            .lower_open = true});
  return table;
}

Estimate SwingCount::Experiment(const Problem& problem, Plant& plant) {
  SwingLaboratory laboratory(problem, plant, options_.swing);
  const Eigen::VectorXd gravity = options_.factor * laboratory.guess();
  const SwingRecord record = laboratory.Swing(gravity, laboratory.Push(options_.push, gravity));
  const PlanarLagrangian& lagrangian = laboratory.lagrangian();
  Estimate estimate;
  estimate.x = problem.parameters.prior->mean;
  estimate.series.push_back(
      SwingSeries(record, fmt::format("{:.4g} × prior", options_.factor), problem));
  if (record.fell) {
    estimate.notes["swing"] = "the robot fell";
    return estimate;
  }
  const Eigen::VectorXd theta = (lagrangian.S().row(0) * record.q).array() + lagrangian.theta0()[0];
  const double omega = SwingFrequency(theta, record.period_s);
  if (omega == 0.0) {
    estimate.notes["swing"] = "the first link passed through upright less than twice";
    return estimate;
  }
  estimate.diagnostics[kSwingPeriods] =
      omega * options_.swing.duration_s / (2.0 * std::numbers::pi);
  return estimate;
}

}  // namespace idbench
