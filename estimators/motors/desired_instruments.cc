#include "estimators/motors/desired_instruments.h"

#include <fmt/format.h>

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "estimators/interface/estimate.h"
#include "estimators/solvers/seen_directions.h"

namespace idbench {
namespace {

/// Diagonal of a pivoted triangle, over the first, that is round-off of dependent columns.
constexpr double kDependent = 1e-9;

/// 1, and desired positions at delays: samples × (1 + joints × delays).
Eigen::MatrixXd Delayed(const Eigen::MatrixXd& desired, Eigen::Index delay, Eigen::Index delays) {
  const Eigen::Index n = desired.cols(), samples = desired.rows();
  Eigen::MatrixXd columns(samples, 1 + n * delays);
  columns.col(0).setOnes();
  for (Eigen::Index k = 0; k < delays; ++k) {
    for (Eigen::Index i = 0; i < samples; ++i) {
      columns.block(i, 1 + k * n, 1, n) = desired.row(std::max<Eigen::Index>(i - k * delay, 0));
    }
  }
  return columns;
}

/// Differences over both neighbours; at the ends those next to them.
struct Rates {
  Eigen::MatrixXd velocity, acceleration;
};
Rates RatesOf(const Eigen::VectorXd& time_s, const Eigen::MatrixXd& q) {
  const Eigen::Index samples = q.rows();
  Rates rates{Eigen::MatrixXd::Zero(samples, q.cols()), Eigen::MatrixXd::Zero(samples, q.cols())};
  for (Eigen::Index i = 1; i + 1 < samples; ++i) {
    const double before = time_s[i] - time_s[i - 1], after = time_s[i + 1] - time_s[i];
    const Eigen::RowVectorXd left = (q.row(i) - q.row(i - 1)) / before;
    const Eigen::RowVectorXd right = (q.row(i + 1) - q.row(i)) / after;
    rates.velocity.row(i) = (after * left + before * right) / (before + after);
    rates.acceleration.row(i) = 2.0 * (right - left) / (before + after);
  }
  for (Eigen::MatrixXd* each : {&rates.velocity, &rates.acceleration}) {
    each->row(0) = each->row(1);
    each->row(samples - 1) = each->row(samples - 2);
  }
  return rates;
}

/// Rows (M, e) of one motor of all samples, with zeros where they do not count.
Eigen::MatrixXd RowsOf(const MotorRegression& regression, Eigen::Index motor) {
  Eigen::MatrixXd Me = Eigen::MatrixXd::Zero(regression.samples(), regression.unknowns() + 1);
  regression.Visit([&](const MotorRegression::Rows& rows) {
    if (rows.row == motor) Me(rows.samples, Eigen::all) = rows.Me;
  });
  return Me;
}

/// Orthonormal basis of the columns.
Eigen::MatrixXd BasisOf(const Eigen::MatrixXd& columns) {
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr;
  qr.setThreshold(kDependent);
  qr.compute(columns * InverseColumnNorms(columns).asDiagonal());
  return qr.householderQ() * Eigen::MatrixXd::Identity(columns.rows(), qr.rank());
}

}  // namespace

FieldTable Visit(InstrumentOptions& o) {
  FieldTable table;
  table
      .Add("history_s", o.history_s,
           {.doc = "Time over which desired positions explain those of the joints",
            .unit = "s",
            .lower = 0.0})
      .Add("step_s", o.step_s,
           {.doc = "Distance of the desired positions that do", .unit = "s", .lower = 1e-4});
  return table;
}

Dataset WithExplainedMotion(const Dataset& dataset, const InstrumentOptions& options) {
  const Channel* const q = dataset.Find(kJointPosition);
  const Channel* const desired = dataset.Find(kDesiredPosition);
  for (const std::string_view name :
       {kJointPosition, kJointVelocity, kJointAcceleration, kDesiredPosition}) {
    const Channel* const channel = dataset.Find(name);
    if (channel != nullptr && q != nullptr && channel->time_s == q->time_s &&
        channel->samples.cols() == q->samples.cols()) {
      continue;
    }
    Refuse(
        fmt::format("instruments need positions, their rates and desired positions of all "
                    "joints at the same times, and '{}' has no such {}",
                    dataset.label(), name));
  }
  const Eigen::Index samples = q->time_s.size();
  if (samples < 2) Refuse(fmt::format("'{}' has no two samples", dataset.label()));
  const double step_s = (q->time_s[samples - 1] - q->time_s[0]) / static_cast<double>(samples - 1);
  const auto delay = std::max<Eigen::Index>(std::lround(options.step_s / step_s), 1);
  const Eigen::Index delays =
      1 + std::lround(options.history_s / step_s) / delay;  // and the desired position itself
  const Eigen::MatrixXd columns = Delayed(desired->samples, delay, delays);
  if (samples <= columns.cols()) {
    Refuse(fmt::format("{} samples of '{}' do not tell {} coefficients of the explained motion",
                       samples, dataset.label(), columns.cols()));
  }
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> fit;
  fit.setThreshold(kDependent);
  fit.compute(columns);
  const Eigen::MatrixXd explained = columns * fit.solve(q->samples);
  const Rates rates = RatesOf(q->time_s, explained);
  Dataset changed = dataset.WithoutChannels();
  for (Channel channel : dataset.channels()) {
    if (channel.name == kJointPosition) channel.samples = explained;
    if (channel.name == kJointVelocity) channel.samples = rates.velocity;
    if (channel.name == kJointAcceleration) channel.samples = rates.acceleration;
    changed.Add(std::move(channel));
  }
  return changed;
}

std::vector<Eigen::MatrixXd> InstrumentedRows(
    const MotorRegression& regression, const MotorRegression& explained,
    const std::function<Eigen::MatrixXd(const MotorRow& motor, const Eigen::MatrixXd& Me)>&
        instruments) {
  std::vector<Eigen::MatrixXd> projected;
  for (std::size_t i = 0; i < regression.motors().size(); ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    Eigen::MatrixXd Z = instruments(regression.motors()[i], RowsOf(explained, row));
    const Eigen::MatrixXd Me = RowsOf(regression, row);
    // An instrument of a sample that does not count is none.
    for (Eigen::Index k = 0; k < Me.rows(); ++k) {
      if (Me.row(k).isZero(0.0)) Z.row(k).setZero();
    }
    projected.emplace_back(BasisOf(Z).transpose() * Me);
  }
  return projected;
}

}  // namespace idbench
