#include "estimators/active/dino.h"

#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <string>
#include <utility>

#include "estimators/active/chain_model.h"
#include "estimators/active/swing_health.h"
#include "robots/plant/plant_error.h"

namespace idbench {
namespace {

/// Factor of all joints by which the guess is raised where the robot falls under it, and how often.
constexpr double kRaise = 1.05;
constexpr int kMostRaises = 40;

/// The least factor, to the finest step, under which `stands` is true.
/// @param stands  asked for falling factors; true at 1.
/// @throws EstimationFailure (not_converged) if it stands under no compensation at all.
double LeastFactor(const std::vector<double>& steps, const std::function<bool(double)>& stands) {
  double factor = 1.0;
  for (const double step : steps) {
    double lower = factor - step;
    while (lower > 0.0 && stands(lower)) {
      factor = lower;
      lower -= step;
    }
  }
  if (factor <= steps.back()) {
    throw EstimationFailure(Outcome::kNotConverged,
                            "the robot does not fall without any compensation of gravity: friction "
                            "holds it, or the push is too small");
  }
  return factor;
}

/// Steps by which gravity may be greater than what was found, where falls tell it to the last one.
constexpr double kStepsOfFall = 2.0;

/// Whether rods of the guess's inertias, with such gravity and without friction, fall under such a
/// compensation; true where the guess's inertias are those of no robot.
bool ModelFalls(const Problem& problem, const DinoOptions& options, double period_s,
                const Eigen::VectorXd& gravity, const Eigen::VectorXd& compensated) {
  const PlanarLagrangian& lagrangian = *problem.parameters.lagrangian();
  Eigen::VectorXd beta = problem.parameters.prior->mean;
  beta.tail(beta.size() - lagrangian.FirstJointTerm()).setZero();
  beta.segment(lagrangian.FirstGravity(), gravity.size()) = gravity;
  try {
    ModelPlant plant(lagrangian, beta, period_s);
    SwingLaboratory laboratory(problem, plant, options.swing);
    const SwingRecord swing =
        laboratory.Swing(compensated, laboratory.Push(options.push, compensated));
    const Eigen::ArrayXXd angles = AnglesFromUpright(swing, lagrangian).array();
    return !(angles.abs() <= options.swing.limit_rad).all();  // NaN has fallen
  } catch (const PlantError&) {
    return true;
  }
}

/// Says if the last stands prove nothing: with gravity that is two steps greater than `found`, a
/// robot would have to fall. "" if it would.
std::string TooShort(const Problem& problem, const DinoOptions& options, double period_s,
                     const Eigen::VectorXd& guess, const Eigen::VectorXd& found) {
  const Eigen::VectorXd steps = kStepsOfFall * options.steps.back() * guess;
  const auto falls = [&](const Eigen::VectorXd& gravity, const Eigen::VectorXd& compensated) {
    return ModelFalls(problem, options, period_s, gravity, compensated);
  };
  bool all_fall = true;
  if (options.search == DinoSearch::kTogether) {
    all_fall = falls(found + steps, found);
  } else {
    for (Eigen::Index i = 0; i < guess.size(); ++i) {
      Eigen::VectorXd gravity = found;
      Eigen::VectorXd compensated = guess;
      gravity[i] += steps[i];
      compensated[i] = found[i];
      all_fall = all_fall && falls(gravity, compensated);
    }
  }
  if (all_fall) return "";
  return fmt::format(
      "experiments are too short to show a fall; of a robot whose gravity is {:g} steps greater, "
      "the model of the guess still stands after {:g} s: gravity may be greater by far more, take "
      "more time (duration_s) or a greater push (push_rad_s)",
      kStepsOfFall, options.swing.duration_s);
}

}  // namespace

FieldTable Visit(DinoOptions& o) {
  FieldTable table;
  table.Add("search", o.search,
            {.doc = "Factors that are lowered: of one joint after the other (by_joint), or one of "
                    "all joints, as in the paper's tables (together)"});
  AddFields(table, o.swing);
  table.Add("push", o.push, {.doc = "Direction of the rates with which the robot is let go"})
      .Add("steps", o.steps,
           {.doc = "Steps by which a factor is lowered, as parts of the guess, ever finer",
            .lower = 0.0,
            .upper = 0.5,
            .lower_open = true})
      .Check([&o](std::vector<Issue>& issues) {
        bool falls = !o.steps.empty();
        for (std::size_t k = 1; k < o.steps.size(); ++k) falls &= o.steps[k] < o.steps[k - 1];
        if (falls) return;
        issues.push_back({"/steps",
                          "must hold at least one step, each less than the one before",
                          {"for example [0.05, 0.01, 0.001]"}});
      });
  return table;
}

Estimate Dino::Experiment(const Problem& problem, Plant& plant) {
  SwingLaboratory laboratory(problem, plant, options_.swing);
  SwingRecord stood;
  SwingRecord fell;
  const auto stands = [&](const Eigen::VectorXd& gravity) {
    SwingRecord record = laboratory.Swing(gravity, laboratory.Push(options_.push, gravity));
    const bool falls = record.fell;
    (falls ? fell : stood) = std::move(record);
    return !falls;
  };
  Estimate estimate;
  const auto show = [&](const std::string& of) {
    estimate.series.push_back(SwingSeries(stood, of + ": last stand", problem));
    estimate.series.push_back(SwingSeries(fell, of + ": last fall", problem));
  };
  Eigen::VectorXd guess = laboratory.guess();
  int raises = 0;
  while (!stands(guess)) {
    if (raises++ == kMostRaises) {
      throw EstimationFailure(
          Outcome::kNotConverged,
          fmt::format("the robot falls under {:.3g} times the guess of gravity, too: are readings "
                      "late or noisy, or is the laboratory's rate too low?",
                      std::pow(kRaise, kMostRaises)));
    }
    guess *= kRaise;
  }
  std::string health = BesideGravity({stood}, problem);
  Eigen::VectorXd found = guess;
  if (options_.search == DinoSearch::kTogether) {
    found *= LeastFactor(options_.steps, [&](double factor) { return stands(factor * guess); });
    show("all");
  } else {
    for (int i = 0; i < laboratory.dofs(); ++i) {
      found[i] *= LeastFactor(options_.steps, [&](double factor) {
        Eigen::VectorXd gravity = guess;
        gravity[i] *= factor;
        return stands(gravity);
      });
      show(problem.model.links()[static_cast<std::size_t>(i)].name);
    }
  }
  const std::string too_short = TooShort(problem, options_, plant.info().period_s, guess, found);
  if (!too_short.empty()) health = too_short;
  if (!health.empty()) estimate.notes["health"] = health;
  estimate.x = problem.parameters.prior->mean;
  estimate.x.segment(laboratory.lagrangian().FirstGravity(), found.size()) = found;
  estimate.notes["covariance"] = fmt::format(
      "none stated: gravity is between the last fall and the last stand, {:g} of the guess apart, "
      "only where nothing but it moves the robot, without friction, on a level base, for long "
      "enough",
      options_.steps.back());
  estimate.notes["unknowns"] = "of gravity alone (G); the others are those of the prior";
  return estimate;
}

}  // namespace idbench
