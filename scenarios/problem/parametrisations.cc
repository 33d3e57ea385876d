#include "scenarios/problem/parametrisations.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <map>
#include <set>
#include <stdexcept>

#include "robots/dynamics/parameters/joint_state_parametrisation.h"
#include "robots/dynamics/parameters/payload_parametrisation.h"
#include "robots/dynamics/parameters/regrouping.h"
#include "scenarios/problem/parameter_kind.h"
#include "scenarios/problem/prior_entries.h"
#include "scenarios/problem/prior_known.h"
#include "scenarios/problem/prior_sigma.h"

namespace idbench {
namespace {

/// What the unknowns hold of joints beside links, in the order in which they stand.
std::vector<JointParameter> JointParametersOf(const ParametrisationOptions& options) {
  std::vector<JointParameter> parameters = options.friction;
  if (options.rotor_inertia) parameters.push_back(JointParameter::kRotorInertia);
  std::ranges::sort(parameters);
  const auto repeated = std::ranges::unique(parameters);
  parameters.erase(repeated.begin(), repeated.end());
  return parameters;
}

std::vector<int> Asked(const ParametrisationInput& input) {
  return AskedParameters(input.robot, input.options);
}

Parametrisation MakeBase(const ParametrisationInput& input) {
  return BaseParametrisation(
      input.robot.model,
      FindBaseParameters(input.robot.model, EquationsOf(input.options, input.robot.model),
                         Asked(input), input.friction));
}

Parametrisation MakeStandard(const ParametrisationInput& input) {
  return StandardParametrisation(input.robot.model, Asked(input));
}

Parametrisation MakeMassesAndMoments(const ParametrisationInput& input) {
  return MassesAndMoments(input.robot.model, Asked(input), input.known);
}

Parametrisation MakeMassesMomentsAndFirstMoments(const ParametrisationInput& input) {
  return MassesMomentsAndFirstMoments(input.robot.model, Asked(input), input.known);
}

Parametrisation MakeLogCholesky(const ParametrisationInput& input) {
  return LogCholesky(input.robot.model, Asked(input), input.known);
}

Parametrisation MakePlanarLagrangian(const ParametrisationInput& input) {
  return PlanarLagrangianParametrisation(
      input.robot.model, {input.robot.model, input.known,
                          JointParametersOf(input.options.parametrisation), input.friction});
}

Parametrisation MakeJointState(const ParametrisationInput& input) {
  return JointStateParametrisation(input.robot.model, input.known);
}

/// With its bounds, which set the prior's mean.
Parametrisation MakePayload(const ParametrisationInput& input) {
  const PayloadUnknownsOptions& options = *input.options.parametrisation.payload;
  const auto& links = input.robot.model.links();
  const auto link =
      options.link.empty() ? links.end() - 1 : std::ranges::find(links, options.link, &Link::name);
  Parametrisation parameters =
      PayloadParametrisation(input.robot.model, static_cast<int>(link - links.begin()),
                             Eigen::Map<const Eigen::Vector3d>(options.com_m.data()), input.known);
  const auto& mass = options.mass_bounds_kg;
  const auto& moment = options.moment_bounds_kgm2;
  parameters.lower << mass[0], moment[0], moment[0], moment[0];
  parameters.upper << mass[1], moment[1], moment[1], moment[1];
  return parameters;
}

Eigen::VectorXd MeanWithinBounds(const ParametrisationOptions& options,
                                 const Parametrisation& parameters) {
  return parameters.lower +
         options.payload->prior_range_fraction * (parameters.upper - parameters.lower);
}

/// A key that is given, though it has no meaning for the kind of unknowns.
struct Meaningless {
  bool given = false;
  const char* key = "";
  const char* cure = "";
};

void RefuseMeaningless(const ParametrisationOptions& options,
                       std::initializer_list<Meaningless> keys, std::vector<Issue>& issues) {
  for (const auto& [given, key, cure] : keys) {
    if (given) {
      issues.push_back({key, fmt::format("has no meaning for \"{}\"", options.type), {cure}});
    }
  }
}

void CheckPayload(const ParametrisationOptions& options, const RobotModel& model,
                  std::vector<Issue>& issues) {
  if (!options.payload) {
    issues.push_back(
        {"/payload",
         "missing",
         {"declare the link that carries the payload, and the bounds of its mass and moments"}});
    return;
  }
  const char* const known = "remove it: the robot's own parameters are known, as the set says";
  const char* const bounds = "bounds of a payload are in /problem/parametrisation/payload";
  RefuseMeaningless(options,
                    {{!options.friction.empty(), "/friction", known},
                     {options.rotor_inertia, "/rotor_inertia", known},
                     {options.lower_prior_factor.has_value(), "/lower_prior_factor", bounds},
                     {options.upper_prior_factor.has_value(), "/upper_prior_factor", bounds},
                     {options.first_moment_reach_m.has_value(), "/first_moment_reach_m", bounds}},
                    issues);
  std::vector<std::string> links;
  for (const Link& link : model.links()) links.push_back(link.name);
  const std::string& link = options.payload->link;
  if (link.empty() || std::ranges::find(links, link) != links.end()) return;
  issues.push_back(
      {"/payload/link", fmt::format("no such link: \"{}\"", link), AcceptedNames(link, links)});
}

/// Bounds of π are none of α, d and s, t.
void CheckLogCholesky(const ParametrisationOptions& options, const RobotModel&,
                      std::vector<Issue>& issues) {
  const char* const cure =
      "remove it: such a body is always physical; bounds of friction are in "
      "/problem/parametrisation/bounds";
  RefuseMeaningless(options,
                    {{options.lower_prior_factor.has_value(), "/lower_prior_factor", cure},
                     {options.upper_prior_factor.has_value(), "/upper_prior_factor", cure},
                     {options.first_moment_reach_m.has_value(), "/first_moment_reach_m", cure}},
                    issues);
}

void CheckJointState(const ParametrisationOptions& options, const RobotModel&,
                     std::vector<Issue>& issues) {
  const char* const known = "remove it: the robot's own parameters are known, as the set says";
  const char* const bounds = "name bounds of q and qd in /problem/parametrisation/bounds";
  RefuseMeaningless(options,
                    {{!options.friction.empty(), "/friction", known},
                     {options.rotor_inertia, "/rotor_inertia", known},
                     {options.lower_prior_factor.has_value(), "/lower_prior_factor", bounds},
                     {options.upper_prior_factor.has_value(), "/upper_prior_factor", bounds},
                     {options.first_moment_reach_m.has_value(), "/first_moment_reach_m", bounds}},
                    issues);
}

/// What unknowns of the robot that map to π supply.
constexpr Capabilities kPartOfPi = {Capability::kStandardUnknowns, Capability::kConstantUnknowns,
                                    Capability::kMotionUnknowns, Capability::kMeasuredState};
constexpr Capabilities kPartOfLinks = kPartOfPi | Capabilities{Capability::kSingleLinks};

std::vector<ParametrisationKind> MakeKinds() {
  using enum Capability;
  return {
      {.name = "base",
       .supplies = kPartOfPi | Capabilities{kAmounts},
       .lacks = {{kSingleLinks, {.absent = "base parameters say nothing of single links"}}},
       .factors_bound_all = true,
       .takes_terms = true,
       .framed = true,
       .combines = true,
       .make = MakeBase},
      {.name = "standard",
       .supplies = kPartOfLinks | Capabilities{kAmounts},
       .takes_terms = true,
       .framed = true,
       .make = MakeStandard},
      {.name = "masses_and_moments",
       .needs = {kPrior},
       .supplies = kPartOfLinks | Capabilities{kAmounts, kMassesAndMoments},
       .takes_terms = true,
       .whole_bodies = true,
       .make = MakeMassesAndMoments},
      {.name = "masses_moments_first_moments",
       .needs = {kPrior},
       .supplies = kPartOfLinks | Capabilities{kAmounts},
       .takes_terms = true,
       .framed = true,
       .whole_bodies = true,
       .make = MakeMassesMomentsAndFirstMoments},
      {.name = "log_cholesky",
       .needs = {kPrior},
       .supplies = kPartOfLinks,
       .takes_terms = true,
       .framed = true,
       .physical = true,
       .whole_bodies = true,
       .make = MakeLogCholesky,
       .check = CheckLogCholesky},
      {.name = "planar_lagrangian",
       .needs = {kPrior},
       .supplies = {kLagrangian, kConstantUnknowns, kMotionUnknowns, kAmounts},
       .lacks = {{kSingleLinks,
                  {.absent = "the parameters of a planar Lagrangian say nothing of single links"}},
                 {kMeasuredState,
                  {.absent = "no such bound for the parameters of a planar Lagrangian, whose state "
                             "is not measured: see simulation_sse_angles_bound"}}},
       .not_exported = "no masses and inertias stand for the parameters of a planar Lagrangian",
       .make = MakePlanarLagrangian},
      {.name = "payload",
       .needs = {kPrior},
       .supplies = {kStandardUnknowns, kMotionUnknowns, kMeasuredState, kSingleLinks},
       .lacks = {{kConstantUnknowns,
                  {.absent = "the robot is known, and its payload comes and goes: see windows"}}},
       .truth = TrueValues::kOfPayload,
       .whole_pi = true,
       .make = MakePayload,
       .prior_mean = MeanWithinBounds,
       .check = CheckPayload},
      {.name = "joint_state",
       .needs = {kPrior},
       .supplies = {kStateUnknowns, kMeasuredState, kSingleLinks},
       .lacks = {{kConstantUnknowns,
                  {.absent = "the robot is known, and its state changes with time: see windows"}}},
       .truth = TrueValues::kOfState,
       .not_exported = "what was estimated is the joints' state, nothing of the robot",
       .make = MakeJointState,
       .check = CheckJointState},
  };
}

}  // namespace

Supplies ParametrisationKind::Supplied() const {
  Supplies supplied;
  supplied.Add(supplies);
  for (const auto& [capability, words] : lacks) supplied.Lacks(capability, words);
  return supplied;
}

std::span<const ParametrisationKind> ParametrisationKinds() {
  static const std::vector<ParametrisationKind> kKinds = MakeKinds();
  return kKinds;
}

const ParametrisationKind& KindNamed(std::string_view name) {
  const auto kinds = ParametrisationKinds();
  const auto found = std::ranges::find(kinds, name, &ParametrisationKind::name);
  if (found != kinds.end()) return *found;
  throw std::invalid_argument(fmt::format("there is no parametrisation '{}'", name));
}

namespace {

/// With what configurations have of their own of the terms that are asked for, and without those
/// that no data for identification share any more.
std::vector<int> WithOwnTerms(const RobotModel& model, std::vector<int> asked) {
  const int first = ParameterLayout(model).inertial_size();
  std::map<int, std::size_t> owners;
  std::set<int> all(asked.begin(), asked.end());
  for (const int k : model.IdentifiedConfigurations()) {
    for (const auto& [shared, own] : model.configurations()[static_cast<std::size_t>(k)].own) {
      if (!std::ranges::binary_search(asked, first + shared)) continue;
      all.insert(first + own);
      ++owners[shared];
    }
  }
  for (const auto& [shared, count] : owners) {
    if (count == model.IdentifiedConfigurations().size()) all.erase(first + shared);
  }
  return {all.begin(), all.end()};
}

}  // namespace

std::vector<int> AskedOrKnown(const Robot& robot, const ProblemOptions& options) {
  std::vector<Issue> ignored;  // AddTerms() told them
  std::vector<std::string> terms;
  const std::vector<PlacedEquation> equations = EquationsOf(options, robot.model);
  for (Term& term : MakeTerms(options.terms, robot.model, "", ignored)) {
    // Of a sensor some components alone may count.
    if (term.rows != TermRows::kCut || InRows(term, equations)) {
      terms.push_back(std::move(term.name));
    }
  }
  return WithOwnTerms(robot.model,
                      ConsideredParameters(robot.model, equations,
                                           JointParametersOf(options.parametrisation), terms));
}

std::vector<int> AskedParameters(const Robot& robot, const ProblemOptions& options) {
  std::vector<int> asked = AskedOrKnown(robot, options);
  const std::vector<int> known = KnownOf(options, robot.model, asked);
  std::erase_if(asked, [&known](int k) { return std::ranges::binary_search(known, k); });
  return asked;
}

namespace {

/// What a prior's σ is of, see PriorParameters.
struct Spoken {
  std::vector<std::string> names;
  Eigen::VectorXd values;
  Eigen::MatrixXd J;
  Eigen::MatrixXd to_x;      ///< Unknowns from these.
  std::vector<bool> counts;  ///< Columns of `to_x` that are not 0.

