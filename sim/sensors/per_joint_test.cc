#include "sim/sensors/per_joint.h"

#include <doctest/doctest.h>

namespace idbench {
namespace {

TEST_CASE("One number stands for all joints, a list for one each") {
  CHECK(ToVector(PerJoint{{0.5}}, 3) == Eigen::Vector3d::Constant(0.5));
  CHECK(ToVector(PerJoint{{1.0, 2.0, 3.0}}, 3) == Eigen::Vector3d(1.0, 2.0, 3.0));
  CHECK(ToVector(PerJoint{{0.5}}, 0).size() == 0);
}

TEST_CASE("A list of another length is an issue that names the joints") {
  std::vector<Issue> issues;
  CheckCount(PerJoint{{1.0}}, "/a", {"x", "y"}, issues);
  CheckCount(PerJoint{{1.0, 2.0}}, "/a", {"x", "y"}, issues);
  CHECK(issues.empty());
  CheckCount(PerJoint{{1.0, 2.0, 3.0}}, "/a", {"x", "y"}, issues);
  REQUIRE(issues.size() == 1);
  CHECK(issues[0].where == "/a");
  CHECK(issues[0].what == "got a list of 3");
  CHECK(issues[0].details ==
        std::vector<std::string>{"accepted here: one number, or a list with one for each of x, y"});
}

TEST_CASE("Numbers that are all 0 have no effect") {
  CHECK(!AnyNonZero(PerJoint{}));
  CHECK(!AnyNonZero(PerJoint{{0.0, -0.0}}));
  CHECK(AnyNonZero(PerJoint{{0.0, 1e-300}}));
}

}  // namespace
}  // namespace idbench
