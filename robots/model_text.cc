#include "robots/model_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/options/config_error.h"
#include "scenarios/options/utf8.h"

namespace idbench {
namespace {

constexpr std::string_view kSpace = " \t\r\n";
const std::string kAccepted = "accepted here: MJCF (.xml) or URDF (.urdf)";

std::string WithoutComments(std::string text) {
  for (std::size_t begin = 0; (begin = text.find("<!--", begin)) != std::string::npos;) {
    const std::size_t end = text.find("-->", begin);
    text.erase(begin, end == std::string::npos ? end : end + 3 - begin);
  }
  return text;
}

struct Tag {
  std::string_view name;
  std::string_view attributes;
};

/// The tags that open an element, in the order of the text. As lenient as can be: MuJoCo's parser
/// tells what is wrong in it.
std::vector<Tag> OpeningTags(std::string_view text) {
  std::vector<Tag> tags;
  for (std::size_t at = 0; (at = text.find('<', at)) != std::string_view::npos; ++at) {
    const std::string_view rest = text.substr(at + 1);
    if (rest.empty() || kSpace.find(rest[0]) != std::string_view::npos) continue;
    if (rest[0] == '/' || rest[0] == '?' || rest[0] == '!') continue;
    const std::string_view tag = rest.substr(0, rest.find('>'));
    const std::size_t end = std::min(tag.find_first_of(" \t\r\n/"), tag.size());
    tags.push_back({tag.substr(0, end), tag.substr(end)});
  }
  return tags;
}

/// The value of an attribute; "" if it is not there.
std::string Attribute(const Tag& tag, std::string_view name) {
  const std::string_view text = tag.attributes;
  for (std::size_t at = 0; (at = text.find(name, at)) != std::string_view::npos; ++at) {
    if (at == 0 || kSpace.find(text[at - 1]) == std::string_view::npos) continue;
    const std::size_t open = text.find_first_not_of(" \t\r\n=", at + name.size());
    if (open == std::string_view::npos || (text[open] != '"' && text[open] != '\'')) continue;
    const std::size_t close = text.find(text[open], open + 1);
    return std::string(text.substr(open + 1, close - open - 1));
  }
  return "";
}

struct UrdfJoint {
  std::string name, parent, child;
};

std::vector<UrdfJoint> Joints(const std::vector<Tag>& tags) {
  std::vector<UrdfJoint> joints;
  for (const Tag& tag : tags) {
    if (tag.name == "joint") joints.push_back({Attribute(tag, "name"), "", ""});
    if (joints.empty()) continue;
    if (tag.name == "parent") joints.back().parent = Attribute(tag, "link");
    if (tag.name == "child") joints.back().child = Attribute(tag, "link");
  }
  // Transmissions name joints too.
  std::erase_if(joints, [](const UrdfJoint& joint) { return joint.child.empty(); });
  return joints;
}

[[noreturn]] void RefuseLoop(const std::filesystem::path& file, const std::string& where,
                             const std::string& what) {
  throw ConfigError(file.string(), where, "a closed loop: " + what,
                    {"accepted here: trees, in which every link but one hangs on one joint",
                     "leave out the joint that closes the loop"});
}

/// Refuses links with two parents, and circles, in which every link has one.
void CheckTree(const std::vector<UrdfJoint>& joints, const std::filesystem::path& file) {
  std::map<std::string, const UrdfJoint*> joint_above;
  for (const UrdfJoint& joint : joints) {
    const auto [at, added] = joint_above.emplace(joint.child, &joint);
    if (added) continue;
    RefuseLoop(
        file, joint.child,
        fmt::format("the link hangs on the joints '{}' and '{}'", at->second->name, joint.name));
  }
  for (const UrdfJoint& joint : joints) {
    std::vector<std::string> way = {joint.name};
    for (auto above = joint_above.find(joint.parent);
         above != joint_above.end() && way.size() <= joints.size();
         above = joint_above.find(above->second->parent)) {
      if (above->second == &joint) {
        RefuseLoop(file, joint.child,
                   fmt::format("the link carries itself by way of {}", fmt::join(way, ", ")));
      }
      way.push_back(above->second->name);
    }
  }
}

std::string ReadText(const std::filesystem::path& file) {
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored)) {
    throw ConfigError(file.string(), "", "a folder", {"give the path of an MJCF or URDF file"});
  }
  std::ifstream stream(file, std::ios::binary);
  if (!stream) {
    const bool exists = std::filesystem::exists(file, ignored);
    throw ConfigError(file.string(), "", exists ? "the file cannot be read" : "no such file",
                      {"give the path of an MJCF or URDF file"});
  }
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

/// The beginning of a text, for a message.
std::string Beginning(std::string_view text) {
  constexpr std::size_t kLength = 30;
  text = text.substr(0, text.find_first_of("\r\n"));
  if (text.size() <= kLength) return std::string(text);
  std::size_t end = kLength;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;  // UTF-8
  return std::string(text.substr(0, end)) + "…";
}

}  // namespace

ModelFormat CheckModelText(const std::filesystem::path& file) {
  std::string text = ReadText(file);
  text.erase(text.find_last_not_of('\0') + 1);  // as C programs leave behind
  if (text.find('\0') != std::string::npos) {
    throw ConfigError(file.string(), "", "binary data: is it a mesh or an archive?", {kAccepted});
  }
  if (text.starts_with("\xEF\xBB\xBF")) text.erase(0, 3);
  text = WithoutComments(std::move(text));
  if (!IsUtf8(text)) {
    throw ConfigError(file.string(), "", "holds names that are not UTF-8",
                      {fmt::format("save it as UTF-8: iconv -f LATIN1 -t UTF-8 {} > NEW",
                                   file.filename().string())});
  }
  const std::size_t begin = text.find_first_not_of(kSpace);
  if (begin == std::string::npos) {
    throw ConfigError(file.string(), "", "the file is empty", {kAccepted});
  }
  const std::vector<Tag> tags = OpeningTags(text);
  if (text[begin] != '<' || tags.empty()) {
    throw ConfigError(file.string(), "",
                      fmt::format("not XML: it begins with '{}'", Beginning(text.substr(begin))),
                      {kAccepted});
  }
  if (tags.front().name != "robot" && tags.front().name != "mujoco") {
    throw ConfigError(file.string(), "", fmt::format("its root is <{}>", tags.front().name),
                      {"accepted here: <mujoco> (MJCF) or <robot> (URDF)"});
  }
  const auto xacro =
      std::ranges::find_if(tags, [](const Tag& tag) { return tag.name.starts_with("xacro:"); });
  if (xacro != tags.end()) {
    throw ConfigError(file.string(), "",
                      fmt::format("xacro that is not expanded: <{}>", xacro->name),
                      {"expand it first: xacro robot.urdf.xacro > robot.urdf"});
  }
  if (tags.front().name == "mujoco") return ModelFormat::kMjcf;
  CheckTree(Joints(tags), file);
  return ModelFormat::kUrdf;
}

}  // namespace idbench
