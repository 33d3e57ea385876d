#include "scenarios/problem/parameter_bounds.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>

#include "scenarios/problem/parameter_kind.h"
#include "scenarios/problem/parametrisations.h"

namespace idbench {
namespace {

/// What cannot be negative.
bool IsPositive(std::string_view kind) {
  static constexpr auto kOfBodies =
      std::to_array<std::string_view>({"m", "Ixx", "Iyy", "Izz", "J", "J1", "J2", "J3"});
  if (std::ranges::find(kOfBodies, kind) != kOfBodies.end()) return true;
  const TermCoefficient* const term = FindCoefficient(kind);
  return term != nullptr && term->positive;
}

std::string BodyOf(const std::string& name) { return name.substr(0, name.rfind('.')); }

/// @param of_all  bounds unknowns of either sign, too.
void BoundByFactors(const ParametrisationOptions& options, bool of_all, const Eigen::VectorXd& mean,
                    Parametrisation& parameters) {
  const auto& lower = options.lower_prior_factor;
  const auto& upper = options.upper_prior_factor;
  for (Eigen::Index k = 0; k < parameters.size(); ++k) {
    const std::string kind = ParameterKind(parameters.names[static_cast<std::size_t>(k)]);
    if (!of_all && !IsPositive(kind)) continue;
    if (lower) parameters.lower[k] = std::min(*lower * mean[k], upper.value_or(*lower) * mean[k]);
    if (upper) parameters.upper[k] = std::max(*upper * mean[k], lower.value_or(*upper) * mean[k]);
  }
}

void BoundProducts(Parametrisation& parameters) {
  const std::map<std::string, std::string> third = {
      {"Ixy", ".Izz"}, {"Ixz", ".Iyy"}, {"Iyz", ".Ixx"}};
  for (std::size_t k = 0; k < parameters.names.size(); ++k) {
    const auto axis = third.find(ParameterKind(parameters.names[k]));
    if (axis == third.end()) continue;
    const auto moment =
        std::ranges::find(parameters.names, BodyOf(parameters.names[k]) + axis->second);
    if (moment == parameters.names.end()) continue;
    const auto at = static_cast<Eigen::Index>(k);
    parameters.upper[at] = 0.5 * parameters.upper[moment - parameters.names.begin()];
    parameters.lower[at] = -parameters.upper[at];
  }
}

void BoundFirstMoments(const RobotModel& model, double reach_m, const Eigen::VectorXd& pi,
                       Parametrisation& parameters) {
  const ParameterLayout layout(model);
  for (int body = -1; body < model.body_end(); ++body) {
    const std::string& name = model.BodyName(body);
    for (const char* axis : {".mcx", ".mcy", ".mcz"}) {
      const auto unknown = std::ranges::find(parameters.names, name + axis);
      if (unknown == parameters.names.end()) continue;
      const auto at = unknown - parameters.names.begin();
      parameters.upper[at] = reach_m * pi[layout.Body(body)];
      parameters.lower[at] = -parameters.upper[at];
    }
  }
}

void BoundAsStated(const std::string& which, const std::vector<double>& bounds,
                   Parametrisation& parameters) {
  bool found = false;
  for (std::size_t k = 0; k < parameters.names.size(); ++k) {
    if (parameters.names[k] != which && ParameterKind(parameters.names[k]) != which) continue;
    const auto at = static_cast<Eigen::Index>(k);
    parameters.lower[at] = bounds[0];
    parameters.upper[at] = bounds[1];
    found = true;
  }
  if (found) return;
  throw std::invalid_argument(
      fmt::format("\"bounds\" names '{}', but no unknown has this name; unknowns are called {} …, "
                  "and kinds of them {} …",
                  which, parameters.names.front(), ParameterKind(parameters.names.front())));
}

}  // namespace

void SetBounds(const RobotModel& model, const ParametrisationOptions& options,
               const Eigen::VectorXd& pi, const Eigen::VectorXd& mean,
               Parametrisation& parameters) {
  const bool of_all = KindNamed(options.type).factors_bound_all;
  BoundByFactors(options, of_all, mean, parameters);
  if (options.upper_prior_factor && !of_all) BoundProducts(parameters);
  if (options.first_moment_reach_m) {
    BoundFirstMoments(model, *options.first_moment_reach_m, pi, parameters);
  }
  // A kind holds for all, a full name for one: names last.
  for (const bool by_name : {false, true}) {
    for (const auto& [which, bounds] : options.bounds) {
      if ((which.find('.') != std::string::npos) == by_name) {
        BoundAsStated(which, bounds, parameters);
      }
    }
  }
}

Eigen::VectorXd SigmaWithinBounds(const Parametrisation& parameters, const Eigen::VectorXd& mean,
                                  double fraction) {
  Eigen::VectorXd sigma(mean.size());
  for (Eigen::Index k = 0; k < mean.size(); ++k) {
    const double above = mean[k] - parameters.lower[k], below = parameters.upper[k] - mean[k];
    if (!(above > 0.0 && below > 0.0 && std::isfinite(above + below))) {
      throw std::invalid_argument(fmt::format(
          "std_of_bounds: the prior of {} is {:g}, which is not inside its bounds {:g} and {:g}",
          parameters.names[static_cast<std::size_t>(k)], mean[k], parameters.lower[k],
          parameters.upper[k]));
    }
    sigma[k] = fraction * above * below / (above + below);
  }
  return sigma;
}

}  // namespace idbench
