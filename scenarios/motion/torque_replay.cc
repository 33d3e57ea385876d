#include "scenarios/motion/torque_replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <utility>

#include "scenarios/motion/pose.h"

namespace idbench {
namespace {

constexpr std::string_view kTorqueColumn = "tau{}_nm";

/// Torques of a table: linear between its rows or that of the last row; behind the end, the end's.
class TableTorque : public Controller {
 public:
  TableTorque(TimedTable table, bool linear) : table_(std::move(table)), linear_(linear) {}

  void Torque(double t, const JointState&, const JointState&, Eigen::VectorXd& tau) override {
    const Eigen::Index rows = table_.time_s.size();
    const double* begin = table_.time_s.data();
    const Eigen::Index row = std::upper_bound(begin, begin + rows, t) - begin - 1;
    tau = table_.values.row(row).transpose();
    if (!linear_ || row + 1 == rows) return;
    const double fraction =
        (t - table_.time_s(row)) / (table_.time_s(row + 1) - table_.time_s(row));
    tau += fraction * (table_.values.row(row + 1) - table_.values.row(row)).transpose();
  }

 private:
  TimedTable table_;
  bool linear_;
};

class SineTorque : public Controller {
 public:
  /// @param joints  options of each joint.
  explicit SineTorque(std::vector<SineTorqueOptions> joints) : joints_(std::move(joints)) {}

  void Torque(double t, const JointState&, const JointState&, Eigen::VectorXd& tau) override {
    for (std::size_t j = 0; j < joints_.size(); ++j) {
      const SineTorqueOptions& joint = joints_[j];
      double sum = joint.offset_nm;
      for (std::size_t k = 0; k < joint.amplitude_nm.size(); ++k) {
        const double phase = joint.phase_rad.empty() ? 0.0 : joint.phase_rad[k];
        sum += joint.amplitude_nm[k] *
               std::sin(2.0 * std::numbers::pi * joint.frequency_hz[k] * t + phase);
      }
      tau(static_cast<Eigen::Index>(j)) = sum;
    }
  }

 private:
  std::vector<SineTorqueOptions> joints_;
};

class InitialState : public Motion {
 public:
  InitialState(JointState state, double duration_s)
      : state_(std::move(state)), duration_s_(duration_s) {}
  double duration_s() const override { return duration_s_; }
  void Evaluate(double, JointState& desired) const override { desired = state_; }

 private:
  JointState state_;
  double duration_s_;
};

}  // namespace

FieldTable Visit(SineTorqueOptions& options) {
  FieldTable table;
  table
      .Add("amplitude_nm", options.amplitude_nm,
           {.doc = "amplitude of each sine, of a prismatic joint in N", .unit = "N·m"})
      .Add("frequency_hz", options.frequency_hz,
           {.doc = "frequency of each sine", .unit = "Hz", .lower = 0})
      .Add("phase_rad", options.phase_rad,
           {.doc = "phase of each sine; empty: all 0", .unit = "rad"})
      .Add("offset_nm", options.offset_nm, {.doc = "constant torque", .unit = "N·m"})
      .Check([&options](std::vector<Issue>& issues) {
        const std::size_t sines = options.amplitude_nm.size();
        const auto check = [&](const char* key, std::size_t size) {
          if (size == sines) return;
          issues.push_back({key,
                            fmt::format("got a list of {} for {} amplitudes", size, sines),
                            {"one for each sine is needed"}});
        };
        check("/frequency_hz", options.frequency_hz.size());
        if (!options.phase_rad.empty()) check("/phase_rad", options.phase_rad.size());
      });
  return table;
}

FieldTable Visit(TorqueReplayOptions& options) {
  FieldTable table;
  table
      .Add("q_rad", options.q_rad,
           {.doc = "where the robot starts, one number per joint, of a prismatic joint in m",
            .unit = "rad",
            .required = true})
      .Add("qd_rad_s", options.qd_rad_s,
           {.doc = "initial velocity, one number per joint; empty: at rest", .unit = "rad/s"})
      .Add("duration_s", options.duration_s,
           {.doc = "duration of the experiment; absent: that of the file",
            .unit = "s",
            .lower = 0,
            .lower_open = true})
      .Add("file", options.file,
           {.doc = "CSV file with the columns t_s and tau1_nm, tau2_nm … in the order of the "
                   "joints; its times count from the first row, behind its end the last torque is "
                   "held"})
      .Add("interpolation", options.interpolation,
           {.doc = "between the rows of the file: linear, or hold the last one",
            .choices = {"linear", "hold"}})
      .Add("joints", options.joints,
           {.doc = "instead of a file, a sum of sines by joint name; others have no torque"})
      .Add("effort_limits", options.effort_limits,
           {.doc = "clip torques at the robot's effort limits"})
      .Check([&options](std::vector<Issue>& issues) {
        const bool sines = !options.joints.empty();
        if (options.file.has_value() == sines) {
          issues.push_back({sines ? "/file" : "/joints",
                            sines ? "stands beside joints" : "missing, and file too",
                            {"give the torque as a file or as sines of joints"}});
        } else if (sines && !options.duration_s) {
          issues.push_back({"/duration_s", "missing", {"sines have no end of their own"}});
        }
      });
  return table;
}

std::unique_ptr<Controller> MakeTorqueReplay(const TorqueReplayOptions& options,
                                             const RobotModel& model) {
  if (options.file) {
    return std::make_unique<TableTorque>(ReadTimedTable(*options.file, kTorqueColumn, model.dofs()),
                                         options.interpolation == "linear");
  }
  std::vector<SineTorqueOptions> joints(static_cast<std::size_t>(model.dofs()));
  for (const auto& [name, joint] : options.joints) {
    const int index = model.JointIndex(name);
    if (index < 0) {
      throw std::invalid_argument(fmt::format("MakeTorqueReplay: no such joint: '{}'", name));
    }
    joints[static_cast<std::size_t>(index)] = joint;
  }
  return std::make_unique<SineTorque>(std::move(joints));
}

std::unique_ptr<Motion> MakeInitialState(const TorqueReplayOptions& options,
                                         const RobotModel& model) {
  JointState state = JointState::Zero(model.dofs());
  state.q = ToVector(options.q_rad);
  if (!options.qd_rad_s.empty()) state.qd = ToVector(options.qd_rad_s);
  const double duration_s =
      options.duration_s
          ? *options.duration_s
          : ReadTimedTable(*options.file, kTorqueColumn, model.dofs()).time_s.tail<1>().value();
  return std::make_unique<InitialState>(std::move(state), duration_s);
}

std::vector<Issue> CheckTorqueReplay(const TorqueReplayOptions& options, const RobotModel& model,
                                     const std::string& where) {
  std::vector<Issue> issues;
  CheckPose(options.q_rad, model, where + "/q_rad", issues);
  if (!options.qd_rad_s.empty()) {
    CheckSize(options.qd_rad_s, model, where + "/qd_rad_s", issues);
  }
  for (const auto& [name, joint] : options.joints) {
    if (model.JointIndex(name) >= 0) continue;
    issues.push_back({PointerTo(where + "/joints", name), "unknown joint",
                      AcceptedNames(name, model.joint_names())});
  }
  if (options.file) {
    CheckTimedTable(*options.file, kTorqueColumn, model.dofs(), where + "/file", issues);
  }
  return issues;
}

}  // namespace idbench
