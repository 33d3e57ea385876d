#include "robots/robot_part.h"

#include <fmt/format.h>

#include "scenarios/options/json.h"

namespace idbench {

void Binding<NamePatterns>::Read(const Json& json, const std::string& pointer,
                                 const FieldInfo& info, NamePatterns& value,
                                 std::vector<Issue>& issues) {
  if (json.is_string()) {
    value.patterns.assign(1, "");
    return Binding<std::string>::Read(json, pointer, info, value.patterns[0], issues);
  }
  if (!json.is_array()) {
    return binding_internal::WrongType(json, pointer, "a text or a list of texts", issues);
  }
  Binding<std::vector<std::string>>::Read(json, pointer, info, value.patterns, issues);
}

void Binding<NamePatterns>::Write(const NamePatterns& value, Json& json) {
  Binding<std::vector<std::string>>::Write(value.patterns, json);
}

void Binding<NamePatterns>::Schema(const FieldInfo& info, const NamePatterns& value, Json& schema) {
  Json one, several;
  Binding<std::string>::Schema(info, "", one);
  Binding<std::vector<std::string>>::Schema(info, value.patterns, several);
  schema = {{"anyOf", {one, several}}};
}

void AddFields(FieldTable& table, RobotPart& o) {
  table
      .Add("root", o.root,
           {.doc = "Body of the model file whose subtree is the robot, and whose frame is the "
                   "base's; the rest of the file is left out; empty: all of it"})
      .Add(
          "joints", o.joints,
          {.doc = "Joints that move, as patterns (\"joint{1..7}\"); the others are held, and their "
                  "bodies belong to the link that carries them; empty: all that hang on the root"})
      .Add("held_at", o.held_at,
           {.doc = "Positions of joints that are held, by name, in rad or m; 0 of those that are "
                   "missing"});
}

FieldTable Visit(RobotPart& o) {
  FieldTable table;
  AddFields(table, o);
  return table;
}

std::string HeldPlaces(const std::vector<HeldJoint>& held) {
  std::vector<std::string> places;
  for (const HeldJoint& joint : held) {
    places.push_back(fmt::format("{} at {:.6g}", joint.name, joint.position));
  }
  return places.empty() ? "" : ListSome(places);
}

}  // namespace idbench
