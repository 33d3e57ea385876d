#include "scenarios/motion/trajectory/torque_replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>
#include <utility>

#include "robots/dynamics/actuation.h"
#include "scenarios/motion/trajectory/pose.h"

namespace idbench {
namespace {

constexpr std::string_view kTorqueColumn = "tau{}_nm";

int MotorCount(const RobotModel& model) { return static_cast<int>(model.actuation().names.size()); }

/// τ(t) = B·u(t), clipped at the joints' limits of effort where these are finite.
class MotorTorque : public TorqueLaw {
 public:
  MotorTorque(const TorqueReplayOptions& options, const RobotModel& model)
      : B_(model.actuation().B),
        limits_(options.effort_limits
                    ? model.limits().effort
                    : Eigen::VectorXd::Constant(model.dofs(),
                                                std::numeric_limits<double>::infinity())) {}

  void At(double t, Eigen::VectorXd& tau) const final {
    tau.setZero();
    for (Eigen::Index j = 0; j < B_.cols(); ++j) tau += Motor(j, t) * B_.col(j);
    tau = tau.cwiseMax(-limits_).cwiseMin(limits_);
  }

 private:
  /// u_j(t)
  virtual double Motor(Eigen::Index j, double t) const = 0;

  Eigen::MatrixXd B_;
  Eigen::VectorXd limits_;
};

/// Torques of a table: linear between its rows or that of the last row; behind the end, the end's.
class TableTorque : public MotorTorque {
 public:
  TableTorque(const TorqueReplayOptions& options, const RobotModel& model, TimedTable table)
      : MotorTorque(options, model),
        table_(std::move(table)),
        linear_(options.interpolation == TorqueInterpolation::kLinear) {}

 private:
  double Motor(Eigen::Index j, double t) const override {
    const Eigen::Index rows = table_.time_s.size();
    const double* begin = table_.time_s.data();
    const Eigen::Index row = std::upper_bound(begin, begin + rows, t) - begin - 1;
    const double u = table_.values(row, j);
    if (!linear_ || row + 1 == rows) return u;
    const double fraction =
        (t - table_.time_s(row)) / (table_.time_s(row + 1) - table_.time_s(row));
    return u + fraction * (table_.values(row + 1, j) - u);
  }

  TimedTable table_;
  bool linear_;
};

/// Σ_k c_k·T_k(x), by Clenshaw's recurrence.
double ChebyshevSum(const std::vector<double>& c, double x) {
  double next = 0.0;  // b_(k+1) and b_(k+2) of b_k = c_k + 2x·b_(k+1) − b_(k+2)
  double after = 0.0;
  for (std::size_t k = c.size(); k-- > 1;) {
    const double b = c[k] + 2.0 * x * next - after;
    after = next;
    next = b;
  }
  return c.empty() ? 0.0 : c[0] + x * next - after;
}

class SeriesTorque : public MotorTorque {
 public:
  /// @param motors  series of each.
  SeriesTorque(const TorqueReplayOptions& options, const RobotModel& model,
               std::vector<TorqueSeriesOptions> motors)
      : MotorTorque(options, model), motors_(std::move(motors)) {}

 private:
  double Motor(Eigen::Index j, double t) const override {
    const TorqueSeriesOptions& series = motors_[static_cast<std::size_t>(j)];
    double u = series.offset_nm;
    for (std::size_t k = 0; k < series.amplitude_nm.size(); ++k) {
      const double phase = series.phase_rad.empty() ? 0.0 : series.phase_rad[k];
      u += series.amplitude_nm[k] *
           std::sin(2.0 * std::numbers::pi * series.frequency_hz[k] * t + phase);
    }
    if (!series.chebyshev_period_s) return u;
    return u + ChebyshevSum(series.chebyshev_nm, 2.0 * t / *series.chebyshev_period_s - 1.0);
  }

  std::vector<TorqueSeriesOptions> motors_;
};

class InitialState : public Motion {
 public:
  InitialState(JointState state, double duration_s)
      : state_(std::move(state)), duration_s_(duration_s) {}
  double duration_s() const override { return duration_s_; }
  void Evaluate(double, JointState& desired) const override { desired = state_; }
  void Describe(CanonicalText& text) const override {
    text.Add("kind", "initial_state")
        .Add("q", state_.q)
        .Add("qd", state_.qd)
        .Add("qdd", state_.qdd)
        .Add("duration_s", duration_s_);
  }

 private:
  JointState state_;
  double duration_s_;
};

}  // namespace

FieldTable Visit(TorqueSeriesOptions& options) {
  FieldTable table;
  table
      .Add("amplitude_nm", options.amplitude_nm,
           {.doc = "Amplitude of each sine, in N for a prismatic joint", .unit = "N·m"})
      .Add("frequency_hz", options.frequency_hz,
           {.doc = "Frequency of each sine", .unit = "Hz", .lower = 0})
      .Add("phase_rad", options.phase_rad,
           {.doc = "Phase of each sine; empty: all 0", .unit = "rad"})
      .Add("offset_nm", options.offset_nm, {.doc = "Constant torque", .unit = "N·m"})
      .Add("chebyshev_nm", options.chebyshev_nm,
           {.doc = "Coefficients of the Chebyshev polynomials T0, T1 … of 2t/period − "
                   "1, which add to the sines",
            .unit = "N·m"})
      .Add("chebyshev_period_s", options.chebyshev_period_s,
           {.doc = "Time in which the argument of the polynomials goes from −1 to 1",
            .unit = "s",
            .lower = 0,
            .lower_open = true})
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
        if (options.chebyshev_nm.empty() != options.chebyshev_period_s.has_value()) return;
        issues.push_back({options.chebyshev_nm.empty() ? "/chebyshev_nm" : "/chebyshev_period_s",
                          "missing",
                          {"give chebyshev_nm and chebyshev_period_s together"}});
      });
  return table;
}

