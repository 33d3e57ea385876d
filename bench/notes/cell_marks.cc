#include "bench/notes/cell_marks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <string_view>

#include "bench/notes/experiment_marks.h"
#include "bench/notes/filter_bias.h"
#include "bench/notes/lost_samples.h"
#include "bench/notes/observer_marks.h"
#include "bench/notes/sigma_marks.h"
#include "bench/notes/told_apart.h"
#include "bench/trial/labelled_estimators.h"
#include "estimators/interface/online_estimator.h"
#include "estimators/interface/row_mask.h"
#include "scenarios/carried_payloads.h"
#include "scenarios/problem/drawn_mean.h"
#include "scenarios/problem/drawn_set.h"
#include "scenarios/problem/parameter_kind.h"
#include "scenarios/problem/parametrisations.h"
#include "scenarios/problem/prior_entries.h"

namespace idbench {
namespace {

void AddTruth(const TruthOptions& options, const Truth& truth, std::vector<std::string>& marks) {
  if (!truth.made_physical.empty()) {
    marks.push_back(fmt::format("simulated with inertias made physical{}: {}",
                                DrawnPerTrial(options) ? " (trial by trial; in the first)" : "",
                                ListSome(truth.made_physical)));
  }
  const std::vector<std::string> effects = BeyondModel(options.joints);
  if (effects.empty()) return;
  marks.push_back(
      fmt::format("in the true robot, but not in the model: {}", fmt::join(effects, ", ")));
}

/// Duty cycles that no drive has.
void AddDutyCycles(const SensorOptions& sensors, const TrialData& first,
                   std::vector<std::string>& marks) {
  if (sensors[kMotorPwm].origin == SensorOrigin::kAbsent) return;
  double greatest = 0.0;
  for (const Signals* const clean : first.clean) {
    greatest = std::max(greatest, (*clean)[kMotorPwm].cwiseAbs().maxCoeff());
  }
  if (greatest <= 100.0) return;
  marks.push_back(fmt::format(
      "duty cycles of up to {:.4g} %, which no drive has: the supply's voltage is too low",
      greatest));
}

/// What the true motors have between what they are fed and the torques, beside gains, and what
/// true parameters include.
void AddDrives(const Scenario& scenario, const Truth& truth, const TrialData& first,
               std::vector<std::string>& marks) {
  const auto& of_problem = first.problem().rows;
  if (std::ranges::none_of(of_problem, &EquationRows::of_drives)) {
    const std::vector<std::string> idle = BeyondGains(scenario.robot.truth->joints.motor, "");
    if (!idle.empty()) {
      marks.push_back(fmt::format(
          "in the true motors, but without effect, as no equation has what they are fed: {}",
          fmt::join(idle, ", ")));
    }
  }
  for (const EquationRows& rows : of_problem) {
    if (!rows.of_drives()) continue;
    const MotorOptions& motors = scenario.robot.truth->joints.motor;
    const std::vector<std::string> effects = BeyondGains(motors, rows.measured());
    if (!effects.empty()) {
      marks.push_back(
          fmt::format("in the true motors, but not in their gains: {}; equations of {} "
                      "hold with errors",
                      fmt::join(effects, ", "), ToString(rows.equation)));
    }
  }
  if (!truth.with_bias.empty()) {
    marks.push_back("offsets, true and estimated, include the bias of their sensors: " +
                    ListSome(truth.with_bias));
  }
  if (!truth.with_back_emf.empty()) {
    marks.push_back("friction, true and estimated, includes the back-EMF of the motors: " +
                    ListSome(truth.with_back_emf));
  }
  if (!truth.back_emf_left_out.empty()) {
    marks.push_back(
        "in the true motors, but in no friction of theirs that is estimated from duty "
        "cycles alone: back-EMF of " +
        ListSome(truth.back_emf_left_out));
  }
}

/// Errors of sensors beside noise. Biases of what is compared with equations are no errors where
/// each is part of an offset that is estimated.
void AddSensorErrors(const TrialData& first, const DataSource& source,
                     std::vector<std::string>& marks) {
  std::vector<std::string_view> with_offset;
  std::ptrdiff_t biases = 0;
  for (const EquationRows& rows : first.problem().rows) {
    with_offset.push_back(rows.measured());
    biases += std::ranges::count_if((*source.sensors())[rows.measured()].bias.values,
                                    [](double bias) { return bias != 0.0; });
  }
  if (biases > std::ssize(first.truth->with_bias)) with_offset.clear();
  std::string mark = SensorErrorMark(*source.sensors(), with_offset);
  if (!mark.empty()) marks.push_back(std::move(mark));
}

/// Payloads of the events, which are part of the true robot, change it, or are what is estimated.
void AddPayloads(const Scenario& scenario, const Robot& robot, std::vector<std::string>& marks) {
  const bool estimated =
      KindNamed(scenario.problem.parametrisation.type).truth == TrueValues::kOfPayload;
  const CarriedPayloads carried = CarriedBy(scenario, robot);
  std::vector<std::string> throughout;
  for (const Payload& payload : carried.throughout) {
    throughout.push_back(
        fmt::format("{:.4g} kg at {}", payload.inertia.mass, robot.model.link(payload.link).name));
  }
  std::vector<std::string> applied;
  for (const auto& [label, what] : carried.applied) applied.push_back(what);
  if (!applied.empty()) {
    marks.push_back(
        fmt::format("loads of applications that no model knows: {}", fmt::join(applied, "; ")));
  }
  const std::vector<std::string>& told = carried.passing.empty() ? throughout : carried.passing;
  if (told.empty()) return;
  const char* const what =
      estimated ? "payloads that the estimators are to find"
                : (carried.passing.empty() ? "payloads that belong to the true robot throughout"
                                           : "payloads that the model does not know");
  marks.push_back(fmt::format("{}: {}", what, fmt::join(told, "; ")));
}

/// The methods that take unknowns for constant, and why; "" if none does.
std::string ThoseWithoutChange(const Scenario& scenario) {
  std::vector<std::string> batch, online, told;
  for (const auto& [label, estimator] : MakeEstimators(scenario)) {
    if (IsUntaught(*estimator)) continue;
    const auto* follower = dynamic_cast<const OnlineEstimator*>(estimator.get());
    if (follower == nullptr) batch.push_back(label);
    if (follower != nullptr && !follower->follows()) online.push_back(label);
  }
  if (!batch.empty()) told.push_back(fmt::format("{} (fit all samples)", ListSome(batch)));
  if (!online.empty()) {
    told.push_back(fmt::format("{} (without process noise and forgetting)", ListSome(online)));
  }
  return told.empty() ? ""
                      : fmt::format("methods that take it for constant: {}", fmt::join(told, ", "));
}

/// Data on which what is carried changes, and the methods that take it for constant.
void AddPayloadChanges(const Scenario& scenario, const Robot& robot,
                       std::vector<std::string>& marks) {
  std::vector<std::string> places;
  for (const auto& [label, change] : ChangesOfPayloads(scenario, robot)) {
    if (change.role == Role::kIdentification) {
      places.push_back(fmt::format("{} (at {:g} s)", label, change.at_s));
    }
  }
  if (places.empty()) return;
  std::string text = fmt::format(
      "what the robot carries changes in {}: torque errors there are those of the estimate before "
      "each sample, of online methods alone",
      fmt::join(places, ", "));
  if (const std::string constant = ThoseWithoutChange(scenario); !constant.empty()) {
    text += "; " + constant;
  }
  marks.push_back(std::move(text));
}

/// The methods that take the state of moving joints for constant.
void AddStateChanges(const Scenario& scenario, std::vector<std::string>& marks) {
  if (KindNamed(scenario.problem.parametrisation.type).truth != TrueValues::kOfState) return;
  if (const std::string constant = ThoseWithoutChange(scenario); !constant.empty()) {
    marks.push_back("the state of the joints changes; " + constant);
  }
}

/// " (0.25 kg in the simulation, not 0.5 kg)" of a known body that is another.
std::string OtherTruth(const AttachedBodyOptions& body) {
  if (!body.known || !body.truth || !body.prior || *body.truth == *body.prior) return "";
  if (body.truth->mass_kg == body.prior->mass_kg) {
    return " (in the simulation with another centre of mass or inertia)";
  }
  return fmt::format(" (with {:.6g} kg in the simulation, not {:.6g} kg)", body.truth->mass_kg,
                     body.prior->mass_kg);
}

/// What can be attached, and where it is.
/// @param asked  indices into π of the parameters that are asked for, increasing.
void AddAttachedBodies(const RobotModel& model, const Scenario& scenario,
                       const std::vector<int>& asked, std::vector<std::string>& marks) {
  for (std::size_t k = 0; k < model.attached().size(); ++k) {
    std::vector<std::string> where;
    for (const auto& [label, experiment] : scenario.experiments) {
      const auto at = static_cast<std::size_t>(model.ConfigurationIndex(experiment.configuration));
      const std::vector<int>& attached = model.configurations()[at].attached;
      if (std::ranges::find(attached, static_cast<int>(k)) != attached.end()) {
        where.push_back(label);
      }
    }
    const int first = ParameterLayout(model).Body(model.dofs() + static_cast<int>(k));
    const auto own = std::ranges::lower_bound(asked, first);
    const bool is_asked = own != asked.end() && *own < first + kInertialCount;
    marks.push_back(fmt::format("{}, which is {}{}, is attached in: {}", model.attached()[k].name,
                                is_asked ? "to be estimated" : "known",
                                OtherTruth(scenario.attached[k].second), fmt::join(where, ", ")));
  }
}

/// Parts of a gain that are round-off.
constexpr double kSameGain = 1e-12;

/// "joint1.gain 5 N·m/A", and the simulated drive's own if that is another.
std::string GainText(const Term& term, double gain, const double* truth) {
  const auto with_unit = [&](double value) {
    return term.unit == "1" ? fmt::format("{:.6g}", value)
                            : fmt::format("{:.6g} {}", value, term.unit);
  };
  std::string text = fmt::format("{} {}", term.name, with_unit(gain));
  const bool other = truth != nullptr && std::abs(*truth - gain) > kSameGain * std::abs(*truth);
  return other ? text + fmt::format(" (of the simulated drive: {})", with_unit(*truth)) : text;
}

/// Equations of which only some rows count.
void AddChosenRows(const Problem& problem, std::vector<std::string>& marks) {
  for (const EquationRows& rows : problem.rows) {
    if (rows.chosen.empty()) continue;
    const auto components = ComponentsOf(ChannelNamed(InfoOf(rows.equation).channel));
    std::vector<std::string> names;
    for (const int row : rows.chosen) {
      const auto k = static_cast<std::size_t>(row);
      names.emplace_back(components.empty() ? problem.model.joint_names()[k] : components[k]);
    }
    marks.push_back(fmt::format(
        "rows of {} that count: {}; what only other rows show is 0 in all predictions, the prior's "
        "too",
        rows.measured(), ListSome(names)));
  }
}

/// Gains of the drives that no estimator has to find, and what is doubtful about others.
/// @param truth  true π; nullptr for recordings.
void AddKnownGains(const Problem& problem, const Eigen::VectorXd* truth,
                   std::vector<std::string>& marks) {
  if (std::ranges::none_of(problem.rows, &EquationRows::of_drives)) return;
  const AffineMap* const map = problem.parameters.affine();
  const auto& terms = problem.model.terms();
  const std::vector<PlacedEquation> equations = problem.equations();
  std::vector<std::string> known;
  bool unknown = false;
  for (std::size_t k = 0; map != nullptr && k < terms.size(); ++k) {
    if (terms[k].rows != TermRows::kDrives || !InRows(terms[k], equations)) continue;
    const Eigen::Index at = map->pi0.size() - std::ssize(terms) + static_cast<Eigen::Index>(k);
    const double gain = map->pi0[at];
    if (gain != 0.0) {
      known.push_back(GainText(terms[k], gain, truth == nullptr ? nullptr : &(*truth)[at]));
    }
    unknown = unknown || gain == 0.0;
  }
  if (!known.empty()) marks.push_back("gains given as known: " + ListSome(known));
  if (!unknown) return;
  marks.emplace_back(
      "gains are to be estimated: what motors are fed stands among the columns, so that its noise "
      "biases estimates, and no σ counts that; methods that weigh rows by their residuals may "
      "shrink gains to nothing");
}

/// What is doubtful about calibrations of force/torque sensors that are to be estimated.
void AddCalibrations(const Problem& problem, std::vector<std::string>& marks) {
  if (problem.parameters.affine() == nullptr) return;
  std::vector<std::string> names;
  for (const int cut : UnknownCalibrations(problem)) {
    names.push_back(problem.model.cuts()[static_cast<std::size_t>(cut)].name);
  }
  if (names.empty()) return;
  marks.push_back(fmt::format(
      "the calibration of {} is to be estimated: what it measured stands among the columns, so "
      "that its noise biases estimates, and no σ counts that; but for a known load its rows hold "
      "for D = −1, to which all methods but drive_nls shrink it",
      fmt::join(names, ", ")));
}

/// What the true robot has and the problem has not, neither as an unknown nor as known.
/// @param asked  what is considered, or known by declaration; increasing. Base parameters have some
///               of it in others.
void AddUnmodelled(const Problem& problem, const std::vector<int>& asked, const Truth& truth,
                   std::vector<std::string>& marks) {
  const std::vector<std::string>& names = problem.parameters.names;
  const bool lagrangian = problem.parameters.lagrangian() != nullptr;
  const Eigen::VectorXd& pi = truth.robot.recipe().pi;
  const std::vector<int> used = problem.parameters.UsedPi();
  const std::vector<Term> terms = TermsOf(problem.model);
  const std::vector<PlacedEquation> equations = problem.equations();
  std::vector<std::string> missing;
  const auto acts = [&problem](std::size_t k) {  // in data for identification
    return std::ranges::any_of(problem.model.IdentifiedConfigurations(), [&](int configuration) {
      return !std::ranges::binary_search(problem.model.AbsentTerms(configuration),
                                         static_cast<int>(k));
    });
  };
  for (std::size_t k = 0; k < terms.size(); ++k) {
    const int entry = ParameterLayout(problem.model).inertial_size() + static_cast<int>(k);
    if (pi[entry] == 0.0 || !InRows(terms[k], equations) || !acts(k)) continue;
    const bool known = lagrangian ? std::ranges::find(names, terms[k].name) != names.end()
                                  : std::ranges::binary_search(asked, entry) ||
                                        std::ranges::binary_search(used, entry);
    if (known) continue;
    missing.push_back(terms[k].name);
  }
  if (missing.empty()) return;
  marks.push_back("in the true robot, but neither estimated nor known: " + ListSome(missing));
}

/// Bodies of which data for identification tell the sum alone, and experiments that have another.
void AddToldApart(const Scenario& scenario, const Problem& problem,
                  std::vector<std::string>& marks) {
  const std::vector<std::string> groups = NotToldApart(problem.model, problem.rows);
  if (groups.empty()) return;
  const std::vector<int> identified = problem.model.IdentifiedConfigurations();
  std::vector<std::string> others;
  for (const auto& [label, experiment] : scenario.experiments) {
    const int configuration = problem.model.ConfigurationIndex(experiment.configuration);
    if (std::ranges::find(identified, configuration) == identified.end()) others.push_back(label);
  }
  std::string text =
      fmt::format("data for identification tell only the sum of: {}", fmt::join(groups, "; "));
  if (!others.empty()) {
    text += fmt::format("; predictions of {}, where others of them are attached, mean nothing",
                        fmt::join(others, ", "));
  }
  marks.push_back(std::move(text));
}

/// What dead zones leave out.
void AddLeftOut(const TrialData& first, std::vector<std::string>& marks) {
  for (const LeftOutRows& left : LeftOutOf(first.problem(), first.datasets)) {
    marks.push_back(left.Describe() + (first.truth != nullptr ? " (in the first trial)" : "") +
                    " and are left out of fits");
  }
}

/// Unknowns that a prior holds where it has them: friction and the like first, which data tell,
/// then parameters of bodies; and what states their σ.
void AddHeldUnknowns(const PriorOptions& options, const Parametrisation& parameters,
                     std::vector<std::string>& marks) {
  std::vector<std::string> held, of_bodies, kinds;
  for (int k = 0; k < parameters.size(); ++k) {
    if (parameters.prior->KnowsNothingOf(k)) continue;
    if ((*parameters.prior->covariance)(k, k) > 0.0) continue;
    const std::string& name = parameters.names[static_cast<std::size_t>(k)];
    const std::string kind = ParameterKind(name);
    if (IsInertialKind(kind)) {
      of_bodies.push_back(name);
    } else {
      held.push_back(name);
      if (std::ranges::find(kinds, kind) == kinds.end()) kinds.push_back(kind);
    }
  }
  if (!of_bodies.empty()) kinds.emplace_back(kBodyKind);
  held.insert(held.end(), of_bodies.begin(), of_bodies.end());
  if (held.empty()) return;
  std::string text = "methods that take the prior's σ leave these where it has them, its σ is 0: " +
                     ListSome(held);
  if (options.relative_std) {
    text += fmt::format("; relative_std gives none to what is 0: state {} in /problem/prior/std",
                        fmt::join(kinds, ", "));
  }
  marks.push_back(std::move(text));
}

}  // namespace

std::vector<std::string> MarksOf(const Robot& robot, const Scenario& scenario,
                                 const DataSource& source, const TrialData& first) {
  std::vector<std::string> marks = robot.notes;
  if (!robot.held.empty()) marks.push_back("joints that are held: " + HeldPlaces(robot.held));
  std::set<std::string> oracle;
  for (const Dataset& dataset : first.datasets) {
    for (const Channel& channel : dataset.channels()) {
      if (channel.origin == Origin::kOracle) oracle.insert(channel.name);
    }
  }
  if (!oracle.empty()) {
    marks.push_back(fmt::format("exact (oracle) channels: {}", fmt::join(oracle, ", ")));
  }
  const auto add_draw = [&marks](const char* what, const SetOptions& options) {
    std::string draw = DescribeDraw(what, options);
    if (!draw.empty()) marks.push_back(std::move(draw));
  };
  AddAttachedBodies(robot.model, scenario, AskedParameters(robot, scenario.problem), marks);
  AddToldApart(scenario, first.problem(), marks);
  AddChosenRows(first.problem(), marks);
  AddKnownGains(first.problem(), first.true_pi(), marks);
  AddCalibrations(first.problem(), marks);
  const Parametrisation& parameters = first.problem().parameters;
  if (parameters.prior && parameters.prior->covariance) {
    AddHeldUnknowns(*scenario.problem.prior, parameters, marks);
  }
  AddLeftOut(first, marks);
  std::string lost = LostSamplesMark(scenario, first);
  if (!lost.empty()) marks.push_back(std::move(lost));
  if (first.scores != nullptr && !first.scores->told.empty()) marks.push_back(first.scores->told);
  if (scenario.problem.prior) {
    add_draw("prior", *scenario.problem.prior);
    std::string mean = DescribeMeanError(*scenario.problem.prior);
    if (!mean.empty()) marks.push_back(std::move(mean));
  }
  std::ranges::move(ObserverMarks(robot, scenario, first), std::back_inserter(marks));
  if (!scenario.simulated()) return marks;
  add_draw("truth", *scenario.robot.truth);
  AddTruth(*scenario.robot.truth, *first.truth, marks);
  AddUnmodelled(first.problem(), AskedOrKnown(robot, scenario.problem), *first.truth, marks);
  AddDrives(scenario, *first.truth, first, marks);
  AddDutyCycles(*source.sensors(), first, marks);
  std::ranges::move(ExperimentMarks(scenario, first), std::back_inserter(marks));
  AddPayloads(scenario, robot, marks);
  AddPayloadChanges(scenario, robot, marks);
  AddStateChanges(scenario, marks);
  std::ranges::move(SigmaMarks(first.problem(), source), std::back_inserter(marks));
  AddSensorErrors(first, source, marks);
  if (first.datasets.empty()) return marks;  // trial 0 failed before
  std::string bias = FilterBiasMark(scenario, source, first);
  if (!bias.empty()) marks.push_back(std::move(bias));
  return marks;
}

}  // namespace idbench
