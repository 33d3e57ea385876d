#include "estimators/observers/touch_force.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "estimators/observers/force_fit.h"
#include "estimators/observers/model_residual.h"
#include "estimators/observers/touched_cylinder.h"
#include "robots/dynamics/kinematics.h"

namespace idbench {
namespace {

constexpr double kNoTouch = std::numeric_limits<double>::quiet_NaN();

/// A force/torque sensor S, by the equation of its wrench.
struct Sensor {
  EquationRows rows;
  std::string name;
};

Sensor SensorOf(const Problem& problem, const std::string& name) {
  std::vector<Sensor> sensors;
  std::vector<std::string> names;
  for (const EquationRows& rows : EquationsWithModel(problem)) {
    const RowsFrom source = InfoOf(rows.equation).rows;
    if (source == RowsFrom::kCutRows) {
      sensors.push_back({rows, problem.model.cuts()[static_cast<std::size_t>(rows.cut)].name});
    } else if (source == RowsFrom::kWrenchRows) {
      sensors.push_back({rows, std::string(rows.place())});
    } else {
      continue;
    }
    names.push_back(sensors.back().name);
  }
  if (sensors.empty()) {
    Refuse("takes the wrench of a force/torque sensor, and no equation of the problem has one");
  }
  auto chosen = std::ranges::find(sensors, name, &Sensor::name);
  if (name.empty() && sensors.size() == 1) chosen = sensors.begin();
  if (chosen == sensors.end()) {
    Refuse(fmt::format("sensor: {}, the problem has equations of \"{}\"",
                       name.empty() ? "there are several" : fmt::format("there is no \"{}\"", name),
                       fmt::join(names, "\", \"")));
  }
  if (chosen->rows.count(problem.model) != 6) {
    Refuse(fmt::format("takes all components of the wrench at \"{}\", the problem has {} of them",
                       chosen->name, chosen->rows.count(problem.model)));
  }
  return *chosen;
}

/// The frame of the touched body. @param[out] attached  it is attached to the frame's link.
FixedFrame BodyCalled(const RobotModel& model, const std::string& name, bool& attached) {
  std::vector<std::string> names;
  for (int body = 0; body < model.body_end(); ++body) {
    names.push_back(model.BodyName(body));
    if (names.back() != name) continue;
    attached = body >= model.dofs();
    if (!attached) return {.link = body};
    const AttachedBody& A = model.attached()[static_cast<std::size_t>(body - model.dofs())];
    return {A.link, A.R_LA, A.p_LA_L};
  }
  Refuse(fmt::format("link: there is no \"{}\", the robot has \"{}\"", name,
                     fmt::join(names, "\", \"")));
}

/// The cylinder in the frame of the link that carries the body.
struct TouchedBody {
  int link;
  TouchedCylinder cylinder;
};

TouchedBody TouchedBodyOf(const RobotModel& model, const TouchForceOptions& o,
                          const Sensor& sensor) {
  bool attached = false;
  const FixedFrame body = BodyCalled(model, o.link, attached);
  if (sensor.rows.cut >= 0) {
    const Cut& cut = model.cuts()[static_cast<std::size_t>(sensor.rows.cut)];
    const bool carried =
        body.link >= cut.link && body.link < cut.link + model.subtree_size(cut.link);
    if (!carried || (body.link == cut.link && !cut.link_beyond && !attached)) {
      Refuse(fmt::format("link: \"{}\" is not beyond the sensor \"{}\", which feels no touch there",
                         o.link, sensor.name));
    }
  }
  const Eigen::Vector3d from(o.axis_from_m.data()), to(o.axis_to_m.data());
  return {body.link,
          {.from = body.p_LF_L + body.R_LF * from,
           .axis = body.R_LF * (to - from).normalized(),
           .length = (to - from).norm(),
           .radius = o.radius_m}};
}

/// Forces in base axes and places in the link's frame of all samples, N × 3.
struct Touches {
  Eigen::MatrixXd force, place;
};

/// Finds the touch of one sample.
class TouchFinder {
 public:
  TouchFinder(const RobotModel& model, const FixedFrame& sensor, TouchedBody body,
              const Eigen::MatrixXd& S)
      : model_(model),
        sensor_(sensor),
        body_(std::move(body)),
        S_(S),
        poses_(model.links().size()) {}

