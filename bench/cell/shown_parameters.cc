#include "bench/cell/shown_parameters.h"

#include <algorithm>
#include <utility>

#include "robots/dynamics/calibration.h"
#include "robots/dynamics/parameters/base_parameters.h"
#include "scenarios/problem/design_prior.h"

namespace idbench {

void AddPrior(const Robot& robot, const ExcitingMotionOptions& options, int configuration,
              ShownParameters& shown) {
  if (options.prior_std.empty()) return;
  const std::vector<int> considered =
      ConsideredParameters(robot.model, shown.equations, options.design.joint_parameters());
  DesignPrior prior = MakeDesignPrior(robot, options.prior_std,
                                      {shown.equations, considered, shown.friction, configuration});
  shown.known = std::move(prior.known);
  shown.pi_covariance = std::move(prior.pi_covariance);
}

std::vector<ShownParameters> ShownByMotions::Of(const ExperimentOptions& experiment) {
  std::vector<ShownParameters> shown;
  if (!experiment.motion) return shown;
  const int configuration = model_.ConfigurationIndex(experiment.configuration);
  ForEachPart(*experiment.motion, [&]<class Part>(const Part& part, const std::string&) {
    std::optional<DesignOptions> design;
    if constexpr (requires { part.design; }) design = part.design;
    shown.push_back(OfDesign(design, configuration));
  });
  return shown;
}

const ShownParameters& ShownByMotions::OfDesign(const std::optional<DesignOptions>& design,
                                                int configuration) {
  const auto known = std::ranges::find_if(made_, [&](const Made& made) {
    return made.design == design && made.configuration == configuration;
  });
  if (known != made_.end()) return known->shown;
  return made_.emplace_back(design, configuration, Make(design, configuration)).shown;
}

ShownParameters ShownByMotions::Make(const std::optional<DesignOptions>& design,
                                     int configuration) const {
  ShownParameters shown{WithoutDrives(problem_.equations()), problem_.friction, asked_};
  if (design) {
    shown = {design->placed_equations(), {design->coulomb_width_rad_s}, {}};
    shown.columns = ConsideredParameters(model_, shown.equations, design->joint_parameters());
  }
  // As gains, what multiplies what is measured is no function of the motion.
  const int first = ParameterLayout(model_).size() - static_cast<int>(model_.terms().size());
  std::erase_if(shown.columns, [&](int k) {
    return k >= first && IsCalibration(model_.terms()[static_cast<std::size_t>(k - first)]);
  });
  shown.columns =
      FindBaseParameters(model_, shown.equations, shown.columns, shown.friction, {configuration})
          .independent;
  return shown;
}

}  // namespace idbench