  PriorParameters Of(const PriorInput& input) const {
    return {input.model, names, values, input.pi, J, counts};
  }
};

Spoken SpokenOf(const PriorInput& input) {
  const auto& [model, options, pi, mean, parameters] = input;
  const ParametrisationKind& kind = KindNamed(parameters.type());
  if (kind.combines) {
    Spoken standard{ParameterNames(model),
                    pi,
                    Eigen::MatrixXd::Identity(pi.size(), pi.size()),
                    Eigen::MatrixXd(parameters.size(), pi.size()),
                    {}};
    for (Eigen::Index k = 0; k < pi.size(); ++k) {
      standard.to_x.col(k) = parameters.FromPi(Eigen::VectorXd::Unit(pi.size(), k));
      standard.counts.push_back(!standard.to_x.col(k).isZero(0.0));
    }
    return standard;
  }
  Spoken unknowns{parameters.names, mean, Eigen::MatrixXd::Zero(pi.size(), mean.size()),
                  Eigen::MatrixXd::Identity(mean.size(), mean.size()),
                  std::vector<bool>(parameters.names.size(), true)};
  const bool holds_bodies = kind.supplies.Has(Capability::kSingleLinks) && !kind.whole_pi &&
                            kind.truth == TrueValues::kOfRobot;
  if (holds_bodies) unknowns.J = parameters.Jacobian(parameters.FromPi(pi));
  return unknowns;
}

/// With relative_std as that of bodies, where no σ is one of their single parameters.
PriorOptions WithBodies(const PriorInput& input) {
  PriorOptions options = input.options;
  const bool of_bodies = KindNamed(input.parameters.type()).physical && options.relative_std &&
                         std::ranges::find(options.std, kBodyKind,
                                           &SigmaEntries::value_type::first) == options.std.end();
  if (of_bodies) options.std.emplace_back(kBodyKind, *options.relative_std);
  return options;
}

}  // namespace

void StateKnowledge(const PriorInput& input, Parametrisation::Prior& prior) {
  const Spoken spoken = SpokenOf(input);
  const PriorOptions options = WithBodies(input);
  const Eigen::MatrixXd covariance = CovarianceByEntries(options, spoken.Of(input));
  Eigen::MatrixXd to_x = spoken.to_x;
  // A factor of the mean is one of a σ that is relative to it.
  if (options.std.empty() && KindNamed(input.parameters.type()).combines) {
    to_x.array().colwise() *= UnknownScale(options, input.parameters.size()).array();
  }
  prior.covariance = to_x * covariance * to_x.transpose();
  prior.unknown =
      IndependentColumns(spoken.to_x(Eigen::all, UnknownByEntries(options, spoken.Of(input))));
  prior.body_sigma = BodySigma(input.options.std, input.model);
}

std::vector<Issue> CheckStd(const PriorInput& input) {
  const Spoken spoken = SpokenOf(input);
  return CheckStd(input.options, spoken.Of(input));
}

std::optional<Issue> SigmaIssue(const PriorInput& input) {
  const Spoken spoken = SpokenOf(input);
  const ParametrisationKind& kind = KindNamed(input.parameters.type());
  return SigmaIssue(WithBodies(input), spoken.Of(input), [&kind](const std::string& of) {
    if (!kind.takes_terms) return false;
    return FindCoefficient(of) != nullptr || (IsInertialKind(of) && !kind.whole_bodies);
  });
}

Eigen::VectorXd UnknownScale(const PriorOptions& options, int size) {
  const std::vector<double>& scale = options.unknown_scale;
  if (scale.empty()) return Eigen::VectorXd::Ones(size);
  return Eigen::Map<const Eigen::VectorXd>(scale.data(), size);
}

}  // namespace idbench