  /// @param r  mean residual. @param[out] force, place  NaN if there is no place.
  void Find(const Eigen::VectorXd& q, const Eigen::Matrix<double, 6, 1>& r, Eigen::Vector3d& force,
            Eigen::Vector3d& place) {
    ForwardKinematics(model_, q, poses_);
    const Pose S = PoseOf(sensor_, poses_);
    const Pose L = PoseOf({.link = body_.link}, poses_);
    const Eigen::Matrix3d R_LS = L.R_BL.transpose() * S.R_BL;
    const Eigen::Vector3d p_LS_L = L.R_BL.transpose() * (S.p_BL_B - L.p_BL_B);
    const ForceAndMoment in_S = WrenchOfForce(-r, S_);
    const Eigen::Vector3d f_L = R_LS * in_S.f;
    place = PlaceOfForce(body_.cylinder, {f_L, R_LS * in_S.m + p_LS_L.cross(f_L)});
    force = S.R_BL * ForceAt(R_LS.transpose() * (place - p_LS_L), -r, S_);
  }

 private:
  const RobotModel& model_;
  FixedFrame sensor_;
  TouchedBody body_;
  Eigen::Matrix<double, 6, 6> S_;
  std::vector<Pose> poses_;
};

/// Appends an issue unless there are three numbers.
void CheckPoint(const std::vector<double>& point, const char* where, std::vector<Issue>& issues) {
  if (point.size() == 3) return;
  issues.push_back(
      {where, fmt::format("got a list of {}", point.size()), {"accepted here: x, y, z"}});
}

}  // namespace

FieldTable Visit(TouchForceOptions& o) {
  FieldTable table;
  table.Add(
      "sensor", o.sensor,
      {.doc = "Force/torque sensor whose residual tells the touch, \"base\" for the wrench on "
              "the base; \"\": the only one that the problem has equations of"});
  table.Add("link", o.link, {.doc = "Link or attached body that is touched", .required = true});
  table.Add("axis_from_m", o.axis_from_m,
            {.doc = "End of the axis of the cylinder that is touched, in that body's frame",
             .unit = "m",
             .required = true});
  table.Add("axis_to_m", o.axis_to_m,
            {.doc = "Other end of that axis", .unit = "m", .required = true});
  table.Add("radius_m", o.radius_m,
            {.doc = "Radius of the cylinder",
             .unit = "m",
             .lower = 0.0,
             .upper = kWidestLink,
             .required = true});
  table.Add(
      "least_force_n", o.least_force_n,
      {.doc = "Force below which neither force nor place is told", .unit = "N", .lower = 0.0});
  AddResidualStatistic(o.statistic, table);
  AddDetection(o.detection, table);
  table.Check([&o](std::vector<Issue>& issues) {
    CheckPoint(o.axis_from_m, "/axis_from_m", issues);
    CheckPoint(o.axis_to_m, "/axis_to_m", issues);
    if (!issues.empty() || o.axis_from_m != o.axis_to_m) return;
    issues.push_back({"/axis_to_m",
                      "is axis_from_m: an axis without length has no direction",
                      {"give the other end of the cylinder's axis"}});
  });
  return table;
}

void TouchForce::CheckProblem(const Problem& problem) const {
  Observer::CheckProblem(problem);
  TouchedBodyOf(problem.model, options_, SensorOf(problem, options_.sensor));
}

Observation TouchForce::Watch(const Problem& problem, const Estimate& model,
                              std::span<const Dataset> training, const Dataset& watched) {
  const Sensor sensor = SensorOf(problem, options_.sensor);
  ResidualStatistic statistic(problem, model, {sensor.rows}, options_.statistic);
  const double threshold = ThresholdOf(options_.detection, statistic.Learn(training));
  const ModelResidual residual = statistic.Residual(watched);
  const auto [square, mean] = statistic.Watch(residual, threshold);
  TouchFinder finder(problem.model, FrameOfWrench(problem.model, sensor.rows.cut),
                     TouchedBodyOf(problem.model, options_, sensor), statistic.S());
  Touches touches{Eigen::MatrixXd::Constant(square.size(), 3, kNoTouch),
                  Eigen::MatrixXd::Constant(square.size(), 3, kNoTouch)};
  Eigen::VectorXd q(problem.model.dofs());
  Eigen::Vector3d force, place;
  for (Eigen::Index k = 0; k < square.size(); ++k) {
    if (!(square[k] > threshold) || !residual.r.row(k).allFinite()) continue;
    q = residual.q.row(k).transpose();
    finder.Find(q, mean.row(k).transpose(), force, place);
    if (!place.allFinite() || !(force.norm() >= options_.least_force_n)) continue;
    touches.force.row(k) = force.transpose();
    touches.place.row(k) = place.transpose();
  }
  Observation observation = DetectionOf(residual.time_s, square, threshold, {"free", "contact"});
  observation.series.push_back(ForceSeries(residual.time_s, std::move(touches.force)));
  observation.series.push_back({.name = std::string(kTouchPlace),
                                .columns = {"x", "y", "z"},
                                .units = {"m", "m", "m"},
                                .time_s = residual.time_s,
                                .values = std::move(touches.place)});
  return observation;
}

}  // namespace idbench
