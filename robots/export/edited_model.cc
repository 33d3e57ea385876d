#include "robots/export/edited_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <pugixml.hpp>
#include <set>
#include <sstream>
#include <string_view>

#include "robots/export/edited_joints.h"
#include "robots/export/written_model.h"
#include "robots/mjspec.h"
#include "robots/model_reader.h"
#include "robots/model_text.h"
#include "scenarios/options/config_error.h"

namespace idbench {
namespace {

/// All that a file holds is kept, blanks between elements too.
constexpr unsigned kKeepAll = pugi::parse_default | pugi::parse_comments | pugi::parse_pi |
                              pugi::parse_declaration | pugi::parse_doctype | pugi::parse_ws_pcdata;

void Parse(const std::filesystem::path& file, pugi::xml_document& document) {
  const pugi::xml_parse_result result = document.load_file(file.c_str(), kKeepAll);
  if (!result) {
    throw ConfigError(file.string(), "", fmt::format("cannot be edited: {}", result.description()),
                      {"--export-format writes the robot anew in the other format"});
  }
}

/// What stands in a file before its root element, which the parser does not keep to the letter.
std::string PrologueOf(const std::filesystem::path& file, const pugi::xml_node& root) {
  std::ifstream stream(file, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  const std::ptrdiff_t name = root.offset_debug();
  return name > 0 ? text.substr(0, text.rfind('<', static_cast<std::size_t>(name))) : "";
}

std::string RawText(const pugi::xml_node& root) {
  std::ostringstream text;
  root.print(text, "", pugi::format_raw);
  return text.str() + "\n";
}

/// The blanks before a node.
std::string IndentOf(const pugi::xml_node& node) {
  const pugi::xml_node before = node.previous_sibling();
  return before.type() == pugi::node_pcdata ? before.value() : "";
}

/// Adds a child before all others, on a line of its own where they are.
pugi::xml_node Prepend(pugi::xml_node parent, pugi::xml_node_type type) {
  const pugi::xml_node first = parent.first_child();
  const bool indented = first.type() == pugi::node_pcdata && first.next_sibling();
  pugi::xml_node node = parent.prepend_child(type);
  if (indented) parent.prepend_child(pugi::node_pcdata).set_value(first.value());
  return node;
}

/// Takes out a child and the blanks before it.
void Remove(pugi::xml_node parent, const pugi::xml_node& child) {
  const pugi::xml_node before = child.previous_sibling();
  if (before.type() == pugi::node_pcdata) parent.remove_child(before);
  parent.remove_child(child);
}

void RemoveAll(pugi::xml_node parent, const char* name) {
  while (const pugi::xml_node child = parent.child(name)) Remove(parent, child);
}

/// An empty element of this name in the place of the first there is, or before all others.
pugi::xml_node Renew(pugi::xml_node parent, const char* name) {
  const pugi::xml_node old = parent.child(name);
  pugi::xml_node fresh;
  if (old) {
    fresh = parent.insert_child_before(name, old);
    parent.remove_child(old);
    while (const pugi::xml_node other = fresh.next_sibling(name)) Remove(parent, other);
  } else {
    fresh = Prepend(parent, pugi::node_element);
    fresh.set_name(name);
  }
  return fresh;
}

void Set(pugi::xml_node node, const char* name, const std::string& value) {
  node.append_attribute(name).set_value(value.c_str());
}

void SetUrdfInertial(pugi::xml_node link, const CentralInertia& inertia) {
  pugi::xml_node inertial = Renew(link, "inertial");
  const std::string outer = IndentOf(inertial);
  const std::string inner = outer.empty() ? "" : outer + "  ";
  const auto add = [&](const char* name) {
    if (!inner.empty()) inertial.append_child(pugi::node_pcdata).set_value(inner.c_str());
    return inertial.append_child(name);
  };
  pugi::xml_node origin = add("origin");
  Set(origin, "xyz", ExactText(inertia.com));
  Set(origin, "rpy", "0 0 0");
  Set(add("mass"), "value", ExactText(inertia.mass));
  pugi::xml_node moments = add("inertia");
  static constexpr std::array<const char*, 3> kAxes = {"x", "y", "z"};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = i; j < 3; ++j) {
      const std::string name = fmt::format("i{}{}", kAxes[i], kAxes[j]);
      Set(moments, name.c_str(),
          ExactText(inertia.I_com(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j))));
    }
  }
  if (!outer.empty()) inertial.append_child(pugi::node_pcdata).set_value(outer.c_str());
}

