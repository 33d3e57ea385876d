#pragma once

#include <Eigen/Core>
#include <cmath>
#include <stdexcept>
#include <string>

#include "robots/mjspec.h"
#include "robots/plant/motion.h"
#include "sim/sensors/feedback_source.h"
#include "sim/truth/true_robot.h"

/// Robots and a motion for the tests of this folder.
namespace idbench {

/// Returns two links with off-axis masses in the vertical plane; `extra` goes into each
/// joint element.
inline std::string TwoLinkMjcf(const std::string& extra = "") {
  return R"(<mujoco>
    <compiler angle="radian" autolimits="true"/>
    <worldbody><body name="base"><body name="link1">
      <inertial pos="0.02 0.01 -0.24" mass="4" fullinertia="0.086 0.085 0.0064 0.0005 -0.002 0.001"/>
      <joint name="joint1" axis="0 1 0" range="-2.8 2.8" armature="0.08" )" +
         extra + R"(/>
      <body name="link2" pos="0 0 -0.5">
        <inertial pos="-0.014 0.005 -0.2" mass="3" fullinertia="0.052 0.051 0.0041 -0.0003 0.0016 -0.0007"/>
        <joint name="joint2" axis="0 1 0" range="-2.5 2.5" armature="0.04" )" +
         extra + R"(/>
      </body>
    </body></body></worldbody></mujoco>)";
}

/// Feedback of the true state.
inline FeedbackSource& ExactFeedback() {
  static TrueFeedback feedback;  // has no state
  return feedback;
}

inline ModelPtr CompileMjcf(const std::string& mjcf) {
  char error[1000] = "";
  const SpecPtr spec(mj_parseXMLString(mjcf.c_str(), nullptr, error, sizeof(error)));
  if (!spec) throw std::runtime_error(error);
  return Compile(spec.get(), "test.xml");
}

inline TrueFriction TwoLinkFriction() {
  return {Eigen::Vector2d(0.6, 0.4), Eigen::Vector2d(1.0, 0.5), Eigen::Vector2d(0.3, -0.2),
          Eigen::Vector2d::Zero(),   Eigen::Vector2d::Ones(),   Eigen::Vector2d::Zero()};
}

inline TrueRobot TwoLink(const MujocoPlantOptions& options = {}) {
  return TrueRobot(CompileMjcf(TwoLinkMjcf()), {"joint1", "joint2"}, TwoLinkFriction(), options);
}

/// Brisk motion of the two links about q = 0, up to about 1 rad, 4 rad/s and 25
/// rad/s²: q_j = c_j + a_j·sin(w_j t).
class TwoLinkMotion : public Motion {
 public:
  explicit TwoLinkMotion(double duration_s) : duration_s_(duration_s) {}
  double duration_s() const override { return duration_s_; }
  void Evaluate(double t, JointState& desired) const override {
    static constexpr double kCentre[] = {0.1, -0.2};
    static constexpr double kAmplitude[] = {0.8, 0.6};
    static constexpr double kFrequency[] = {4.0, 6.5};  // w [rad/s]
    for (int j = 0; j < 2; ++j) {
      const double w = kFrequency[j];
      desired.q(j) = kCentre[j] + kAmplitude[j] * std::sin(w * t);
      desired.qd(j) = kAmplitude[j] * w * std::cos(w * t);
      desired.qdd(j) = -kAmplitude[j] * w * w * std::sin(w * t);
    }
  }
  void Describe(CanonicalText& text) const override {
    text.Add("kind", "two_link").Add("duration_s", duration_s_);
  }

 private:
  double duration_s_;
};

}  // namespace idbench
