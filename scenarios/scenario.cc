#include "scenarios/scenario.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "estimators/estimator.h"

namespace idbench {
namespace {

/// Of a greater relative σ, many draws would have to be drawn again: see DrawTrueSet().
constexpr double kGreatestDeclared = 0.25;

bool HasDeclaredError(const SetOptions& o) {
  const auto declared = [](const std::optional<ErrorLaw>& law) {
    return law && std::holds_alternative<DeclaredError>(*law);
  };
  return declared(o.mass_error) || declared(o.inertia_error);
}

void CheckErrors(const SetOptions& o, std::vector<Issue>& issues) {
  const auto check_positive = [&issues](const char* where, const std::optional<ErrorLaw>& law) {
    std::optional<Issue> issue;
    if (law) issue = CheckPositive(*law, where);
    if (issue) issues.push_back(std::move(*issue));
  };
  check_positive("/mass_error", o.mass_error);
  check_positive("/inertia_error", o.inertia_error);
  if (o.com_error && std::holds_alternative<DeclaredError>(*o.com_error)) {
    issues.push_back({"/com_error/type",
                      "got \"declared\", but relative_std declares nothing of centres of mass",
                      {"accepted here: random_sign, uniform, gaussian"}});
  }
  if (o.draw == "trial" && !o.mass_error && !o.com_error && !o.inertia_error) {
    issues.push_back({"/draw",
                      "is \"trial\", but there is nothing to draw",
                      {"give mass_error, com_error or inertia_error"}});
  }
}

FieldTable SetFields(SetOptions& o) {
  FieldTable table;
  table.Add("set", o.set, {.doc = "Name of a parameter set of the robot; \"\" for its nominal set"})
      .Add("mass_scale", o.mass_scale,
           {.doc = "Factor of all masses; centres of mass stay", .lower = 0.0, .lower_open = true})
      .Add("inertia_scale", o.inertia_scale,
           {.doc = "Factor of all inertias about the centres of mass",
            .lower = 0.0,
            .lower_open = true})
      .Add("mass_error", o.mass_error, {.doc = "Relative error of each mass, drawn"})
      .Add("com_error", o.com_error,
           {.doc = "Error of each coordinate of the centres of mass, drawn; relative to the body's "
                   "radius of gyration √(tr I_com/(2m))"})
      .Add("inertia_error", o.inertia_error,
           {.doc = "Relative error of each principal moment of inertia about the centre of mass, "
                   "drawn"})
      .Add("draw", o.draw,
           {.doc = "The same errors for all trials, or others for each",
            .choices = {"cell", "trial"}})
      .Check([&o](std::vector<Issue>& issues) { CheckErrors(o, issues); });
  return table;
}

/// What is wrong with a pair of bounds.
void CheckBounds(const std::vector<double>& bounds, const std::string& where,
                 std::vector<Issue>& issues) {
  if (bounds.size() == 2 && bounds[0] < bounds[1]) return;
  issues.push_back({where,
                    bounds.size() == 2 ? fmt::format("{} is not below {}", bounds[0], bounds[1])
                                       : fmt::format("got a list of {}", bounds.size()),
                    {"accepted here: the lower bound and the upper one"}});
}

std::string TextOf(const Json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

}  // namespace

FieldTable Visit(SetOptions& o) { return SetFields(o); }

FieldTable Visit(PriorOptions& o) {
  FieldTable table = SetFields(o);
  table
      .Add("relative_std", o.relative_std,
           {.doc = "Standard deviation relative to the prior value; of a log-Cholesky body that of "
                   "its mass, and as much in every other direction of the entropic distance",
            .lower = 0.0,
            .lower_open = true})
      .Add("std_of_bounds", o.std_of_bounds,
           {.doc = "Instead of relative_std: c for the standard deviation "
                   "c·(upper − mean)(mean − lower)/(upper − lower), in the middle of two bounds "
                   "c/4 of their distance: the identity in the state of a sigmoid of slope c",
            .lower = 0.0,
            .lower_open = true})
      .Check([&o](std::vector<Issue>& issues) {
        if (o.relative_std && o.std_of_bounds) {
          issues.push_back({"/std_of_bounds", "stands beside relative_std", {"give one of them"}});
        }
      })
      .Check([&o](std::vector<Issue>& issues) {
        if (!HasDeclaredError(o) || (o.relative_std && *o.relative_std <= kGreatestDeclared))
          return;
        issues.push_back(
            {"/relative_std",
             o.relative_std ? fmt::format("got {}, above {}", *o.relative_std, kGreatestDeclared)
                            : "missing",
             {"an error of the type \"declared\" is drawn with this standard deviation"}});
      });
  return table;
}

FieldTable Visit(TruthOptions& o) {
  FieldTable table = SetFields(o);
  AddFields(table, o.joints);
  table.Check([&o](std::vector<Issue>& issues) {
    if (!HasDeclaredError(o)) return;
    issues.push_back({"",
                      "an error of the type \"declared\" is that of a prior",
                      {"accepted here: random_sign, uniform, gaussian"}});
  });
  return table;
}

FieldTable Visit(EndEffectorOptions& o) {
  FieldTable table;
  table.Add("link", o.link, {.doc = "The link that it is fixed to; \"\": the last one"})
      .Add("point_m", o.point_m, {.doc = "Where it is, in the link's frame", .unit = "m"})
      .Check([&o](std::vector<Issue>& issues) {
        if (o.point_m.size() == 3) return;
        issues.push_back({"/point_m",
                          fmt::format("got a list of {}", o.point_m.size()),
                          {"accepted here: three numbers"}});
      });
  return table;
}

FieldTable Visit(RobotOptions& o) {
  FieldTable table;
  table
      .Add("model", o.model,
           {.doc = "A robot of `idbench list`, or the path of an MJCF or URDF file",
            .required = true})
      .Add("end_effector", o.end_effector,
           {.doc = "What end_effector_wrench is about; absent: the origin of the last link"})
      .Add("truth", o.truth, {.doc = "The simulated robot"});
  return table;
}

FieldTable Visit(PayloadUnknownsOptions& o) {
  FieldTable table;
  table.Add("link", o.link, {.doc = "The link that carries it; \"\" for the last one"})
      .Add("com_m", o.com_m,
           {.doc = "Its centre of mass in the link's frame, which is known", .unit = "m"})
      .Add("mass_bounds_kg", o.mass_bounds_kg,
           {.doc = "Lower and upper bound of its mass", .unit = "kg", .required = true})
      .Add("moment_bounds_kgm2", o.moment_bounds_kgm2,
           {.doc = "Lower and upper bound of its moments about its centre of mass, in axes "
                   "parallel to the link's",
            .unit = "kg·m²",
            .required = true})
      .Add("prior_range_fraction", o.prior_range_fraction,
           {.doc = "Where the prior mean is between the bounds: 0 at the lower, 1 at the upper",
            .lower = 0.0,
            .upper = 1.0})
      .Check([&o](std::vector<Issue>& issues) {
        if (o.com_m.size() != 3) {
          issues.push_back({"/com_m",
                            fmt::format("got a list of {}", o.com_m.size()),
                            {"accepted here: x, y, z"}});
        }
        CheckBounds(o.mass_bounds_kg, "/mass_bounds_kg", issues);
        CheckBounds(o.moment_bounds_kgm2, "/moment_bounds_kgm2", issues);
      });
  return table;
}

FieldTable Visit(ParametrisationOptions& o) {
  FieldTable table;
  table
      .Add("type", o.type,
           {.doc = "What is estimated",
            .choices = {"base", "standard", "masses_and_moments", "masses_moments_first_moments",
                        "log_cholesky", "payload", "joint_state"}})
      .Add("friction", o.friction,
           {.doc = "Friction parameters of each joint that are estimated too",
            .choices = {"viscous", "coulomb", "offset"}})
      .Add("rotor_inertia", o.rotor_inertia, {.doc = "Estimate the rotor inertia of each joint"})
      .Add("coulomb_width_rad_s", o.coulomb_width_rad_s,
           {.doc = "Width w of tanh(q̇/w) in the Coulomb columns, 0 for sign(q̇); by default that of "
                   "the simulated friction, 0 for a recording",
            .unit = "rad/s",
            .lower = 0.0})
      .Add("lower_prior_factor", o.lower_prior_factor,
           {.doc = "Lower bound as a factor of the prior mean: of masses, moments of inertia, "
                   "viscous and Coulomb friction, rotor inertias, and of base parameters"})
      .Add("upper_prior_factor", o.upper_prior_factor,
           {.doc = "Upper bound likewise; a product of inertia then stays within half of the "
                   "greatest moment about the third axis"})
      .Add("first_moment_reach_m", o.first_moment_reach_m,
           {.doc = "Bounds ± this times the body's prior mass of first moments",
            .unit = "m",
            .lower = 0.0,
            .lower_open = true})
      .Add(
          "bounds", o.bounds,
          {.doc = "By the name of an unknown (link3.mcx), or for all of a kind (fc): its lower and "
                  "upper bound, instead of those above"})
      .Add("payload", o.payload,
           {.doc = "Of \"payload\": a body on a link of the robot, which itself is as the prior's "
                   "set says"})
      .Check([&o](std::vector<Issue>& issues) {
        for (const auto& [which, bounds] : o.bounds) {
          if (bounds.size() == 2 && bounds[0] < bounds[1]) continue;
          issues.push_back({PointerTo("/bounds", which),
                            "not a lower and an upper bound",
                            {"a list of two numbers that increase"}});
        }
        if (o.lower_prior_factor && o.upper_prior_factor &&
            *o.lower_prior_factor >= *o.upper_prior_factor) {
          issues.push_back({"/lower_prior_factor", "not below upper_prior_factor", {}});
        }
      });
  return table;
}

bool ParametrisationOptions::bounded() const {
  return lower_prior_factor || upper_prior_factor || first_moment_reach_m || !bounds.empty();
}

FieldTable Visit(ProblemOptions& o) {
  FieldTable table;
  table.Add("parametrisation", o.parametrisation, {.doc = "What the unknowns are"})
      .Add("prior", o.prior, {.doc = "What is taken for known before any data"})
      .Add("equations", o.equations,
           {.doc = "What the estimators set up for each sample",
            .choices = {"joint_torque", "base_wrench", "end_effector_wrench", "joint_position",
                        "joint_velocity"}})
      .Add("alignment", o.alignment, {.doc = "What to do where channels were not sampled together"})
      .Check([&o](std::vector<Issue>& issues) {
        if (o.equations.empty()) {
          issues.push_back({"/equations",
                            "a list of 0",
                            {"accepted here: joint_torque, base_wrench, end_effector_wrench, "
                             "joint_position, joint_velocity"}});
        }
      });
  return table;
}

std::vector<Equation> EquationsOf(const ProblemOptions& options) {
  const auto has = [&options](std::string_view name) {
    return std::ranges::find(options.equations, name) != options.equations.end();
  };
  std::vector<Equation> equations;
  if (has("joint_torque")) equations.push_back(Equation::kTorque);
  if (has("base_wrench")) equations.push_back(Equation::kWrench);
  if (has("end_effector_wrench")) equations.push_back(Equation::kEndEffector);
  if (has("joint_position")) equations.push_back(Equation::kPosition);
  if (has("joint_velocity")) equations.push_back(Equation::kVelocity);
  return equations;
}

FieldTable Visit(ExperimentOptions& o) {
  FieldTable table;
  table
      .Add("role", o.role,
           {.doc = "Estimators see identification data only; nothing may be chosen on validation "
                   "data",
            .choices = {"identification", "tuning", "validation"}})
      .Add("motion", o.motion, {.doc = "Desired motion of a simulation"})
      .Add("control", o.control,
           {.doc = "How the robot follows its motion in this experiment; by default as the "
                   "scenario's control says"})
      .Add("file", o.file, {.doc = "File of a recording, relative to its root"})
      .Add("events", o.events,
           {.doc = "Payloads that are attached to the simulated robot, detached, filled"});
  return table;
}

Role RoleOf(const ExperimentOptions& options) {
  if (options.role == "validation") return Role::kValidation;
  return options.role == "tuning" ? Role::kTuning : Role::kIdentification;
}

FieldTable Visit(WindowOptions& o) {
  FieldTable table;
  table
      .Add("from_s", o.from_s,
           {.doc = "Identification time at which it begins", .unit = "s", .lower = 0.0})
      .Add("until_s", o.until_s,
           {.doc = "Identification time at which it ends", .unit = "s", .required = true})
      .Add("unknowns", o.unknowns,
           {.doc = "Names of the unknowns that are compared with the truth", .required = true})
      .Add("settled_fraction", o.settled_fraction,
           {.doc = "Error, relative to the truth, below which an unknown has settled",
            .lower = 0.0,
            .lower_open = true})
      .Check([&o](std::vector<Issue>& issues) {
        if (o.until_s <= o.from_s) {
          issues.push_back({"/until_s", fmt::format("is {} s, not after from_s", o.until_s), {}});
        }
        if (o.unknowns.empty()) {
          issues.push_back({"/unknowns", "a list of 0", {"name at least one unknown"}});
        }
      });
  return table;
}

void Binding<EstimatorOptions>::Read(const Json& json, const std::string& pointer, const FieldInfo&,
                                     EstimatorOptions& value, std::vector<Issue>& issues) {
  if (!binding_internal::ExpectObject(json, pointer, issues)) return;
  if (const auto type = json.find("type"); type != json.end()) {
    const std::string at = PointerTo(pointer, "type");
    const std::size_t before = issues.size();
    Binding<std::string>::Read(*type, at, FieldInfo{}, value.type, issues);
    if (issues.size() != before) return;
  }
  const EstimatorEntry* entry = FindEstimator(value.type);
  if (entry == nullptr) {
    std::vector<std::string> details = AcceptedNames(value.type, EstimatorTypes());
    details.push_back("a label of its own needs a \"type\"");
    issues.push_back({pointer, fmt::format("no such estimator: \"{}\"", value.type), details});
    return;
  }
  const std::unique_ptr<Estimator> estimator = entry->make();
  const FieldTable fields = estimator->Fields();
  ReadFields(fields, json, pointer, issues, "type");
  value.options = WriteFields(fields);
}

Json Binding<EstimatorOptions>::Write(const EstimatorOptions& value) {
  Json json = {{"type", value.type}};
  json.update(value.options);
  return json;
}

Json Binding<EstimatorOptions>::Schema(const FieldInfo&, const EstimatorOptions&) {
  Json choices = Json::array();
  for (const EstimatorEntry& entry : EstimatorRegistry()) {
    choices.push_back(
        binding_internal::WithType(SchemaOf(entry.make()->Fields()), entry.type, false));
  }
  return {{"anyOf", choices}};
}

std::vector<std::string> AxisOptions::ValueLabels() const {
  std::vector<std::string> labels;
  const std::vector<Json>& source = values.empty() && !set.empty() ? set.front().second : values;
  for (const Json& value : source) labels.push_back(TextOf(value));
  return labels;
}

FieldTable Visit(AxisOptions& o) {
  FieldTable table;
  table.Add("name", o.name, {.doc = "How the axis is called in tables", .required = true})
      .Add("values", o.values,
           {.doc = "How its values are called; by default as the first list of `set`"})
      .Add("set", o.set,
           {.doc = "By JSON pointer into the scenario, the value for each step", .required = true})
      .Check([&o](std::vector<Issue>& issues) {
        if (o.set.empty()) {
          issues.push_back({"/set",
                            "sweeps over nothing",
                            {"name at least one JSON pointer with a list of values"}});
        }
        const std::size_t steps = o.ValueLabels().size();
        for (const auto& [pointer, list] : o.set) {
          if (list.empty()) {
            issues.push_back({PointerTo("/set", pointer),
                              "sweeps over nothing",
                              {"a list with at least one value is needed"}});
          } else if (list.size() != steps) {
            issues.push_back({PointerTo("/set", pointer),
                              fmt::format("a list of {}, expected {} as the axis has values",
                                          list.size(), steps),
                              {"what stands in one axis advances together"}});
          }
        }
      });
  return table;
}

FieldTable Visit(Scenario& o) {
  FieldTable table;
  table.Add("name", o.name, {.doc = "Name of the scenario", .required = true})
      .Add("title", o.title, {.doc = "One line that tells what it shows"})
      .Add("robot", o.robot, {.doc = "The robot", .required = true})
      .Add("recording", o.recording, {.doc = "Recordings of a real robot, instead of a simulation"})
      .Add("plant", o.plant, {.doc = "What the experiments run on"})
      .Add("control", o.control, {.doc = "How the robot follows its motion"})
      .Add("sensors", o.sensors, {.doc = "What is measured, and how badly"})
      .Add("experiments", o.experiments, {.doc = "By label: what is done", .required = true})
      .Add("processing", o.processing,
           {.doc = "What is done with the data before estimators get them"})
      .Add("problem", o.problem, {.doc = "What is to be estimated, and what is known"})
      .Add("estimators", o.estimators,
           {.doc = "By label: the methods; `type` defaults to the label", .required = true})
      .Add("evaluate_at_s", o.evaluate_at_s,
           {.doc = "Checkpoints: estimates from the first so many seconds of identification are "
                   "judged too, as `metric@experiment@t=5`",
            .unit = "s",
            .lower = 0.0,
            .lower_open = true})
      .Add("windows", o.windows,
           {.doc = "By label: parts of the identification time in which online estimators are "
                   "compared with the truth after every sample"})
      .Add("metrics", o.metrics, {.doc = "What is recorded; by default all that can be had"})
      .Add("trials", o.trials, {.doc = "Monte Carlo trials of each cell", .lower = 1})
      .Add("seed", o.seed, {.doc = "Seed of all random numbers"})
      .Add("timing_trials", o.timing_trials,
           {.doc = "Estimates of each estimator and cell that are timed, alone on one thread",
            .lower = 0})
      .Add("deadline_rate_hz", o.deadline_rate_hz,
           {.doc = "Rate that single updates have to keep up with; misses are counted. By default "
                   "that of the sensors",
            .unit = "Hz",
            .lower = 0.0,
            .lower_open = true})
      .Add("keep_series", o.keep_series,
           {.doc = "Trials whose time series are written to series/", .lower = 0})
      .Add("tables", o.tables, {.doc = "Tables of the report"})
      .Add("gate", o.gate, {.doc = "What `idbench gate` and `idbench compare` judge, and how"})
      .Add("sweep", o.sweep, {.doc = "Axes; every combination of their values is a cell"})
      .Check([&o](std::vector<Issue>& issues) {
        const auto& times = o.evaluate_at_s;
        if (std::ranges::adjacent_find(times, std::greater_equal{}) == times.end()) return;
        issues.push_back({"/evaluate_at_s", "does not increase", {"sort it; each time once"}});
      });
  return table;
}

const WindowOptions* Scenario::FindWindow(const std::string& label) const {
  const auto found =
      std::ranges::find(windows, label, &std::pair<std::string, WindowOptions>::first);
  return found == windows.end() ? nullptr : &found->second;
}

std::vector<std::string> CheckpointLabels(const Scenario& scenario) {
  std::vector<std::string> labels;
  for (const double t : scenario.evaluate_at_s) labels.push_back(fmt::format("t={}", t));
  return labels;
}

const ControlOptions& ControlOf(const Scenario& scenario, const ExperimentOptions& experiment) {
  return experiment.control ? *experiment.control : *scenario.control;
}

Json ScenarioSchema() {
  Scenario scenario;
  Json schema = {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                 {"title", "idbench scenario"}};
  schema.update(SchemaOf(Visit(scenario)));
  return schema;
}

}  // namespace idbench