FieldTable Visit(TorqueReplayOptions& options) {
  FieldTable table;
  table
      .Add("q_rad", options.q_rad,
           {.doc = "Initial position, one number per joint, in m for a prismatic joint",
            .unit = "rad",
            .required = true})
      .Add("qd_rad_s", options.qd_rad_s,
           {.doc = "Initial velocity, one number per joint; empty: at rest", .unit = "rad/s"})
      .Add("duration_s", options.duration_s,
           {.doc = "Duration of the experiment; null: that of the file",
            .unit = "s",
            .lower = 0,
            .lower_open = true})
      .Add("file", options.file,
           {.doc =
                "CSV file with the columns t_s and tau1_nm, tau2_nm … in the order of the motors; "
                "time counts from the first row, and the last torque is held after the end"})
      .Add("interpolation", options.interpolation,
           {.doc = "Torque between the rows of the file: interpolated (linear), or "
                   "that of the last row (hold)"})
      .Add("actuators", options.actuators,
           {.doc = "Torque series by motor, in place of a file; a motor has the name of its joint "
                   "unless the robot says otherwise, and those not named have no torque"})
      .Add("effort_limits", options.effort_limits,
           {.doc = "Clip torques at the robot's effort limits"})
      .Check([&options](std::vector<Issue>& issues) {
        const bool series = !options.actuators.empty();
        if (options.file.has_value() == series) {
          issues.push_back({series ? "/file" : "/actuators",
                            series ? "is given together with actuators" : "missing, and so is file",
                            {"give the torque either as a file or as series of motors"}});
        } else if (series && !options.duration_s) {
          issues.push_back(
              {"/duration_s", "missing", {"needed here: series have no end of their own"}});
        }
        for (const auto& [name, motor] : options.actuators) {
          const double period_s =
              motor.chebyshev_period_s.value_or(options.duration_s.value_or(0.0));
          if (options.duration_s.value_or(0.0) <= period_s) continue;
          issues.push_back(
              {PointerTo("/actuators", name) + "/chebyshev_period_s",
               fmt::format("is {} s, and duration_s {} s", period_s, *options.duration_s),
               {"beyond their period the polynomials grow without bounds"}});
        }
      });
  return table;
}

std::optional<TimedTable> ReadTorqueTable(const TorqueReplayOptions& options,
                                          const RobotModel& model) {
  if (!options.file) return std::nullopt;
  return ReadTimedTable(*options.file, NumberedColumns(kTorqueColumn, MotorCount(model)));
}

std::unique_ptr<TorqueLaw> MakeTorqueLaw(const TorqueReplayOptions& options,
                                         const std::optional<TimedTable>& table,
                                         const RobotModel& model) {
  const std::vector<std::string>& names = model.actuation().names;
  if (options.file && !table) {
    throw std::invalid_argument("MakeTorqueLaw: what the file holds is missing");
  }
  if (table) return std::make_unique<TableTorque>(options, model, *table);
  std::vector<TorqueSeriesOptions> motors(names.size());
  for (const auto& [name, series] : options.actuators) {
    const auto at = std::ranges::find(names, name);
    if (at == names.end()) {
      throw std::invalid_argument(fmt::format("MakeTorqueLaw: no such motor: '{}'", name));
    }
    motors[static_cast<std::size_t>(at - names.begin())] = series;
  }
  return std::make_unique<SeriesTorque>(options, model, std::move(motors));
}

std::unique_ptr<Motion> MakeInitialState(const TorqueReplayOptions& options,
                                         const std::optional<TimedTable>& table,
                                         const RobotModel& model) {
  if (!options.duration_s && !table) {
    throw std::invalid_argument("MakeInitialState: neither the options nor a file say how long");
  }
  JointState state = JointState::Zero(model.dofs());
  state.q = ToVector(options.q_rad);
  if (!options.qd_rad_s.empty()) state.qd = ToVector(options.qd_rad_s);
  const double duration_s =
      options.duration_s ? *options.duration_s : table->time_s.tail<1>().value();
  return std::make_unique<InitialState>(std::move(state), duration_s);
}

std::vector<Issue> CheckTorqueReplay(const TorqueReplayOptions& options, const RobotModel& model,
                                     const std::string& where) {
  std::vector<Issue> issues;
  CheckPose(options.q_rad, model, where + "/q_rad", issues);
  if (!options.qd_rad_s.empty()) {
    CheckSize(options.qd_rad_s, model, where + "/qd_rad_s", issues);
  }
  const std::vector<std::string>& motors = model.actuation().names;
  for (const auto& [name, series] : options.actuators) {
    if (std::ranges::find(motors, name) != motors.end()) continue;
    issues.push_back(
        {PointerTo(where + "/actuators", name), "unknown motor", AcceptedNames(name, motors)});
  }
  if (options.effort_limits && !HasMotorOnEachJoint(model)) {
    issues.push_back(
        {where + "/effort_limits",
         "effort limits are those of joints, but the robot has not one motor for each joint",
         {"set it to false"}});
  }
  if (options.file) {
    CheckTimedTable(*options.file, NumberedColumns(kTorqueColumn, MotorCount(model)),
                    where + "/file", issues);
  }
  return issues;
}

}  // namespace idbench
