#include "robots/attached_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "robots/pose_options.h"
#include "robots/reduced_robot.h"
#include "scenarios/options/name_pattern.h"

namespace idbench {
namespace {

constexpr const char* kBodies = "/attached";
constexpr const char* kConfigurations = "/configurations";
/// Axes and places that differ by less [1, m] are the same but for the digits of a scenario.
constexpr double kPlaceOfBody = 1e-6;

Eigen::Matrix<double, kInertialCount, 1> StandardOf(const BodyInertiaOptions& options) {
  return ToStandard({options.mass_kg, Eigen::Vector3d(options.com_m.data()),
                     InertiaOfEntries(options.inertia_com_kgm2)});
}

/// True if the model file has a body of that name, fused into that link, at that place: what is
/// attached is this part of the link.
bool IsPartOfLink(const Robot& robot, const AttachedBody& attached) {
  const LinkBody* const of_file = FindBody(robot, attached.name);
  return of_file != nullptr && of_file->link == attached.link &&
         robot.model.BodyName(attached.link) != attached.name &&
         of_file->R_LB.isApprox(attached.R_LA, kPlaceOfBody) &&
         (of_file->p_LB_L - attached.p_LA_L).norm() <= kPlaceOfBody;
}

/// The bodies in the robot's terms; with issues, some may be missing.
std::vector<AttachedBody> BodiesOf(const AttachedBodies& options, const Robot& robot,
                                   std::vector<Issue>& issues) {
  std::vector<AttachedBody> bodies;
  for (const auto& [name, body] : options) {
    const std::string where = PointerTo(kBodies, name);
    if (name.empty() || name.find('.') != std::string::npos) {
      issues.push_back({where, "a body's name is not empty and holds no \".\"", {}});
    }
    if (body.known && !body.prior) {
      issues.push_back({where + "/prior", "missing", {"a body that is known needs its inertia"}});
    }
    const auto at = PlaceOf(body.link, robot, where + "/link", issues);
    if (!at || body.p_LB_L_m.size() != 3 || body.rpy_rad.size() != 3) continue;
    bodies.push_back({name, at->link, at->InLink(RotationOfRpy(body.rpy_rad)),
                      at->InLink(Eigen::Vector3d(body.p_LB_L_m.data())), body.known});
    const bool taken =
        name == robot.model.base_name() || FindBody(robot, name) != nullptr ||
        std::ranges::find(robot.model.links(), name, &Link::name) != robot.model.links().end();
    if (taken && !IsPartOfLink(robot, bodies.back())) {
      issues.push_back({where,
                        "is the name of a body of the robot",
                        {"give it another; only a part of that link has its name, at its place"}});
    }
  }
  return bodies;
}

/// Indices of the bodies that a configuration names.
std::vector<int> IndicesOf(const std::string& name, const ConfigurationOptions& configuration,
                           const AttachedBodies& bodies, std::vector<Issue>& issues) {
  std::vector<std::string> known;
  for (const auto& [label, body] : bodies) known.push_back(label);
  std::vector<int> indices;
  for (std::size_t k = 0; k < configuration.attached.size(); ++k) {
    const std::string& body = configuration.attached[k];
    const std::string where = fmt::format("{}/attached/{}", PointerTo(kConfigurations, name), k);
    const auto found = std::ranges::find(known, body);
    const auto index = static_cast<int>(found - known.begin());
    if (found == known.end()) {
      issues.push_back({where, fmt::format("no such body: \"{}\"", body),
                        known.empty() ? std::vector<std::string>{"declare it in /attached"}
                                      : AcceptedNames(body, known)});
    } else if (std::ranges::find(indices, index) != indices.end()) {
      issues.push_back({where, fmt::format("{} is named twice", body), {}});
    } else {
      indices.push_back(index);
    }
  }
  std::ranges::sort(indices);
  return indices;
}

/// Index of the body that is touched in a configuration.
int TouchedBody(const std::string& name, const ConfigurationOptions& configuration,
                const AttachedBodies& bodies, const Robot& robot, std::vector<Issue>& issues) {
  if (configuration.touched.empty()) return -1;
  const auto found =
      std::ranges::find(bodies, configuration.touched, &AttachedBodies::value_type::first);
  if (found == bodies.end()) {
    const auto at = PlaceOf(configuration.touched, robot,
                            PointerTo(kConfigurations, name) + "/touched", issues);
    return at ? at->link : -1;
  }
  if (std::ranges::find(configuration.attached, configuration.touched) ==
      configuration.attached.end()) {
    issues.push_back({PointerTo(kConfigurations, name) + "/touched",
                      fmt::format("{} is not attached here", configuration.touched),
                      {"name it in \"attached\""}});
  }
  return robot.model.dofs() + static_cast<int>(found - bodies.begin());
}

std::vector<Configuration> ConfigurationsOf(const AttachedBodies& bodies,
                                            const Configurations& options,
                                            const std::vector<ConfigurationUse>& uses,
                                            const Robot& robot, std::vector<Issue>& issues) {
  std::vector<Configuration> configurations;
  const auto add = [&](const std::string& name, std::vector<int> attached, int touched) {
    Configuration configuration{name, std::move(attached), false, {}, touched};
    bool used = false;
    for (const ConfigurationUse& use : uses) {
      if (use.name != name) continue;
      used = true;
      configuration.identified |= use.identified;
    }
    if (used) configurations.push_back(std::move(configuration));
  };
  add("", {}, -1);
  for (const auto& [name, configuration] : options) {
    std::vector<int> attached = IndicesOf(name, configuration, bodies, issues);
    const int touched = TouchedBody(name, configuration, bodies, robot, issues);
    if (name.empty()) {
      issues.push_back({PointerTo(kConfigurations, name),
                        "has no name",
                        {"experiments that name no configuration have nothing attached"}});
      continue;
    }
    add(name, std::move(attached), touched);
  }
  if (configurations.empty()) configurations.emplace_back();
  return configurations;
}

/// The terms that an entry of `own` names, indices into `terms`.
std::vector<int> TermsNamed(const std::string& entry, const std::vector<Term>& terms,
                            const std::string& where, std::vector<Issue>& issues) {
  std::string problem;
  std::vector<int> indices;
  for (const std::string& name : ExpandPattern(entry, problem)) {
    const std::size_t before = indices.size();
    for (std::size_t k = 0; k < terms.size(); ++k) {
      const bool of_sensor =
          terms[k].rows == TermRows::kCut && terms[k].name.starts_with(name + "_");
      if (terms[k].name == name || of_sensor) indices.push_back(static_cast<int>(k));
    }
    if (indices.size() != before) continue;
    std::vector<std::string> known;
    for (const Term& term : terms) known.push_back(term.name);
    issues.push_back(
        {where, fmt::format("the robot has no term \"{}\"", name), AcceptedNames(name, known)});
  }
  if (!problem.empty()) issues.push_back({where, problem, {}});
  return indices;
}

/// The terms that a configuration has of its own, each once, and where that is said.
std::vector<std::pair<int, std::string>> OwnOf(const std::string& configuration,
                                               const ConfigurationOptions& options,
                                               const std::vector<Term>& terms,
                                               std::vector<Issue>& issues) {
  std::vector<std::pair<int, std::string>> own;
  std::set<int> named;
  for (std::size_t i = 0; i < options.own.size(); ++i) {
    const std::string where =
        fmt::format("{}/own/{}", PointerTo(kConfigurations, configuration), i);
    for (const int k : TermsNamed(options.own[i], terms, where, issues)) {
      if (named.insert(k).second) {
        own.emplace_back(k, where);
      } else {
        issues.push_back(
            {where, fmt::format("{} is named twice", terms[static_cast<std::size_t>(k)].name), {}});
      }
    }
  }
  return own;
}

/// Each body must be somewhere, and one that is unknown where something can be learnt of it.
void CheckUse(const std::vector<AttachedBody>& bodies,
              const std::vector<Configuration>& configurations, std::vector<Issue>& issues) {
  for (std::size_t k = 0; k < bodies.size(); ++k) {
    bool used = false, identified = false;
    for (const Configuration& each : configurations) {
      const bool has = std::ranges::find(each.attached, static_cast<int>(k)) != each.attached.end();
      used |= has;
      identified |= has && each.identified;
    }
    const std::string where = PointerTo(kBodies, bodies[k].name);
    if (!used) {
      issues.push_back({where,
                        "is attached in no experiment",
                        {"name it in a configuration, and this in an experiment; or remove it"}});
    } else if (!identified && !bodies[k].known) {
      issues.push_back({where,
                        "is attached in no experiment of role identification, so nothing can be "
                        "learnt of it",
                        {"attach it in one, or set \"known\" with its inertia as \"prior\""}});
    }
  }
}

void CheckDrawn(const AttachedBodyOptions& o, std::vector<Issue>& issues) {
  if (!o.drawn) return;
  const bool none = !o.prior || o.prior->mass_kg == 0.0;
  if (o.truth || o.known || none) {
    issues.push_back({"/drawn",
                      fmt::format("is true, but {}", o.truth   ? "the truth is written"
                                                     : o.known ? "the body is known"
                                                               : "no mass is assumed of the body"),
                      {o.truth   ? "remove one of the two"
                       : o.known ? "a known body is as its prior says: set it to false"
                                 : "say in \"prior\" about what errors are drawn"}});
  }
}

}  // namespace

FieldTable Visit(BodyInertiaOptions& o) {
  FieldTable table;
  table
      .Add("mass_kg", o.mass_kg,
           {.doc = "Mass of the body", .unit = "kg", .lower = 0, .required = true})
      .Add("com_m", o.com_m, {.doc = "Centre of mass in the body's frame", .unit = "m"})
      .Add("inertia_com_kgm2", o.inertia_com_kgm2,
           {.doc = "Ixx, Iyy, Izz, or these and Ixy, Ixz, Iyz, about the centre of mass, in the "
                   "body's axes; of a point by default",
            .unit = "kg·m²"})
      .Check([&o](std::vector<Issue>& issues) {
        CheckThree(o.com_m, "/com_m", issues);
        CheckInertia(o.inertia_com_kgm2, "/inertia_com_kgm2", issues);
        const bool turns = std::ranges::any_of(o.inertia_com_kgm2, [](double I) { return I != 0; });
        if (o.mass_kg == 0.0 && turns) {
          issues.push_back({"/mass_kg",
                            "is 0, but the body has an inertia",
                            {"accepted here: a mass above 0, or no inertia"}});
        }
      });
  return table;
}

FieldTable Visit(AttachedBodyOptions& o) {
  FieldTable table;
  table
      .Add("link", o.link,
           {.doc = "Body of the model file that carries this one", .required = true})
      .Add("p_LB_L_m", o.p_LB_L_m,
           {.doc = "Origin of the body's frame in that of its carrier", .unit = "m"})
      .Add("rpy_rad", o.rpy_rad,
           {.doc = "Axes of the body in its carrier's: roll, pitch, yaw, as in a URDF",
            .unit = "rad"})
      .Add("known", o.known,
           {.doc = "True if the body has the inertia of `prior`, and nothing of it is estimated: a "
                   "calibration mass"})
      .Add("prior", o.prior,
           {.doc = "Inertia that is assumed of the body before any data; null: none"})
      .Add("truth", o.truth,
           {.doc =
                "Inertia of the simulated body, as it is: /robot/truth neither scales it nor draws "
                "errors of it; null: that of the prior"})
      .Add("drawn", o.drawn,
           {.doc = "True if the simulated body is as the prior says, with the errors that "
                   "/robot/truth draws of the robot's own bodies: a part of the robot"})
      .Check([&o](std::vector<Issue>& issues) {
        CheckThree(o.p_LB_L_m, "/p_LB_L_m", issues);
        CheckThree(o.rpy_rad, "/rpy_rad", issues);
        CheckDrawn(o, issues);
      });
  return table;
}

FieldTable Visit(ConfigurationOptions& o) {
  FieldTable table;
  table.Add("attached", o.attached, {.doc = "Names of the bodies that are attached to the robot"})
      .Add("own", o.own,
           {.doc = "Terms that have a value of their own in these experiments, as patterns "
                   "(\"joint{1..7}.fo\"; \"SENSOR.offset\" for the six of a force/torque sensor): "
                   "TERM@CONFIGURATION is estimated in place of TERM, which others share; truth "
                   "and prior "
                   "of it are those of TERM where they name no other"})
      .Add("touched", o.touched,
           {.doc = "Body that something touches in these experiments, anywhere and with any force: "
                   "estimators that take such data (drive_nls, two_stage) learn from the wrench "
                   "that the force/torque sensor before it measures; empty: none"});
  return table;
}

void AddAttached(const AttachedBodies& options, const Configurations& configurations,
                 const std::vector<ConfigurationUse>& uses, Robot& robot,
                 std::vector<Issue>& issues) {
  if (options.empty() && configurations.empty()) return;
  const std::size_t before = issues.size();
  std::vector<AttachedBody> bodies = BodiesOf(options, robot, issues);
  std::vector<Configuration> used = ConfigurationsOf(options, configurations, uses, robot, issues);
  if (issues.size() == before) CheckUse(bodies, used, issues);
  if (issues.size() != before) return;

  const Eigen::Index first = ParameterLayout(robot.model).inertial_size();
  const auto size = static_cast<Eigen::Index>(kInertialCount * bodies.size());
  Eigen::VectorXd assumed = Eigen::VectorXd::Zero(size);
  robot.attached_truth = Eigen::VectorXd::Zero(size);
  robot.attached_drawn.clear();
  for (std::size_t k = 0; k < options.size(); ++k) {
    const AttachedBodyOptions& body = options[k].second;
    const auto at = static_cast<Eigen::Index>(kInertialCount * k);
    if (body.prior) assumed.segment<kInertialCount>(at) = StandardOf(*body.prior);
    robot.attached_truth.segment<kInertialCount>(at) =
        body.truth ? StandardOf(*body.truth) : assumed.segment<kInertialCount>(at);
    robot.attached_drawn.push_back(body.drawn);
  }
  robot.model.SetAttached(std::move(bodies), std::move(used));
  for (ParameterSet& set : robot.sets) {
    Eigen::VectorXd pi(set.pi.size() + size);
    pi << set.pi.head(first), assumed, set.pi.tail(set.pi.size() - first);
    set.pi = std::move(pi);
  }
}

std::vector<int> SplitFromLinks(const Robot& robot) {
  const std::vector<AttachedBody>& attached = robot.model.attached();
  std::vector<int> split;
  for (std::size_t k = 0; k < attached.size(); ++k) {
    const auto index = static_cast<int>(k);
    const bool always =
        std::ranges::all_of(robot.model.configurations(), [index](const Configuration& each) {
          return std::ranges::find(each.attached, index) != each.attached.end();
        });
    if (always && IsPartOfLink(robot, attached[k])) split.push_back(index);
  }
  return split;
}

Eigen::VectorXd WithLinksWhole(const Robot& robot, Eigen::VectorXd pi) {
  const ParameterLayout layout(robot.model);
  for (const int k : SplitFromLinks(robot)) {
    const AttachedBody& body = robot.model.attached()[static_cast<std::size_t>(k)];
    auto own = pi.segment<kInertialCount>(layout.Body(robot.model.dofs() + k));
    pi.segment<kInertialCount>(layout.Body(body.link)) +=
        TransformationOf(body.R_LA, body.p_LA_L) * own;
    own.setZero();
  }
  return pi;
}

void AddOwnTerms(const Configurations& configurations, Robot& robot, std::vector<Issue>& issues) {
  const std::vector<Term> shared = TermsOf(robot.model);
  std::vector<Term> terms = robot.model.terms();
  const auto joint_terms = static_cast<int>(shared.size() - terms.size());
  std::vector<Configuration> configured = robot.model.configurations();
  std::vector<int> copied;
  for (const auto& [name, options] : configurations) {
    const auto used = std::ranges::find(configured, name, &Configuration::name);
    for (const auto& [k, where] : OwnOf(name, options, shared, issues)) {
      if (used == configured.end()) continue;
      Term own = shared[static_cast<std::size_t>(k)];
      if (!used->identified) {
        issues.push_back({where,
                          fmt::format("no experiment of role identification is in the "
                                      "configuration \"{}\", so nothing can be learnt of its {}",
                                      name, own.name),
                          {"record one in it, or remove this"}});
      }
      own.name += "@" + name;
      used->own.push_back({k, joint_terms + static_cast<int>(terms.size())});
      copied.push_back(k);
      terms.push_back(std::move(own));
    }
  }
  if (copied.empty()) return;
  const Eigen::Index first = ParameterLayout(robot.model).inertial_size();
  for (ParameterSet& set : robot.sets) {
    for (const int k : copied) {
      set.pi.conservativeResize(set.pi.size() + 1);
      set.pi.tail<1>() = set.pi.segment<1>(first + k);
    }
  }
  robot.model.SetTerms(std::move(terms));
  robot.model.SetAttached(robot.model.attached(), std::move(configured));
}

namespace {

/// Number of the terms, the last ones, that are configurations' own.
std::size_t OwnTermsOf(const RobotModel& model) {
  std::size_t count = 0;
  for (const Configuration& each : model.configurations()) count += each.own.size();
  return count;
}

}  // namespace

Robot WithoutAttached(const Robot& robot) {
  Robot bare = robot;
  for (ParameterSet& set : bare.sets) set.pi = WithoutAttached(robot.model, set.pi);
  std::vector<Term> terms = robot.model.terms();
  terms.resize(terms.size() - OwnTermsOf(robot.model));
  bare.model.SetAttached({}, {{}});
  bare.model.SetTerms(std::move(terms));
  bare.attached_truth.resize(0);
  bare.attached_drawn.clear();
  return bare;
}

Eigen::VectorXd WithoutAttached(const RobotModel& model,
                                const Eigen::Ref<const Eigen::VectorXd>& pi) {
  const ParameterLayout layout(model);
  const Eigen::Index terms = layout.term_count() - static_cast<Eigen::Index>(OwnTermsOf(model));
  Eigen::VectorXd bare(layout.links_size() + terms);
  bare << pi.head(layout.links_size()), pi.segment(layout.inertial_size(), terms);
  return bare;
}

}  // namespace idbench
