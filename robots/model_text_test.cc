#include "robots/model_text.h"

#include <doctest/doctest.h>

#include <string>
#include <string_view>

#include "robots/temporary_folder_test.h"
#include "scenarios/options/config_error.h"

namespace idbench {
namespace {

/// What refuses a file of this text, without the folder's name.
std::string TextRefusal(std::string_view text, const std::string& name = "arm.urdf") {
  const TemporaryFolder folder;
  const std::string file = folder.Write(name, text);
  try {
    CheckModelText(file);
  } catch (const ConfigError& error) {
    return WithoutFolder(error.what(), file);
  }
  return "none";
}

std::string Joint(const std::string& name, const std::string& parent, const std::string& child) {
  return "<joint name='" + name + "' type=\"fixed\"><parent link=\"" + parent +
         "\"/>\n<child link = \"" + child + "\" /></joint>";
}

std::string Urdf(const std::string& joints) {
  return "<?xml version='1.0'?>\n<!-- <xacro:x/> <html> -->\n<robot name=\"arm\">" + joints +
         R"(<transmission name="t"><joint name="one"/></transmission></robot>)";
}

TEST_CASE("The root element tells the format, whatever the file is called") {
  const TemporaryFolder folder;
  CHECK(CheckModelText(folder.Write("arm.xml", Urdf(Joint("one", "a", "b")))) ==
        ModelFormat::kUrdf);
  CHECK(CheckModelText(folder.Write("arm.urdf", "\xEF\xBB\xBF <mujoco/>")) == ModelFormat::kMjcf);
}

TEST_CASE("A zero behind the text, as C programs leave it, is no harm") {
  CHECK(TextRefusal(std::string_view("<robot/>\0", 9)) == "none");
}

TEST_CASE("What is no model file is refused with what was found in it") {
  CHECK(TextRefusal("") ==
        "arm.urdf: the file is empty\n  accepted here: MJCF (.xml) or URDF (.urdf)");
  CHECK(TextRefusal(" \n<!-- nothing -->\n") ==
        "arm.urdf: the file is empty\n  accepted here: MJCF (.xml) or URDF (.urdf)");
  CHECK(TextRefusal("solid upper arm, exported by CAD\nfacet normal 0 0 1\n", "arm.stl") ==
        "arm.stl: not XML: it begins with 'solid upper arm, exported by C…'\n"
        "  accepted here: MJCF (.xml) or URDF (.urdf)");
  CHECK(TextRefusal("<") ==
        "arm.urdf: not XML: it begins with '<'\n"
        "  accepted here: MJCF (.xml) or URDF (.urdf)");
  CHECK(TextRefusal(std::string_view("STL\0\1\2", 6), "arm.stl") ==
        "arm.stl: binary data: is it a mesh or an archive?\n"
        "  accepted here: MJCF (.xml) or URDF (.urdf)");
  CHECK(TextRefusal("<!DOCTYPE html><html><body>404</body></html>") ==
        "arm.urdf: its root is <html>\n"
        "  accepted here: <mujoco> (MJCF) or <robot> (URDF)");
}

TEST_CASE("Names that are not UTF-8 are refused, comments may be written in anything") {
  CHECK(TextRefusal("<robot><joint name=\"q_\xB0\"/></robot>") ==
        "arm.urdf: holds names that are not UTF-8\n"
        "  save it as UTF-8: iconv -f LATIN1 -t UTF-8 arm.urdf > NEW");
  CHECK(TextRefusal("<robot><!-- M\xFCller --></robot>") == "none");
}

TEST_CASE("A file that is not there is named, and so is a folder") {
  const TemporaryFolder folder;
  const auto refusal = [](const std::filesystem::path& file) {
    CHECK_THROWS_AS(CheckModelText(file), ConfigError);
    try {
      CheckModelText(file);
    } catch (const ConfigError& error) {
      return error.issues().front().what;
    }
    return std::string("none");
  };
  CHECK(refusal(folder.path()) == "a folder");
  CHECK(refusal(folder.path() / "arm.urdf") == "no such file");
}

TEST_CASE("A URDF that includes a file, itself perhaps, is xacro and must be expanded first") {
  CHECK(TextRefusal(R"(<robot name="arm" xmlns:xacro="http://www.ros.org/wiki/xacro">
                   <xacro:include filename="arm.urdf"/></robot>)") ==
        "arm.urdf: xacro that is not expanded: <xacro:include>\n"
        "  expand it first: xacro robot.urdf.xacro > robot.urdf");
}

TEST_CASE("A URDF whose joints close a loop is refused with the link and the joints") {
  CHECK(TextRefusal(
            Urdf(Joint("one", "a", "b") + Joint("two", "a", "c") + Joint("three", "b", "c"))) ==
        "arm.urdf: c: a closed loop: the link hangs on the joints 'two' and 'three'\n"
        "  accepted here: trees, in which every link but one hangs on one joint\n"
        "  leave out the joint that closes the loop");
  CHECK(TextRefusal(Urdf(Joint("foot", "ground", "z") + Joint("one", "a", "b") +
                         Joint("two", "b", "c") + Joint("three", "c", "a"))) ==
        "arm.urdf: b: a closed loop: the link carries itself by way of one, three, two\n"
        "  accepted here: trees, in which every link but one hangs on one joint\n"
        "  leave out the joint that closes the loop");
  CHECK(TextRefusal(Urdf(Joint("one", "a", "b") + Joint("two", "a", "c") +
                         Joint("three", "c", "d"))) == "none");
}

}  // namespace
}  // namespace idbench
