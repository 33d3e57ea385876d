#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "scenarios/options/config_error.h"
#include "scenarios/options/fields.h"

namespace idbench {

/// Patterns of names, see ExpandPattern(): a text or a list of texts in JSON.
struct NamePatterns {
  std::vector<std::string> patterns;

  bool operator==(const NamePatterns&) const = default;
};
template <>
struct Binding<NamePatterns> {
  static void Read(const Json& json, const std::string& pointer, const FieldInfo& info,
                   NamePatterns& value, std::vector<Issue>& issues);
  static void Write(const NamePatterns& value, Json& json);
  static void Schema(const FieldInfo& info, const NamePatterns& value, Json& schema);
};

/// Which part of a model file is the robot, and which of its joints move.
///
/// Joints that do not move are held at a position; their bodies are fused into the link that
/// carries them, as if the file had no joint there.
struct RobotPart {
  std::string root;     ///< Body whose subtree is the robot and whose frame is the base's; "": all.
  NamePatterns joints;  ///< Joints that move; empty: all that hang on the root.
  Labelled<double> held_at;  ///< Positions of the others [rad or m]; 0 of those that are missing.

  bool operator==(const RobotPart&) const = default;

  /// Whether nothing is asked for: the robot is what the file holds.
  bool whole() const { return root.empty() && joints.patterns.empty() && held_at.empty(); }
};
FieldTable Visit(RobotPart& part);
/// Adds its fields to the table of a struct that has them in the same JSON object.
void AddFields(FieldTable& table, RobotPart& part);

/// What a model file does not have, or a RobotPart contradicts. The pointers of its issues are
/// those of the part: "/root", "/joints", "/held_at/…".
class PartError : public ConfigError {
 public:
  PartError(const std::filesystem::path& file, std::vector<Issue> issues)
      : ConfigError(file.string(), std::move(issues)) {}
};

/// Joint of a model file that does not move.
struct HeldJoint {
  std::string name;
  std::string body;       ///< Body that it would move.
  double position = 0.0;  ///< [rad or m]; 0 for a ball or free joint, which is as the file has it.
};

/// Returns "finger1 at 0.03, …" for sentences; "" if no joint is held.
std::string HeldPlaces(const std::vector<HeldJoint>& held);

}  // namespace idbench
