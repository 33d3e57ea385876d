#include "scenarios/problem/prior_sigma.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <string_view>
#include <utility>

#include "robots/dynamics/parameters.h"
#include "robots/term_options.h"
#include "scenarios/options/json.h"
#include "scenarios/problem/parameter_kind.h"

namespace idbench {
namespace {

/// Part of the effort limit that friction, or what a rotor takes, may be.
constexpr double kPartOfEffort = 0.1;
/// A moment below this part of the largest about any axis is 0 but for rounding.
constexpr double kRoundOff = 1e-12;
/// Time in which that part brings a rotor to full speed [s].
constexpr double kTimeToFullSpeed = 0.1;

double RoundedUp(double value) {
  const double digit = std::pow(10.0, std::floor(std::log10(value)) - 1.0);
  const double rounded = std::ceil(value / digit) * digit;
  return std::stod(fmt::format("{:.2g}", rounded));  // the shortest text of it
}

/// What a σ of 0.1·τ_max is divided by, so that it is one of a coefficient [rad/s or rad/s²].
double DividedBy(const TermCoefficient& coefficient, double velocity) {
  if (coefficient.argument == TermArgument::kAcceleration) return velocity / kTimeToFullSpeed;
  static constexpr auto kOfSpeed = std::to_array<TermShape>(
      {TermShape::kLinear, TermShape::kPositivePart, TermShape::kNegativePart});
  return std::ranges::count(kOfSpeed, coefficient.shape) > 0 ? velocity : 1.0;
}

/// "mcx", "mcy" and "mcz" are one group, moments about any axis another; "" for others.
std::string_view AxesOf(const std::string& kind) {
  if (kind.starts_with("mc")) return "mc";
  const bool moment =
      kind == "J1" || kind == "J2" || kind == "J3" || (IsInertialKind(kind) && kind != "m");
  return moment ? "I" : "";
}

/// The largest magnitude of each group of moments that count.
std::map<std::string_view, double> LargestOfAxes(const PriorParameters& of) {
  std::map<std::string_view, double> largest;
  for (Eigen::Index k = 0; k < of.values.size(); ++k) {
    const auto name = static_cast<std::size_t>(k);
    const std::string_view axes = AxesOf(ParameterKind(of.names[name]));
    if (of.counts[name] && !axes.empty())
      largest[axes] = std::max(largest[axes], std::abs(of.values[k]));
  }
  return largest;
}

/// relative_std times the largest of a moment's group; nothing if that is 0, and of other kinds.
std::optional<double> SigmaFromAxes(const std::string& kind, const PriorOptions& options,
                                    const PriorParameters& of) {
  if (!options.relative_std) return std::nullopt;
  const double largest = LargestOfAxes(of)[AxesOf(kind)];
  if (largest == 0.0) return std::nullopt;
  return RoundedUp(*options.relative_std * largest);
}

/// Kinds that hold parameters without σ, or their names where others of the kind have one.
std::vector<std::string> Held(const PriorParameters& of, const std::vector<std::string>& without,
                              const std::function<bool(const std::string& kind)>& known) {
  std::vector<std::string> held;
  for (const std::string& kind : KindsOf(without)) {
    if (!known(kind)) continue;
    const auto is_of_kind = [&kind](const std::string& name) {
      return ParameterKind(name) == kind;
    };
    std::vector<std::string> counted;
    for (std::size_t k = 0; k < of.names.size(); ++k) {
      if (of.counts[k]) counted.push_back(of.names[k]);
    }
    if (std::ranges::count_if(counted, is_of_kind) == std::ranges::count_if(without, is_of_kind)) {
      held.push_back(kind);
    } else {
      std::ranges::copy_if(without, std::back_inserter(held), is_of_kind);
    }
  }
  return held;
}

}  // namespace

std::optional<double> SigmaFromLimits(const std::string& kind, const JointLimits& limits) {
  const TermCoefficient* const coefficient = FindCoefficient(kind);
  if (coefficient == nullptr || coefficient->argument == TermArgument::kInput) return std::nullopt;
  double sigma = 0.0;
  for (Eigen::Index joint = 0; joint < limits.effort.size(); ++joint) {
    const double of_joint =
        kPartOfEffort * limits.effort[joint] / DividedBy(*coefficient, limits.velocity[joint]);
    if (std::isfinite(of_joint)) sigma = std::max(sigma, of_joint);
  }
  if (sigma == 0.0) return std::nullopt;
  return RoundedUp(sigma);
}

std::vector<std::string> WithoutSigma(const PriorOptions& options, const PriorParameters& of) {
  std::vector<std::string> without;
  if (!options.relative_std) return without;
  const ParameterLayout layout(of.model);
  const auto of_stated_body = [&](Eigen::Index k) {
    for (int body = -1; body < of.model.body_end(); ++body) {
      if (BodyEntryFor(options.std, of.model.BodyName(body)) == nullptr) continue;
      if (!of.J.col(k).segment<kInertialCount>(layout.Body(body)).isZero(0.0)) return true;
    }
    return false;
  };
  const Eigen::VectorXd magnitudes = Magnitudes(of.values, of.names);
  std::map<std::string_view, double> largest = LargestOfAxes(of);
  for (Eigen::Index k = 0; k < magnitudes.size(); ++k) {
    const std::string& name = of.names[static_cast<std::size_t>(k)];
    const double rounding = kRoundOff * largest[AxesOf(ParameterKind(name))];
    if (!of.counts[static_cast<std::size_t>(k)] || magnitudes[k] > rounding) continue;
    if (EntryFor(options.std, name) == nullptr && !of_stated_body(k)) without.push_back(name);
  }
  return without;
}

std::string StdToPaste(const PriorOptions& options, const PriorParameters& of,
                       const std::vector<std::string>& names) {
  PriorOptions copy = options;
  Json entries = WriteFields(Visit(copy))["std"];
  for (const std::string& kind : KindsOf(names)) {
    std::optional<double> sigma = SigmaFromLimits(kind, of.model.limits());
    if (!sigma) sigma = SigmaFromAxes(kind, options, of);
    entries[kind] = sigma ? Json(*sigma) : Json();
  }
  std::vector<std::string> members;
  for (const auto& [key, sigma] : entries.items()) {
    members.push_back(fmt::format("{}: {}", Json(key).dump(), sigma.dump()));
  }
  return fmt::format("\"std\": {{{}}}", fmt::join(members, ", "));
}

std::optional<Issue> SigmaIssue(const PriorOptions& options, const PriorParameters& of,
                                const std::function<bool(const std::string& kind)>& known) {
  const std::vector<std::string> without = WithoutSigma(options, of);
  if (without.empty()) return std::nullopt;
  const bool one = without.size() == 1;
  const std::string to_paste = StdToPaste(options, of, without);
  const bool has_null = to_paste.find("null") != std::string::npos;
  Issue issue{"/problem/prior/relative_std",
              fmt::format("is relative to 0 for {}: methods that take the prior would leave {} "
                          "there, whatever the data say",
                          ListSome(without), one ? "it" : "them"),
              {fmt::format("say in /problem/prior how far {} may be off{}: {}", one ? "it" : "they",
                           has_null ? "" : ", as from the limits of the joints", to_paste),
               has_null ? "null says that nothing is known, and data alone tell it; a number takes "
                          "its place where limits of effort and speed tell one"
                        : "or that nothing is known of them, by null in place of a number"}};
  const std::vector<std::string> held = Held(of, without, known);
  if (!held.empty()) {
    issue.details.push_back(
        fmt::format("or hold them there on purpose, for every method: \"known\": "
                    "[\"{}\"]",
                    fmt::join(held, "\", \"")));
  }
  return issue;
}

}  // namespace idbench
