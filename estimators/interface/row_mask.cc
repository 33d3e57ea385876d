#include "estimators/interface/row_mask.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "estimators/interface/estimate.h"

namespace idbench {
namespace {

constexpr double kLeftOut = std::numeric_limits<double>::quiet_NaN();

bool HasZone(const EquationRows& rows) { return rows.dead_zone.size() > 0; }

/// Whether the torque of `joint` depends on v = cᵀq̇.
bool Moves(const std::vector<Term::Share>& shares, int joint) {
  return std::ranges::find(shares, joint, &Term::Share::joint) != shares.end();
}

std::string NameOfRow(const RobotModel& model, const EquationRows& rows, int row) {
  const std::span<const std::string_view> components = ComponentsOf(ChannelNamed(rows.measured()));
  return fmt::format("{} {}", ToString(rows.equation),
                     components.empty() ? model.link(row).joint
                                        : std::string(components[static_cast<std::size_t>(row)]));
}

}  // namespace

void RowMask::AddSpeeds(const RobotModel& model, const Eigen::VectorXd& zones) {
  for (int joint = 0; joint < model.dofs(); ++joint) {
    if (zones[joint] > 0.0) speeds_.push_back({{{.joint = joint}}, zones[joint]});
  }
  const Eigen::MatrixXd& B = model.actuation().B;
  for (Eigen::Index motor = 0; motor < B.cols(); ++motor) {
    Speed speed{SharesOf(B.col(motor)), 0.0};
    if (speed.shares.size() < 2) continue;  // its only joint says it
    const double most = B.col(motor).cwiseAbs().maxCoeff();
    for (Term::Share& share : speed.shares) share.factor /= most;
    for (const Term::Share& share : speed.shares)
      speed.zone = std::max(speed.zone, zones[share.joint]);
    if (speed.zone > 0.0) speeds_.push_back(std::move(speed));
  }
}

RowMask::RowMask(const RobotModel& model, std::span<const EquationRows> equations) {
  if (std::ranges::none_of(equations, [](const EquationRows& rows) { return HasZone(rows); })) {
    return;
  }
  Eigen::Index first_row = 0;
  for (const EquationRows& rows : equations) {
    const std::vector<int> chosen = ChosenRows(rows.placed(), model.dofs());
    const std::size_t first = speeds_.size();
    if (HasZone(rows)) AddSpeeds(model, rows.dead_zone);
    const bool of_all_joints = rows.dead_zone_of == DeadZoneOf::kSample ||
                               InfoOf(rows.equation).rows == RowsFrom::kMappedRows;
    for (std::size_t i = 0; i < chosen.size() && first < speeds_.size(); ++i) {
      const int row = chosen[i];
      Row masked{first_row + static_cast<Eigen::Index>(i), NameOfRow(model, rows, row), {}};
      for (std::size_t k = first; k < speeds_.size(); ++k) {
        if (of_all_joints || Moves(speeds_[k].shares, row)) masked.speeds.push_back(k);
      }
      if (!masked.speeds.empty()) rows_.push_back(std::move(masked));
    }
    first_row += std::ssize(chosen);
  }
}

template <class Rates>
bool RowMask::Counts(const Row& row, const Rates& qd) const {
  return std::ranges::all_of(row.speeds, [&](std::size_t k) {
    double v = 0.0;
    for (const Term::Share& share : speeds_[k].shares) v += share.factor * qd[share.joint];
    return std::abs(v) >= speeds_[k].zone;
  });
}

void RowMask::Apply(const Eigen::Ref<const Eigen::VectorXd>& qd,
                    Eigen::Ref<Eigen::VectorXd> y) const {
  for (const Row& row : rows_) {
    if (!Counts(row, qd)) y[row.row] = kLeftOut;
  }
}

void RowMask::ApplyToSamples(const Eigen::Ref<const Eigen::MatrixXd>& qd,
                             Eigen::Ref<Eigen::MatrixXd> y) const {
  for (const Row& row : rows_) {
    for (Eigen::Index k = 0; k < qd.rows(); ++k) {
      if (!Counts(row, qd.row(k))) y(k, row.row) = kLeftOut;
    }
  }
}

void RowMask::CheckLeft(const Eigen::Ref<const Eigen::VectorXd>& counts,
                        Eigen::Index samples) const {
  for (const Row& row : rows_) {
    if (counts[row.row] > 0.0) continue;
    Refuse(
        fmt::format("{}: nothing is left, all {} samples lie in its dead zone; make "
                    "dead_zone_rad_s smaller, or 0 for joints that are to count at rest",
                    row.name, samples));
  }
}

std::string LeftOutRows::Describe() const {
  const double percent = 100.0 * static_cast<double>(left_out) / static_cast<double>(rows);
  return fmt::format("{:.3g} % of the rows of {} lie in the dead zone", percent, equation);
}

std::vector<LeftOutRows> LeftOutOf(const Problem& problem, std::span<const Dataset> datasets) {
  std::vector<LeftOutRows> all;
  for (const EquationRows& rows : problem.rows) {
    const RowMask mask(problem.model, {&rows, 1});
    if (mask.empty()) continue;
    LeftOutRows left{std::string(rows.measured()), 0, 0};
    for (const Dataset& dataset : datasets) {
      const Channel* const velocity = dataset.Find(kJointVelocity);
      if (dataset.role() != Role::kIdentification || velocity == nullptr) continue;
      if (velocity->samples.cols() != problem.model.dofs()) continue;  // estimators refuse it
      Eigen::MatrixXd y =
          Eigen::MatrixXd::Zero(velocity->samples.rows(), rows.count(problem.model));
      mask.ApplyToSamples(velocity->samples, y);
      left.rows += y.size();
      left.left_out += y.array().isNaN().count();
    }
    if (left.rows > 0) all.push_back(std::move(left));
  }
  return all;
}

}  // namespace idbench
