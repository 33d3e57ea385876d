#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "scenarios/options/draw.h"
#include "scenarios/options/fields.h"

namespace idbench {

/// Axes in which the direction of a force from outside is fixed.
enum class ForceAxes : std::uint8_t {
  kLink,  ///< Those of the body that is touched: the force turns with it.
  kBase,  ///< Those of the robot's base.
};
template <>
inline constexpr auto kEnumNames<ForceAxes> =
    std::to_array<EnumName<ForceAxes>>({{ForceAxes::kLink, "link"}, {ForceAxes::kBase, "base"}});

/// A force at a point that is fixed to a link: it rises linearly, holds, and falls linearly.
struct TouchOptions {
  static constexpr std::string_view kType = "touch";
  std::string link;                               ///< Body of the model file, or attached body.
  std::vector<double> point_m = {0.0, 0.0, 0.0};  ///< In that body's frame.
  std::vector<double> force_n;                    ///< While it holds.
  ForceAxes axes = ForceAxes::kLink;
  double from_s = 0.0;
  double ramp_s = 0.0;  ///< Of the rise, and of the fall.
  double hold_s = 0.0;

  bool operator==(const TouchOptions&) const = default;
};
/// The table refuses lists of another length, a force of zero and one that lasts no time.
FieldTable Visit(TouchOptions& options);

/// A short force at such a point: half a sine of that impulse.
struct PushOptions {
  static constexpr std::string_view kType = "push";
  std::string link;
  std::vector<double> point_m = {0.0, 0.0, 0.0};
  std::vector<double> impulse_ns;
  ForceAxes axes = ForceAxes::kLink;
  double at_s = 0.0;
  double duration_s = 0.0;

  bool operator==(const PushOptions&) const = default;
};
/// The table refuses lists of another length, and an impulse of zero.
FieldTable Visit(PushOptions& options);

/// Touches of one link that are drawn, one after the other until the experiment ends: a gap, then a
/// touch from outside at a cylinder about the link.
///
/// Gap, ramp and hold are uniform, the force's magnitude is log-uniform, its place uniform on the
/// cylinder. It points inwards, with a part along the cylinder's surface in a uniform direction;
/// both are fixed in the link's axes.
struct DrawnTouchesOptions {
  static constexpr std::string_view kType = "drawn_touches";
  std::string link;
  std::vector<double> axis_from_m,
      axis_to_m;  ///< Ends of the cylinder's axis, in that body's frame.
  double radius_m = 0.0;
  double tangential_fraction = 0.0;  ///< Force along the surface, per force onto it.
  std::vector<double> force_n;       ///< Least and greatest, as the following.
  std::vector<double> ramp_s, hold_s, gap_s;
  Draw draw = Draw::kCell;

  bool operator==(const DrawnTouchesOptions&) const = default;
};
/// The table refuses lists of another length, ranges in the wrong order, an axis without length, a
/// force of zero and touches that may last almost no time.
FieldTable Visit(DrawnTouchesOptions& options);

using TouchEventOptions = std::variant<TouchOptions, PushOptions, DrawnTouchesOptions>;

/// Returns "10 N on forearm from 2 s to 3.4 s", "1 N·s on hand at 5 s", "touches of forearm with
/// 0.5 to 10 N, drawn per trial" …. The options must have no issue.
std::string Describe(const TouchEventOptions& touch);

/// Returns the body that a touch names.
const std::string& LinkOf(const TouchEventOptions& touch);

}  // namespace idbench
