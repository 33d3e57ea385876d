#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "robots/dynamics/parameters.h"
#include "robots/robot.h"
#include "scenarios/options/fields.h"

namespace idbench {

/// Fixes a payload to a link from `at_s` on. It arrives with the velocity of the link.
struct AttachOptions {
  static constexpr std::string_view kType = "attach";
  double at_s = 0.0;
  std::string payload = "payload";  ///< Its name among the payloads of the experiment.
  std::string link = "";            ///< Body of the model file; "": the robot's last link.
  double mass_kg = 0.0;
  std::vector<double> com_m = {0.0, 0.0, 0.0};  ///< Centre of mass in that body's frame.
  /// Edges of a uniform box, parallel to the body's axes [m].
  std::optional<std::vector<double>> size_m = std::nullopt;
  /// About the centre of mass, in the body's axes: Ixx, Iyy, Izz, optionally followed by Ixy, Ixz,
  /// Iyz. Without it and without a size the payload is a point.
  std::optional<std::vector<double>> inertia_kgm2 = std::nullopt;

  bool operator==(const AttachOptions&) const = default;
};
/// The table refuses lists of another length, two statements of the inertia, and an
/// impossible inertia.
FieldTable Visit(AttachOptions& options);

/// Removes a payload at `at_s`.
struct DetachOptions {
  static constexpr std::string_view kType = "detach";
  double at_s = 0.0;
  std::string payload = "payload";

  bool operator==(const DetachOptions&) const = default;
};
FieldTable Visit(DetachOptions& options);

/// Changes the payload's mass linearly to `mass_kg` and its inertia in proportion; its centre of
/// mass stays: a vessel that is filled or emptied. What comes or goes has the velocity of the link.
struct RampOptions {
  static constexpr std::string_view kType = "ramp";
  double from_s = 0.0;
  double to_s = 0.0;
  double mass_kg = 0.0;
  std::string payload = "payload";

  bool operator==(const RampOptions&) const = default;
};
FieldTable Visit(RampOptions& options);

using PayloadEventOptions = std::variant<AttachOptions, DetachOptions, RampOptions>;

/// What one attachment of a payload adds to a link, and how much of it is present at which time.
struct Payload {
  int link = 0;            ///< Index of the link.
  CentralInertia inertia;  ///< Of the whole payload; `com` in the link's frame.
  /// (time [s], part that is present), in order of time: linear in between, 0 before the first,
  /// constant after the last. Of two entries with equal time the later one applies from then on.
  std::vector<std::pair<double, double>> parts;

  /// Returns the part that is present at time t. Times are compared to within 1 ns: an event at 0.3
  /// s acts in the sample at 1200·0.00025 s.
  double PartAt(double t) const;
};

/// Returns the contradictions with the robot or among the events: an unknown link, a payload that
/// is attached twice, or changed while it is not attached or by two events at a time. The events of
/// a payload must be in order of time.
/// @param where  JSON pointer of the events.
std::vector<Issue> CheckPayloadEvents(const std::vector<PayloadEventOptions>& events,
                                      const std::string& where, const Robot& robot);

/// Returns what is attached in a configuration, present at all times.
/// @param configuration  index into RobotModel::configurations().
/// @param pi             see ParameterLayout.
std::vector<Payload> AttachedPayloads(const RobotModel& model, int configuration,
                                      const Eigen::Ref<const Eigen::VectorXd>& pi);

/// Makes one entry for each "attach". The events must have no issue.
std::vector<Payload> MakePayloads(const std::vector<PayloadEventOptions>& events,
                                  const Robot& robot);

}  // namespace idbench
