#include "scenarios/motion/trajectory/fourier.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>
#include <utility>

#include "robots/random/random_stream.h"
#include "scenarios/motion/trajectory/pose.h"

namespace idbench {
namespace {

constexpr int kPointsPerHarmonic = 128;
constexpr int kMostHarmonics = 1000;

/// One period of all joints on a uniform grid: N × n each.
struct Period {
  Eigen::MatrixXd q, qd, qdd;
};

Period SampleOnePeriod(const FourierSeries& series) {
  const Eigen::Index harmonics = series.a.cols();
  const Eigen::Index points = kPointsPerHarmonic * harmonics;
  const double w = 2.0 * std::numbers::pi * series.base_frequency_hz;
  Eigen::MatrixXd sine(points, harmonics);
  Eigen::MatrixXd cosine(points, harmonics);
  Eigen::RowVectorXd wl(harmonics);
  for (Eigen::Index l = 0; l < harmonics; ++l) {
    wl(l) = w * static_cast<double>(l + 1);
    for (Eigen::Index i = 0; i < points; ++i) {
      const double phase = 2.0 * std::numbers::pi * static_cast<double>((l + 1) * i % points) /
                           static_cast<double>(points);
      sine(i, l) = std::sin(phase);
      cosine(i, l) = std::cos(phase);
    }
  }
  const Eigen::MatrixXd a = series.a.transpose();
  const Eigen::MatrixXd b = series.b.transpose();
  const Eigen::MatrixXd sine_over = sine.array().rowwise() / wl.array();
  const Eigen::MatrixXd cosine_over = cosine.array().rowwise() / wl.array();
  const Eigen::MatrixXd sine_times = sine.array().rowwise() * wl.array();
  const Eigen::MatrixXd cosine_times = cosine.array().rowwise() * wl.array();
  return {sine_over * a - cosine_over * b, cosine * a + sine * b,
          cosine_times * b - sine_times * a};
}

/// A bound over all t of |p(t)| for a trigonometric polynomial p of degree H whose N uniform
/// samples over a period stay within `on_grid`: on_grid/cos(πH/N) (Ehlich & Zeller, Math. Z. 86,
/// 1964).
double OverAllTime(double on_grid) {
  return on_grid / std::cos(std::numbers::pi / kPointsPerHarmonic);
}

FourierSeries DrawCandidate(const FourierOptions& options, int dofs, int candidate,
                            const RandomStream& stream) {
  FourierSeries series{options.base_frequency_hz, Eigen::VectorXd::Zero(dofs),
                       Eigen::MatrixXd(dofs, options.harmonics),
                       Eigen::MatrixXd(dofs, options.harmonics)};
  for (int j = 0; j < dofs; ++j) {
    for (int l = 0; l < options.harmonics; ++l) {
      const auto joint = static_cast<std::uint64_t>(j);
      const auto index = static_cast<std::uint64_t>(candidate) * 2 * kMostHarmonics +
                         static_cast<std::uint64_t>(2 * l);
      series.a(j, l) = 2.0 * stream.Uniform(joint, index) - 1.0;
      series.b(j, l) = 2.0 * stream.Uniform(joint, index + 1) - 1.0;
    }
  }
  return series;
}

/// Scales each joint of `series` to what its limits allow, and centres it.
void FitToLimits(const RobotModel& model, const FourierOptions& options, FourierSeries& series) {
  const Period period = SampleOnePeriod(series);
  for (int j = 0; j < model.dofs(); ++j) {
    auto [lower, upper] = PositionRange(model, j);
    if (options.centre_q_rad) {
      const double centre = (*options.centre_q_rad)[static_cast<std::size_t>(j)];
      const double reach = std::min(centre - lower, upper - centre);
      lower = centre - reach;
      upper = centre + reach;
    }
    const double most = period.q.col(j).maxCoeff();
    const double least = period.q.col(j).minCoeff();
    double scale =
        options.amplitude_fraction * (upper - lower) / (2.0 * OverAllTime((most - least) / 2.0));
    if (options.velocity_limits) {
      const double speed = OverAllTime(period.qd.col(j).lpNorm<Eigen::Infinity>());
      scale = std::min(scale, model.limits().velocity(j) / speed);
    }
    if (options.acceleration_limits) {
      const double acceleration = OverAllTime(period.qdd.col(j).lpNorm<Eigen::Infinity>());
      scale = std::min(scale, model.limits().acceleration(j) / acceleration);
    }
    series.a.row(j) *= scale;
    series.b.row(j) *= scale;
    series.q0(j) = (lower + upper - scale * (most + least)) / 2.0;
  }
}

void CheckStart(const FourierOptions& options, std::vector<Issue>& issues) {
  if (options.start_q_rad && options.blend_s == 0.0) {
    issues.push_back({"/blend_s",
                      "missing, but start_q_rad is given",
                      {"the motion does not pass the start: give the blend a duration above 0"}});
  } else if (!options.start_q_rad && (options.rest_s > 0.0 || options.blend_s > 0.0)) {
    issues.push_back({"/start_q_rad",
                      "missing, but rest_s or blend_s is given",
                      {"give the pose to start from"}});
  } else if (options.start_q_rad && options.speed_factor != 1.0) {
    issues.push_back({"/speed_factor",
                      "is given together with start_q_rad",
                      {"a motion that starts from rest is designed for its speed: set "
                       "base_frequency_hz instead"}});
  } else if (options.rest_s + options.blend_s > options.duration_s) {
    issues.push_back({"/duration_s",
                      fmt::format("{} s ends before rest_s and blend_s, {} s, are over",
                                  options.duration_s, options.rest_s + options.blend_s),
                      {"they are part of it"}});
  }
}

}  // namespace

FourierMotion::FourierMotion(FourierSeries series, double duration_s)
    : series_(std::move(series)), duration_s_(duration_s) {
  const Eigen::Index n = series_.q0.size();
  if (series_.a.rows() != n || series_.b.rows() != n || series_.a.cols() != series_.b.cols()) {
    throw std::invalid_argument(
        fmt::format("FourierMotion: q0 has {} joints, but a is {} × {} and b {} × {}: expected "
                    "joints × harmonics",
                    n, series_.a.rows(), series_.a.cols(), series_.b.rows(), series_.b.cols()));
  }
  if (!(series_.base_frequency_hz > 0.0) || !(duration_s_ > 0.0)) {
    throw std::invalid_argument(
        fmt::format("FourierMotion: base frequency {} Hz, duration {} s: both must be positive",
                    series_.base_frequency_hz, duration_s_));
  }
}

void FourierMotion::Evaluate(double t, JointState& desired) const {
  const double w = 2.0 * std::numbers::pi * series_.base_frequency_hz;
  desired.q = series_.q0;
  desired.qd.setZero();
  desired.qdd.setZero();
  for (Eigen::Index l = 0; l < series_.a.cols(); ++l) {
    const double wl = w * static_cast<double>(l + 1);
    const double sine = std::sin(wl * t);
    const double cosine = std::cos(wl * t);
    desired.q += (sine / wl) * series_.a.col(l) - (cosine / wl) * series_.b.col(l);
    desired.qd += cosine * series_.a.col(l) + sine * series_.b.col(l);
    desired.qdd += (wl * cosine) * series_.b.col(l) - (wl * sine) * series_.a.col(l);
  }
}

void FourierMotion::Describe(CanonicalText& text) const {
  const auto& [base_frequency_hz, q0, a, b] = series_;
  text.Add("kind", "fourier")
      .Add("base_frequency_hz", base_frequency_hz)
      .Add("q0", q0)
      .Add("a", a)
      .Add("b", b)
      .Add("duration_s", duration_s_);
}

FieldTable Visit(FourierOptions& options) {
  FieldTable table;
  table
      .Add(
          "harmonics", options.harmonics,
          {.doc = "Number of harmonics of the base frequency", .lower = 1, .upper = kMostHarmonics})
      .Add("base_frequency_hz", options.base_frequency_hz,
           {.doc = "Inverse of the motion's period", .unit = "Hz", .lower = 0, .lower_open = true})
      .Add("duration_s", options.duration_s,
           {.doc = "Duration of the experiment", .unit = "s", .lower = 0, .lower_open = true})
      .Add("design_duration_s", options.design_duration_s,
           {.doc = "Duration over which candidates are compared, so that a sweep over duration_s "
                   "keeps the motion; null: duration_s",
            .unit = "s",
            .lower = 0,
            .lower_open = true})
      .Add("speed_factor", options.speed_factor,
           {.doc = "Factor on the speed of the designed motion, which keeps its path and may "
                   "exceed velocity and acceleration limits",
            .lower = 0,
            .lower_open = true})
      .Add("amplitude_fraction", options.amplitude_fraction,
           {.doc =
                "Fraction of each joint's position range that the motion may use, about its centre",
            .lower = 0,
            .upper = 1,
            .lower_open = true})
      .Add("centre_q_rad", options.centre_q_rad,
           {.doc = "Centre of the motion, one number per joint, in m for a prismatic joint; null: "
                   "the middle of each range",
            .unit = "rad"})
      .Add("candidates", options.candidates,
           {.doc = "Number of random motions, of which the one with the least "
                   "condition number is taken",
            .lower = 1,
            .upper = 1000000})
      .Add("design", options.design,
           {.doc = "Parameters that the condition number is of, whatever the problem asks; null: "
                   "those of /problem, so that what is changed there changes the motion"})
      .Add("velocity_limits", options.velocity_limits,
           {.doc = "Keep within the robot's velocity limits"})
      .Add("acceleration_limits", options.acceleration_limits,
           {.doc = "Keep within the robot's acceleration limits"})
      .Add("stream", options.stream,
           {.doc = "Name that keys the random coefficients; experiments with "
                   "different names move differently"})
      .Add(
          "draw", options.draw,
          {.doc =
               "One motion for all trials of a cell (cell), or another one in every trial (trial)"})
      .Add("start_q_rad", options.start_q_rad,
           {.doc = "Pose to start from, one number per joint, in m for a prismatic joint; null: "
                   "the experiment starts in the motion, at speed",
            .unit = "rad"})
      .Add("rest_s", options.rest_s,
           {.doc = "Rest in start_q_rad before the motion begins, part of duration_s",
            .unit = "s",
            .lower = 0})
      .Add(
          "blend_s", options.blend_s,
          {.doc =
               "Duration of the quintic blend from start_q_rad into the motion, part of duration_s",
           .unit = "s",
           .lower = 0})
      .Check([&options](std::vector<Issue>& issues) { CheckStart(options, issues); });
  return table;
}

FourierMotion DesignFourier(const RobotModel& model, const FourierOptions& options,
                            std::uint64_t seed, std::int64_t trial, const MotionCost& cost) {
  const RandomStream stream(seed, options.draw == Draw::kTrial ? trial : -1,
                            "motion/" + options.stream);
  FourierSeries best;
  double least = std::numeric_limits<double>::infinity();
  for (int candidate = 0; candidate < options.candidates; ++candidate) {
    FourierSeries series = DrawCandidate(options, model.dofs(), candidate, stream);
    FitToLimits(model, options, series);
    const double price =
        options.candidates == 1
            ? 0.0
            : cost(FourierMotion(series, options.design_duration_s.value_or(options.duration_s)));
    if (candidate == 0 || price < least) {
      best = std::move(series);
      least = std::isfinite(price) ? price : std::numeric_limits<double>::infinity();
    }
  }
  best.base_frequency_hz *= options.speed_factor;
  best.a *= options.speed_factor;
  best.b *= options.speed_factor;
  return {std::move(best), options.duration_s};
}

}  // namespace idbench
