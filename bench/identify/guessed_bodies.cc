#include "bench/identify/guessed_bodies.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "robots/physical_inertia.h"
#include "robots/robot_file.h"

namespace idbench {
namespace {

constexpr double kMassPerLength = 10.0;  ///< [kg/m]
constexpr double kRadiusPerLength = 0.1;
/// Links shorter than this, as of wrists whose axes meet, count as so long [m].
constexpr double kLeastLength = 0.05;

/// Where the next link begins, in the frame of this one; 0 of the last one.
Eigen::Vector3d NextOrigin(const RobotModel& model, int link) {
  Eigen::Vector3d farthest = Eigen::Vector3d::Zero();
  for (int i = link + 1; i < model.dofs(); ++i) {
    if (model.link(i).parent != link) continue;
    if (model.link(i).p0.norm() > farthest.norm()) farthest = model.link(i).p0;
  }
  return farthest;
}

/// π of a body.
InertialParameters Rod(const Eigen::Vector3d& to) {
  const double length = std::max(to.norm(), kLeastLength);
  const Eigen::Vector3d along =
      to.norm() > 0.0 ? Eigen::Vector3d(to.normalized()) : Eigen::Vector3d::UnitZ();
  const double mass = kMassPerLength * length, radius = kRadiusPerLength * length;
  const double about = 0.5 * mass * radius * radius;
  const double across = mass * (3.0 * radius * radius + length * length) / 12.0;
  CentralInertia rod;
  rod.mass = mass;
  rod.com = 0.5 * length * along;
  rod.I_com = across * Eigen::Matrix3d::Identity() + (about - across) * along * along.transpose();
  return ToStandard(rod);
}

bool HasRobotFile(const Robot& robot) {
  return std::ranges::any_of(robot.files,
                             [](const auto& file) { return file.filename() == kRobotFile; });
}

}  // namespace

std::optional<GuessedBodies> GuessBodies(const Robot& whole) {
  if (HasRobotFile(whole)) return std::nullopt;
  const ParameterLayout layout(whole.model);
  ParameterSet set = *whole.FindSet("");
  GuessedBodies guessed;
  for (int i = 0; i < whole.model.dofs(); ++i) {
    auto body = set.pi.segment<kInertialCount>(layout.Body(i));
    if (whole.model.link(i).massless || !WhyUnphysical(FromStandard(body))) continue;
    const CentralInertia written = FromStandard(body);
    const bool nothing = !(written.mass > 0.0) || written.I_com.isZero(0.0);
    (nothing ? guessed.guessed : guessed.mended).push_back(whole.model.BodyName(i));
    body = nothing ? Rod(NextOrigin(whole.model, i)) : ToStandard(MadePhysical(written, 0.0));
  }
  if (guessed.guessed.empty() && guessed.mended.empty()) return std::nullopt;
  set.name = "guessed";
  set.source = fmt::format("{}, and rods of {} kg/m or the nearest bodies where its own cannot be",
                           whole.file.filename().string(), kMassPerLength);
  const std::string model = std::filesystem::absolute(whole.file).lexically_normal().string();
  // Without a robot.json its limits are those that the model file states.
  guessed.description =
      ToText(DescribeRobot(whole.model, set, model, whole.title, whole.model.limits().velocity));
  return guessed;
}

}  // namespace idbench