void SetMjcfInertial(pugi::xml_node body, const CentralInertia& inertia) {
  const Eigen::Matrix3d& I = inertia.I_com;
  pugi::xml_node inertial = Renew(body, "inertial");
  Set(inertial, "pos", ExactText(inertia.com));
  Set(inertial, "mass", ExactText(inertia.mass));
  if (I.isZero(0.0)) {
    Set(inertial, "diaginertia", "0 0 0");
    return;
  }
  Eigen::VectorXd full(6);
  full << I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2);
  Set(inertial, "fullinertia", ExactText(full));
}

/// The file's element of each body, in the order of the body ids; none for a URDF's merged root.
using BodyElements = std::vector<pugi::xml_node>;

BodyElements UrdfElements(const pugi::xml_node& robot, const std::vector<LinkBody>& bodies) {
  BodyElements elements;
  for (const LinkBody& body : bodies) {
    elements.push_back(robot.find_child_by_attribute("link", "name", body.name.c_str()));
  }
  return elements;
}

void CollectBodies(const pugi::xml_node& parent, BodyElements& elements) {
  for (const pugi::xml_node& child : parent.children()) {
    const std::string_view name = child.name();
    if (name == "body") elements.push_back(child);
    if (name == "body" || name == "frame" || name == "worldbody") CollectBodies(child, elements);
  }
}

BodyElements MjcfElements(const pugi::xml_node& root, const std::vector<LinkBody>& bodies,
                          const std::filesystem::path& file) {
  BodyElements elements;
  CollectBodies(root, elements);
  bool matches = elements.size() == bodies.size();
  for (std::size_t k = 0; matches && k < bodies.size(); ++k) {
    const std::string_view name = elements[k].attribute("name").value();
    matches = name == bodies[k].name ||
              (name.empty() && bodies[k].name == fmt::format("body{}", bodies[k].body));
  }
  if (!matches) {
    throw ConfigError(file.string(), "",
                      "its bodies do not stand in the file one by one (<replicate>, <attach>?), so "
                      "their inertias cannot be written there",
                      {"--export-format urdf writes the robot anew"});
  }
  return elements;
}

/// Writes included files out where they are included.
void Flatten(pugi::xml_node parent, const std::filesystem::path& folder) {
  for (pugi::xml_node child = parent.first_child(); child;) {
    if (std::string_view(child.name()) != "include") {
      Flatten(child, folder);
      child = child.next_sibling();
      continue;
    }
    pugi::xml_document included;
    Parse(folder / child.attribute("file").value(), included);
    pugi::xml_node first;
    for (const pugi::xml_node& element : included.document_element().children()) {
      const pugi::xml_node copy = parent.insert_copy_before(element, child);
      if (!first) first = copy;
    }
    const pugi::xml_node next = first ? first : child.next_sibling();
    parent.remove_child(child);
    child = next;  // what was included may include too
  }
}

std::string AbsolutePath(const std::filesystem::path& path) {
  return std::filesystem::absolute(path).lexically_normal();
}

/// Makes the paths of a URDF's meshes and textures absolute: the text will stand in another folder.
void MakeUrdfPathsAbsolute(const pugi::xml_node& root, const std::filesystem::path& folder) {
  for (const pugi::xpath_node& found :
       root.select_nodes("//mesh[@filename] | //texture[@filename]")) {
    pugi::xml_attribute name = found.node().attribute("filename");
    if (std::string_view(name.value()).find("://") != std::string_view::npos) continue;
    name.set_value(AbsolutePath(folder / name.value()).c_str());
  }
}

