#include "bench/run/motion.h"

#include <cmath>
#include <vector>

#include "robots/stick_figure.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

/// With 4 decimals; tenths of a millimetre are more than a figure shows. −0 is 0.
template <typename Row>
std::vector<double> FourDecimals(const Row& values) {
  std::vector<double> rounded;
  for (const double value : values) rounded.push_back(std::round(value * 1e4) / 1e4 + 0.0);
  return rounded;
}

}  // namespace

Json MotionOf(const Robot& robot, const Eigen::MatrixXd& q) {
  const RobotModel& model = robot.model;
  StickFigure figure(robot);
  Json motion = {{"gravity", std::vector<double>(model.gravity().begin(), model.gravity().end())},
                 {"frames", figure.names()},
                 {"parents", figure.parents()},
                 {"joints", model.joint_names()}};
  for (const Link& link : model.links()) {
    if (link.type == JointType::kPrismatic) motion["units"][link.joint] = "m";
  }
  motion["q"] = Json::array();
  motion["points"] = Json::array();
  for (const auto& instant : q.rowwise()) {
    motion["q"].push_back(FourDecimals(instant));
    Json points = Json::array();
    for (const auto& point : figure.At(instant.transpose()).rowwise()) {
      points.push_back(FourDecimals(point));
    }
    motion["points"].push_back(std::move(points));
  }
  return motion;
}

}  // namespace idbench
