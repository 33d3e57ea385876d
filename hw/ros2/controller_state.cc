#include "hw/ros2/controller_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "hw/ros2/message_definition.h"

namespace idbench {
namespace {

constexpr std::size_t kColumns = std::size(kControllerStateColumns);
constexpr std::string_view kPoints[] = {"reference", "feedback", "desired",
                                        "actual",    "error",    "output"};
constexpr std::string_view kQuantities[] = {"positions", "velocities", "accelerations", "effort"};
static_assert(std::size(kPoints) * std::size(kQuantities) == kColumns);

/// A field behind header and joint_names.
struct Part {
  enum class Kind { kPoint, kNames, kMultiDofPoint, kNumber } kind;
  std::size_t point = 0;  ///< Index into kPoints of a kPoint.
};
using Layout = std::vector<Part>;

/// trajectory_msgs/msg/JointTrajectoryPoint: float64[] positions, velocities, accelerations,
/// effort, and the time since the start.
void ReadPoint(CdrReader& reader, std::size_t point, MessageRow& row) {
  std::vector<double> numbers;
  for (std::size_t k = 0; k < std::size(kQuantities); ++k) {
    reader.Doubles(numbers);
    CheckCount(fmt::format("{}.{}", kPoints[point], kQuantities[k]), numbers.size(),
               row.joints.size());
    const std::size_t column = std::size(kQuantities) * point + k;
    for (std::size_t i = 0; i < numbers.size(); ++i) row.values[kColumns * i + column] = numbers[i];
  }
  reader.Int32();
  reader.UInt32();
}

/// trajectory_msgs/msg/MultiDOFJointTrajectoryPoint: transforms, velocities, accelerations, time.
void SkipMultiDofPoint(CdrReader& reader) {
  constexpr std::size_t kTransform = 7;
  constexpr std::size_t kTwist = 6;
  reader.SkipSequence(kTransform);
  reader.SkipSequence(kTwist);
  reader.SkipSequence(kTwist);
  reader.Int32();
  reader.UInt32();
}

/// Returns the number of bytes behind the layout.
std::size_t ReadLayout(std::span<const std::byte> message, const Layout& layout, MessageRow& row) {
  CdrReader reader(message);
  row.stamp_ns = ReadHeader(reader);
  reader.Strings(row.joints);
  row.values.assign(kColumns * row.joints.size(), std::numeric_limits<double>::quiet_NaN());
  std::vector<std::string_view> names;
  for (const Part& part : layout) {
    switch (part.kind) {
      case Part::Kind::kPoint:
        ReadPoint(reader, part.point, row);
        break;
      case Part::Kind::kNames:
        reader.Strings(names);
        break;
      case Part::Kind::kMultiDofPoint:
        SkipMultiDofPoint(reader);
        break;
      case Part::Kind::kNumber:
        reader.Double();
        break;
    }
  }
  return reader.left();
}

std::size_t PointCalled(std::string_view name) {
  return static_cast<std::size_t>(std::ranges::find(kPoints, name) - std::begin(kPoints));
}

/// The layout of a definition, as far as it has known fields. They may be followed by unknown ones.
/// @param[out] whole  whether no unknown one follows.
Layout LayoutOf(std::span<const MessageField> fields, bool& whole) {
  Layout layout;
  whole = false;
  for (const MessageField& field : fields) {
    const std::size_t point = PointCalled(field.name);
    if (field.type == "JointTrajectoryPoint" && point < std::size(kPoints)) {
      layout.push_back({Part::Kind::kPoint, point});
    } else if (field.type == "MultiDOFJointTrajectoryPoint") {
      layout.push_back({Part::Kind::kMultiDofPoint});
    } else if (field.type == "string[]") {
      layout.push_back({Part::Kind::kNames});
    } else if (field.type == "float64") {
      layout.push_back({Part::Kind::kNumber});
    } else {
      return layout;
    }
  }
  whole = true;
  return layout;
}

Layout KnownLayout(std::initializer_list<std::string_view> points, std::size_t multi_dof_points,
                   bool number) {
  Layout layout;
  for (const std::string_view name : points) {
    layout.push_back({Part::Kind::kPoint, PointCalled(name)});
  }
  if (multi_dof_points > 0) layout.push_back({Part::Kind::kNames});
  layout.insert(layout.end(), multi_dof_points, {Part::Kind::kMultiDofPoint});
  if (number) layout.push_back({Part::Kind::kNumber});
  return layout;
}

struct Version {
  std::string_view name;  ///< Of control_msgs.
  Layout layout;
};

std::vector<Version> KnownVersions() {
  return {
      {"1 to 3", KnownLayout({"desired", "actual", "error"}, 0, false)},
      {"4.0 to 4.3", KnownLayout({"desired", "actual", "error"}, 3, false)},
      {"4.4",
       KnownLayout({"reference", "feedback", "error", "output", "desired", "actual"}, 6, false)},
      {"5.0 to 5.2", KnownLayout({"reference", "feedback", "error", "output"}, 4, false)},
      {"5.3", KnownLayout({"reference", "feedback", "error", "output"}, 4, true)},
  };
}

bool Fits(std::span<const std::byte> message, const Layout& layout, MessageRow& row) {
  try {
    return ReadLayout(message, layout, row) <= kMostPadding;
  } catch (const MessageError&) {
    return false;
  }
}

/// Decodes what has no definition.
void DecodeByFit(std::span<const std::byte> message, const std::vector<Version>& versions,
                 MessageRow& row) {
  const Version* fitting = nullptr;
  for (const Version& version : versions) {
    if (!Fits(message, version.layout, row)) continue;
    if (fitting != nullptr) {
      throw MessageError(
          fmt::format("it fits control_msgs {} and {}, and the bag has no definition",
                      fitting->name, version.name));
    }
    fitting = &version;
  }
  if (fitting == nullptr) {
    throw MessageError("it fits no known version of its type, and the bag has no definition",
                       {"known here: control_msgs 1 to 5.3"});
  }
  ReadLayout(message, fitting->layout, row);
}

}  // namespace

MessageDecoder ControllerStateDecoder(const BagTopic& topic) {
  const std::vector<MessageField> fields =
      FieldsOf(topic.type, topic.definition_encoding, topic.definition);
  const bool begins_well = fields.size() > 2 && fields[0].type == "Header" &&
                           fields[1] == MessageField{"string[]", "joint_names"};
  if (!begins_well) {
    return [versions = KnownVersions()](std::span<const std::byte> message, MessageRow& row) {
      DecodeByFit(message, versions, row);
    };
  }
  bool whole = false;
  const Layout layout = LayoutOf(std::span(fields).subspan(2), whole);
  return [layout, whole](std::span<const std::byte> message, MessageRow& row) {
    const std::size_t left = ReadLayout(message, layout, row);
    if (whole) CheckNothingLeft(left);
  };
}

}  // namespace idbench
