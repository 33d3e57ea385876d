#include "sim/true_joints.h"

#include <doctest/doctest.h>

#include "robots/dynamics/parameters.h"

namespace idbench {
namespace {

struct Holder {
  TrueJointOptions joints;
};
FieldTable Visit(Holder& holder) {
  FieldTable table;
  AddFields(table, holder.joints);
  return table;
}

TrueJointOptions Read(const char* text) {
  Holder holder;
  std::vector<Issue> issues;
  ReadFields(Visit(holder), Json::parse(text), "", issues);
  CHECK(issues.empty());
  return holder.joints;
}

TEST_CASE("What is given replaces the set's values, joint by joint; what is not stays") {
  const ParameterLayout layout(2);
  Eigen::VectorXd pi = Eigen::VectorXd::LinSpaced(layout.size(), 1.0, layout.size());
  const Eigen::VectorXd before = pi;
  Read(R"({"friction": {"viscous_nms_rad": [0.1, 0.2], "offset_nm": -3},
           "rotor_inertia_kgm2": 0.5})")
      .ApplyTo(pi);
  Eigen::VectorXd expected = before;
  for (int i = 0; i < 2; ++i) {
    expected[layout.Joint(i, JointParameter::kViscous)] = i == 0 ? 0.1 : 0.2;
    expected[layout.Joint(i, JointParameter::kOffset)] = -3.0;
    expected[layout.Joint(i, JointParameter::kRotorInertia)] = 0.5;
  }
  CHECK(pi == expected);
  TrueJointOptions().ApplyTo(pi);
  CHECK(pi == expected);
}

TEST_CASE("Lists of another length than the robot's are refused") {
  const TrueJointOptions options = Read(R"({"friction": {"stribeck_excess_nm": [1, 2, 3]},
                                            "rotor_inertia_kgm2": [1, 2, 3]})");
  const auto issues = CheckTrueJoints(options, "/robot/truth", {"joint1", "joint2"});
  CHECK(ConfigError("s.json", issues).what() ==
        std::string("s.json: /robot/truth/friction/stribeck_excess_nm: got a list of 3\n"
                    "  accepted here: one number, or a list with one for each of joint1, joint2\n"
                    "s.json: /robot/truth/rotor_inertia_kgm2: got a list of 3\n"
                    "  accepted here: one number, or a list with one for each of joint1, joint2"));
  CHECK(CheckTrueJoints(options, "/robot/truth", {"a", "b", "c"}).empty());
}

TEST_CASE("What no parameter of the model describes is named") {
  CHECK(BeyondModel(Read(R"({"friction": {"coulomb_nm": 2, "stribeck_velocity_rad_s": 1}})"))
            .empty());
  CHECK(BeyondModel(Read(R"({"friction": {"stribeck_excess_nm": [0, 0.1]}})")) ==
        std::vector<std::string>{"Stribeck friction"});
}

}  // namespace
}  // namespace idbench
