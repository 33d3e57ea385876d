#include "scenarios/problem/robot_options.h"

#include <fmt/format.h>

#include <algorithm>

#include "robots/pose_options.h"

namespace idbench {
namespace {

bool HasDeclaredError(const SetOptions& o) {
  const auto declared = [](const std::optional<ErrorLaw>& law) {
    return law && std::holds_alternative<DeclaredError>(*law);
  };
  return declared(o.density_error) || declared(o.mass_error) || declared(o.inertia_error);
}

void CheckErrors(const SetOptions& o, std::vector<Issue>& issues) {
  const auto check_positive = [&issues](const char* where, const std::optional<ErrorLaw>& law) {
    std::optional<Issue> issue;
    if (law) issue = CheckPositive(*law, where);
    if (issue) issues.push_back(std::move(*issue));
  };
  check_positive("/density_error", o.density_error);
  check_positive("/mass_error", o.mass_error);
  check_positive("/inertia_error", o.inertia_error);
  if (o.com_error && std::holds_alternative<DeclaredError>(*o.com_error)) {
    issues.push_back({"/com_error/type",
                      "got \"declared\", but relative_std declares nothing about centres of mass",
                      {"accepted here: random_sign, uniform, gaussian"}});
  }
}

void CheckDraw(const SetOptions& o, bool draws_more, const char* cure, std::vector<Issue>& issues) {
  if (o.draw == Draw::kTrial && !o.density_error && !o.mass_error && !o.draws_com() &&
      !o.inertia_error && !draws_more) {
    issues.push_back({"/draw", "is \"trial\", but there is nothing to draw", {cure}});
  }
}

/// What contradicts mean_error among the prior's options, see CheckMeanError() for the rest.
void CheckMeanErrorAlone(const PriorOptions& o, std::vector<Issue>& issues) {
  if (!o.mean_error) return;
  if (o.relative_std) {
    issues.push_back(
        {"/mean_error",
         "is given together with relative_std, which is no σ that a mean can be drawn with",
         {"draw errors of bodies with it, in place of mean_error: \"mass_error\": {\"type\": "
          "\"declared\"}, \"inertia_error\": {\"type\": \"declared\"}",
          "or state σ by kind, \"std\", in place of relative_std"}});
  } else if (o.std.empty()) {
    issues.push_back({"/mean_error",
                      "is given without std, with which it draws",
                      {"state σ by kind: \"std\": {\"body\": 0.2, \"fv\": 1}"}});
  }
  if (!o.unknown_scale.empty()) {
    issues.push_back({"/unknown_scale",
                      "is given together with mean_error, whose draws it would spoil",
                      {"remove one of the two"}});
  }
}

/// What contradicts unknown_error among the prior's options.
void CheckUnknownErrorAlone(const PriorOptions& o, std::vector<Issue>& issues) {
  if (!o.unknown_error) return;
  if (std::holds_alternative<DeclaredError>(*o.unknown_error)) {
    issues.push_back({"/unknown_error/type",
                      "got \"declared\", but no σ is declared of the unknowns as they are",
                      {"accepted here: random_sign, uniform, gaussian"}});
  }
  const bool of_bodies = o.density_error || o.mass_error || o.draws_com() || o.inertia_error;
  for (const auto& [given, key] :
       {std::pair(o.mean_error.has_value(), "mean_error"),
        std::pair(!o.unknown_scale.empty(), "unknown_scale"),
        std::pair(of_bodies, "an error of bodies"), std::pair(!o.mean.empty(), "mean")}) {
    if (!given) continue;
    issues.push_back({"/unknown_error",
                      fmt::format("is given together with {}", key),
                      {"remove one of the two: it draws all means about the truth"}});
  }
}

FieldTable SetFields(SetOptions& o) {
  FieldTable table;
  table.Add("set", o.set, {.doc = "Name of a parameter set of the robot; empty: its nominal set"})
      .Add("mass_scale", o.mass_scale,
           {.doc = "Factor on all masses; centres of mass stay", .lower = 0.0, .lower_open = true})
      .Add("inertia_scale", o.inertia_scale,
           {.doc = "Factor on all inertias about the centres of mass",
            .lower = 0.0,
            .lower_open = true})
      .Add("density_error", o.density_error,
           {.doc = "Relative error of each body's density, drawn: its mass and its inertia times "
                   "one factor; null: none"})
      .Add("mass_error", o.mass_error, {.doc = "Relative error of each mass, drawn; null: none"})
      .Add("com_error", o.com_error,
           {.doc = "Error of each coordinate of the centres of mass, drawn, relative to the body's "
                   "radius of gyration √(tr I_com/(2m)); null: none"})
      .Add(
          "com_error_std_m", o.com_error_std_m,
          {.doc = "Standard deviation of a normal error of each coordinate of the centres of mass, "
                  "drawn; null: none",
           .unit = "m",
           .lower = 0.0,
           .lower_open = true})
      .Add("inertia_error", o.inertia_error,
           {.doc = "Relative error of each principal moment of inertia about the centre of mass, "
                   "drawn; null: none"})
      .Add("draw", o.draw,
           {.doc = "Errors drawn once for all trials (cell), or anew in every trial (trial)"})
      .Add("terms", o.terms,
           {.doc =
                "Values of the robot's own terms by name (\"motor6.fc\"), in SI units, in place of "
                "those of the set; a term that neither names is 0"})
      .Check([&o](std::vector<Issue>& issues) { CheckErrors(o, issues); });
  return table;
}

}  // namespace

constexpr const char* kErrorsOfSets = "give density_error, mass_error, com_error or inertia_error";

FieldTable Visit(SetOptions& o) {
  FieldTable table = SetFields(o);
  table.Check([&o](std::vector<Issue>& issues) { CheckDraw(o, false, kErrorsOfSets, issues); });
  return table;
}

FieldTable Visit(PriorOptions& o) {
  FieldTable table = SetFields(o);
  table
      .Add("relative_std", o.relative_std,
           {.doc = "Standard deviation relative to the prior value; for a log-Cholesky body that "
                   "of its mass, and as much in every other direction of the entropic distance; "
                   "null: no covariance, unless std or std_of_bounds is given",
            .lower = 0.0,
            .lower_open = true})
      .Add("std", o.std,
           {.doc =
                "Standard deviations by kind (\"fc\", \"offset\") or name (\"joint3.fc\", which "
                "comes "
                "before its kind) in the unit of the parameter, with base parameters those of the "
                "standard parameters; of \"body\", or a body by its name, relative: of its mass, "
                "and "
                "as much in every other direction of the entropic distance, in any frame; null: "
                "nothing is known of it, and data alone tell it; what is not named has "
                "relative_std",
            .lower = 0.0,
            .lower_open = true})
      .Add("mean", o.mean,
           {.doc =
                "Means of friction, rotor inertias, offsets and gains, by kind or name as in std, "
                "in place of those of the set"})
      .Add(
          "known", o.known,
          {.doc =
               "Patterns of kinds, names or bodies (\"ia\", \"joint{1..3}.fv\", \"link2\") that no "
               "method estimates: they are held at the prior's mean, and are no unknowns"})
      .Add("mean_error", o.mean_error,
           {.doc = "\"declared\": of a simulation, the truth is a draw from what the prior states: "
                   "the mean of each unknown that std gives a σ is drawn about the truth, of a "
                   "\"body\" in the metric of the drawn prior, of others normally; estimators get "
                   "the drawn mean; null: no such error is drawn"})
      .Add("std_of_bounds", o.std_of_bounds,
           {.doc = "Factor c of the standard deviation c·(upper − mean)(mean − lower)/(upper − "
                   "lower), in place of relative_std: in the middle of two bounds c/4 of their "
                   "distance, and the identity in the state of a sigmoid of slope c",
            .lower = 0.0,
            .lower_open = true})
      .Add("unknown_scale", o.unknown_scale,
           {.doc = "Factors on the prior's mean, one per unknown in their order, for a rough guess "
                   "of each; empty: all 1"})
      .Add("unknown_error", o.unknown_error,
           {.doc = "Relative error of each unknown's mean about its true value in a simulation, "
                   "drawn, in place of the mean of the set; null: none"})
      .Check([&o](std::vector<Issue>& issues) {
        if (!o.std_of_bounds || (!o.relative_std && o.std.empty())) return;
        issues.push_back(
            {"/std_of_bounds",
             fmt::format("is given together with {}", o.relative_std ? "relative_std" : "std"),
             {"give only one of them"}});
      })
      .Check([&o](std::vector<Issue>& issues) {
        if (!HasDeclaredError(o) || (o.relative_std && *o.relative_std <= kGreatestDeclared))
          return;
        issues.push_back({"/relative_std",
                          o.relative_std
                              ? fmt::format("got {}, above {}", *o.relative_std, kGreatestDeclared)
                              : "missing, but an error of the type \"declared\" is given",
                          {"such an error is drawn with this standard deviation"}});
      });
  table.Check([&o](std::vector<Issue>& issues) {
    CheckDraw(o, DrawsAboutTruth(o),
              "give mean_error, unknown_error, density_error, mass_error, com_error or "
              "inertia_error",
              issues);
    CheckMeanErrorAlone(o, issues);
    CheckUnknownErrorAlone(o, issues);
  });
  return table;
}

FieldTable Visit(TruthOptions& o) {
  FieldTable table = SetFields(o);
  table.Check([&o](std::vector<Issue>& issues) { CheckDraw(o, false, kErrorsOfSets, issues); });
  AddFields(table, o.joints);
  table.Add("imu_offset_m", o.imu_offset_m,
            {.doc = "Offset of the true IMU from the point /robot/imu/point_m, in the link's frame",
             .unit = "m"});
  table.Check(
      [&o](std::vector<Issue>& issues) { CheckThree(o.imu_offset_m, "/imu_offset_m", issues); });
  table.Check([&o](std::vector<Issue>& issues) {
    if (!HasDeclaredError(o)) return;
    issues.push_back({"",
                      "an error of the type \"declared\" is for priors only",
                      {"accepted here: random_sign, uniform, gaussian"}});
  });
  return table;
}

FieldTable Visit(EndEffectorOptions& o) {
  FieldTable table;
  table.Add("link", o.link, {.doc = "Link that the end effector is fixed to; empty: the last one"})
      .Add("point_m", o.point_m,
           {.doc = "Position of the end effector in the link's frame", .unit = "m"})
      .Check([&o](std::vector<Issue>& issues) { CheckThree(o.point_m, "/point_m", issues); });
  return table;
}

FieldTable Visit(ImuOptions& o) {
  FieldTable table;
  table
      .Add("link", o.link,
           {.doc = "Link that the IMU is fixed to; its axes are the IMU's", .required = true})
      .Add("point_m", o.point_m, {.doc = "Position of the IMU in the link's frame", .unit = "m"})
      .Check([&o](std::vector<Issue>& issues) { CheckThree(o.point_m, "/point_m", issues); });
  return table;
}

FieldTable Visit(DistanceMeterOptions& o) {
  FieldTable table;
  table.Add("link", o.link, {.doc = "Link that the distance meter is fixed to", .required = true})
      .Add("point_m", o.point_m,
           {.doc = "Position of the distance meter in the link's frame", .unit = "m"})
      .Add("axis", o.axis,
           {.doc = "Viewing direction in the link's frame, of any length; the ground is the "
                   "horizontal plane through the base's origin"})
      .Check([&o](std::vector<Issue>& issues) {
        CheckThree(o.point_m, "/point_m", issues);
        CheckThree(o.axis, "/axis", issues);
        if (std::ranges::any_of(o.axis, [](double x) { return x != 0.0; })) return;
        issues.push_back({"/axis", "got a vector of length 0", {}});
      });
  return table;
}

FieldTable Visit(RobotOptions& o) {
  FieldTable table;
  table.Add("model", o.model,
            {.doc = "Name of a robot of `idbench list`, or path of an MJCF or URDF file",
             .required = true});
  AddFields(table, o.part);
  table
      .Add("end_effector", o.end_effector,
           {.doc = "Reference point of end_effector_wrench; null: the origin of the last link"})
      .Add("imu", o.imu,
           {.doc = "Place of the IMU, with the sensors accelerometer and gyroscope, that "
                   "estimators assume; null: none"})
      .Add("distance_meter", o.distance_meter,
           {.doc = "Place and direction of the distance meter, the sensor distance; null: none"})
      .Add("force_torque_sensors", o.force_torque_sensors,
           {.doc = "Force/torque sensors inside the robot by name, the sensors of /sensors/wrench, "
                   "beside those of its robot.json"})
      .Add("terms", o.terms,
           {.doc = "Terms that the robot has, beside friction and rotor inertia of each joint and "
                   "the terms of its robot.json and of /problem/terms"})
      .Add("truth", o.truth, {.doc = "Simulated robot: its true parameters and joints"});
  return table;
}

}  // namespace idbench
