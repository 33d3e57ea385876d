#include "robots/dynamics/parameters/joint_state_parametrisation.h"

#include <string>
#include <utility>
#include <vector>

namespace idbench {

Parametrisation JointStateParametrisation(const RobotModel& model,
                                          const Eigen::Ref<const Eigen::VectorXd>& pi_known) {
  std::vector<std::string> names, units;
  for (const bool velocity : {false, true}) {
    for (const Link& link : model.links()) {
      const bool revolute = link.type == JointType::kRevolute;
      names.push_back(link.joint + (velocity ? ".qd" : ".q"));
      units.push_back(std::string(revolute ? "rad" : "m") + (velocity ? "/s" : ""));
    }
  }
  const auto size = static_cast<Eigen::Index>(names.size());
  Parametrisation state("joint_state", {pi_known, Eigen::MatrixXd::Zero(pi_known.size(), size)},
                        Eigen::MatrixXd::Zero(size, pi_known.size()), std::move(names),
                        std::move(units));
  state.changes = true;
  return state;
}

}  // namespace idbench
