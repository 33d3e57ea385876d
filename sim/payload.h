#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "robots/dynamics/parameters.h"
#include "scenarios/options/fields.h"

namespace idbench {

/// A payload is fixed to a link from `at_s` on. It arrives with the velocity of the link.
struct AttachOptions {
  static constexpr std::string_view kType = "attach";
  double at_s = 0.0;
  std::string payload = "payload";  ///< Its name among the payloads of the experiment.
  std::string link = "";            ///< "": the robot's last link.
  double mass_kg = 0.0;
  std::vector<double> com_m = {0.0, 0.0, 0.0};  ///< Centre of mass in the link's frame.
  /// Edges of a uniform box, parallel to the link's axes.
  std::optional<std::vector<double>> size_m = std::nullopt;
  /// About the centre of mass, in the link's axes: Ixx, Iyy, Izz, or these and Ixy, Ixz, Iyz.
  /// Without it and without a size the payload is a point.
  std::optional<std::vector<double>> inertia_kgm2 = std::nullopt;

  bool operator==(const AttachOptions&) const = default;
};
/// Refuses lists of another length, two statements of the inertia, and one that no body has.
FieldTable Visit(AttachOptions& options);

/// From `at_s` on the payload is gone.
struct DetachOptions {
  static constexpr std::string_view kType = "detach";
  double at_s = 0.0;
  std::string payload = "payload";

  bool operator==(const DetachOptions&) const = default;
};
FieldTable Visit(DetachOptions& options);

/// The payload's mass changes linearly to `mass_kg`, its inertia in proportion, its centre of mass
/// stays: a vessel that is filled or emptied. What comes or goes has the velocity of the link.
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

/// What one attachment of a payload adds to a link, and how much of it is there when.
struct Payload {
  int link = 0;            ///< Index of the link.
  CentralInertia inertia;  ///< When all of it is there; `com` in the link's frame.
  /// (time [s], part of it that is there), times in order: linear in between, 0 before, the last
  /// one ever after. Of two entries of one time the later one counts from that time on.
  std::vector<std::pair<double, double>> parts;

  /// Times are compared to within 1 ns: an event at 0.3 s acts in the sample at 1200·0.00025 s.
  double PartAt(double t) const;
};

/// What contradicts the robot or itself: an unknown link, a payload that is attached twice, or
/// changed while it is not attached or by two events at a time; the events of a payload have to be
/// in the order of their times. @param where  JSON pointer of the events.
std::vector<Issue> CheckPayloadEvents(const std::vector<PayloadEventOptions>& events,
                                      const std::string& where, const RobotModel& model);

/// One entry for each "attach". The events must have no issue.
std::vector<Payload> MakePayloads(const std::vector<PayloadEventOptions>& events,
                                  const RobotModel& model);

}  // namespace idbench