/// Does so with the assets of an MJCF.
void MakePathsAbsolute(pugi::xml_node root, const std::filesystem::path& folder) {
  std::filesystem::path mesh_folder, texture_folder;
  bool strip = false;
  for (const pugi::xml_node& compiler : root.children("compiler")) {
    if (const auto both = compiler.attribute("assetdir"))
      mesh_folder = texture_folder = both.value();
    if (const auto meshes = compiler.attribute("meshdir")) mesh_folder = meshes.value();
    if (const auto textures = compiler.attribute("texturedir")) texture_folder = textures.value();
    if (const auto given = compiler.attribute("strippath")) strip = given.as_bool();
  }
  bool changed = false;
  for (pugi::xml_node asset : root.children("asset")) {
    for (pugi::xml_node element : asset.children()) {
      const bool texture = std::string_view(element.name()) == "texture";
      for (pugi::xml_attribute attribute : element.attributes()) {
        if (!std::string_view(attribute.name()).starts_with("file")) continue;
        std::filesystem::path path = attribute.value();
        if (strip) path = path.filename();
        path = folder / (texture ? texture_folder : mesh_folder) / path;
        attribute.set_value(AbsolutePath(path).c_str());
        changed = true;
      }
    }
  }
  if (!changed) return;
  for (pugi::xml_node compiler : root.children("compiler")) compiler.remove_attribute("strippath");
}

/// Takes out what lets MuJoCo give bodies other inertias than their <inertial>.
/// @return whether the file's own inertias did not count for that reason.
bool LetInertialsCount(pugi::xml_node root, std::vector<std::string>& notes) {
  bool others_counted = false;
  std::set<std::string> taken_out;
  for (pugi::xml_node compiler : root.children("compiler")) {
    if (std::string_view(compiler.attribute("inertiafromgeom").value()) == "true") {
      compiler.attribute("inertiafromgeom").set_value("auto");
      taken_out.insert("inertiafromgeom=\"true\"");
      others_counted = true;
    }
    for (const char* name : {"settotalmass", "boundmass", "boundinertia"}) {
      const pugi::xml_attribute attribute = compiler.attribute(name);
      if (!attribute) continue;
      others_counted |= std::string_view(name) == "settotalmass" && attribute.as_double() > 0.0;
      compiler.remove_attribute(attribute);
      taken_out.insert(name);
    }
  }
  if (!taken_out.empty()) {
    notes.push_back("taken out of <compiler>, because it changes the inertias that are written: " +
                    ListSome({taken_out.begin(), taken_out.end()}));
  }
  return others_counted;
}

/// A comment in front of everything else in an element.
void Comment(pugi::xml_node element, const std::string& text) {
  Prepend(element, pugi::node_comment).set_value(CommentText(text).c_str());
}

/// Gives every link that changes its inertia, and those fused into it none.
class InertiaWriter {
 public:
  InertiaWriter(const RobotDescription& file, const Eigen::Ref<const Eigen::VectorXd>& pi,
                ModelFormat format)
      : file_(file), pi_(pi), layout_(file.model), format_(format) {}

  void Write(const BodyElements& elements, bool all, std::vector<std::string>& notes) const {
    std::vector<std::string> fused;
    for (std::size_t k = 0; k < elements.size(); ++k) {
      const LinkBody& body = file_.bodies[k];
      if (!elements[k] || !(all || Changes(body.link))) continue;
      const InertialParameters parameters = Body(pi_, body.link);
      if (body.carries_frame && parameters.isZero(0.0)) {
        if (Empty(elements[k])) {
          Comment(elements[k],
                  "locked to the link that carries it, whose inertia holds that of this one");
        }
      } else if (body.carries_frame) {
        WriteBody(elements[k], parameters);
      } else if (Empty(elements[k])) {
        fused.push_back(body.name);
        Comment(elements[k], fmt::format("fixed to {}, whose inertia holds that of this one: the "
                                         "estimate cannot tell them apart",
                                         file_.model.BodyName(body.link)));
      }
    }
    if (fused.empty()) return;
    notes.push_back("made massless, because the link that they are fixed to has all inertia: " +
                    ListSome(fused));
  }

  void WriteBody(const pugi::xml_node& element, const InertialParameters& parameters) const {
    const CentralInertia inertia = FromStandard(parameters);
    if (format_ == ModelFormat::kUrdf) {
      SetUrdfInertial(element, inertia);
    } else {
      SetMjcfInertial(element, inertia);
    }
  }

 private:
  InertialParameters Body(const Eigen::VectorXd& pi, int link) const {
    return pi.segment<kInertialCount>(layout_.Body(link));
  }

  bool Changes(int link) const {
    return !Body(pi_, link).isApprox(Body(file_.pi, link), kSameReading);
  }

  /// @return false if the body had no inertia, so that nothing is to be told.
  bool Empty(pugi::xml_node element) const {
    const bool had = static_cast<bool>(element.child("inertial"));
    if (format_ == ModelFormat::kUrdf) {
      RemoveAll(element, "inertial");
      return had;
    }
    // Without an <inertial> MuJoCo would derive one from the geometry.
    if (!had && !element.child("geom")) return false;
    SetMjcfInertial(element, CentralInertia{});
    return true;
  }

  const RobotDescription& file_;
  Eigen::VectorXd pi_;
  ParameterLayout layout_;
  ModelFormat format_;
};

RobotDescription Read(const Robot& robot, ModelExtent extent) {
  return ReadRobot(ParseModel(robot.file, {}, extent).spec.get(), robot.name, robot.file);
}

}  // namespace

std::string EditedModel(const Robot& robot, const Eigen::Ref<const Eigen::VectorXd>& pi,
                        const PassiveJoints& joints, const std::vector<std::string>& moved,
                        std::vector<std::string>& notes) {
  const ModelFormat format = CheckModelText(robot.file);
  const RobotDescription file = Read(robot, ModelExtent::kRobot);
  pugi::xml_document document;
  Parse(robot.file, document);
  pugi::xml_node root = document.document_element();
  const std::string prologue = PrologueOf(robot.file, root);
  const InertiaWriter writer(file, pi, format);
  const std::filesystem::path folder = robot.file.parent_path();
  if (format == ModelFormat::kUrdf) {
    MakeUrdfPathsAbsolute(root, folder);
    writer.Write(UrdfElements(root, file.bodies), false, notes);
    if (!joints.written.empty()) WriteUrdfPassive(root, file.model, joints);
    if (!joints.note.empty()) Comment(root, joints.note);
    return prologue + RawText(root);
  }
  if (document.select_node("//include")) notes.emplace_back("included files are written out in it");
  Flatten(root, folder);
  MakePathsAbsolute(root, folder);
  const bool all = LetInertialsCount(root, notes);
  const RobotDescription everything = Read(robot, ModelExtent::kEverything);
  BodyElements elements;  // of the robot
  const BodyElements in_file = MjcfElements(root, everything.bodies, robot.file);
  for (std::size_t k = 0; k < in_file.size(); ++k) {
    const LinkBody& body = everything.bodies[k];
    const auto own = std::ranges::find(file.bodies, NameInFile(body), &NameInFile);
    if (own != file.bodies.end()) {
      elements.push_back(in_file[k]);
    } else if (all) {
      writer.WriteBody(in_file[k], ToStandard(body.inertia));
    }
  }
  writer.Write(elements, all, notes);
  if (!joints.written.empty()) WriteMjcfPassive(elements, file, joints, robot.file);
  WriteActuators(root, robot.file, moved, notes);
  if (!joints.note.empty()) Comment(root, joints.note);
  return prologue + RawText(root);
}

}  // namespace idbench
