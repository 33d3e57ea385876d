#include "scenarios/motion/trajectory/spline.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace idbench {

SplineMotion::SplineMotion(TimedTable positions)
    : positions_(std::move(positions)),
      accelerations_(Eigen::MatrixXd::Zero(positions_.values.rows(), positions_.values.cols())) {
  // h_(i−1)·m_(i−1) + 2(h_(i−1) + h_i)·m_i + h_i·m_(i+1) = 6·(slope_i − slope_(i−1)), m_0 = m_N =
  // 0: tridiagonal and diagonally dominant, solved by elimination.
  const Eigen::VectorXd& t = positions_.time_s;
  const Eigen::MatrixXd& q = positions_.values;
  const Eigen::Index last = t.size() - 1;
  Eigen::VectorXd above = Eigen::VectorXd::Zero(last);
  for (Eigen::Index i = 1; i < last; ++i) {
    const double h_before = t(i) - t(i - 1);
    const double h = t(i + 1) - t(i);
    const double pivot = 2.0 * (h_before + h) - h_before * above(i - 1);
    above(i) = h / pivot;
    accelerations_.row(i) =
        (6.0 * ((q.row(i + 1) - q.row(i)) / h - (q.row(i) - q.row(i - 1)) / h_before) -
         h_before * accelerations_.row(i - 1)) /
        pivot;
  }
  for (Eigen::Index i = last - 1; i > 0; --i) {
    accelerations_.row(i) -= above(i) * accelerations_.row(i + 1);
  }
}

void SplineMotion::Evaluate(double t, JointState& desired) const {
  const Eigen::VectorXd& time = positions_.time_s;
  const double* begin = time.data();
  const Eigen::Index i = std::clamp<Eigen::Index>(
      std::upper_bound(begin, begin + time.size(), t) - begin - 1, 0, time.size() - 2);
  const double h = time(i + 1) - time(i);
  const double u = t - time(i);
  for (Eigen::Index j = 0; j < positions_.values.cols(); ++j) {
    const double q0 = positions_.values(i, j);
    const double m0 = accelerations_(i, j);
    const double m1 = accelerations_(i + 1, j);
    const double b = (positions_.values(i + 1, j) - q0) / h - h * (2.0 * m0 + m1) / 6.0;
    const double d = (m1 - m0) / (6.0 * h);
    desired.q(j) = q0 + u * (b + u * (m0 / 2.0 + u * d));
    desired.qd(j) = b + u * (m0 + 3.0 * u * d);
    desired.qdd(j) = m0 + 6.0 * u * d;
  }
}

void SplineMotion::Describe(CanonicalText& text) const {
  text.Add("kind", "spline").Add("time_s", positions_.time_s).Add("positions", positions_.values);
}

TimedColumns PositionColumns(const RobotModel& model) {
  TimedColumns columns = NumberedColumns("q{}_rad", model.dofs());
  for (int j = 0; j < model.dofs(); ++j) {
    if (model.link(j).type == JointType::kRevolute) continue;
    auto& names = columns[static_cast<std::size_t>(j)];
    names.insert(names.begin(), fmt::format("q{}_m", j + 1));
  }
  return columns;
}

FieldTable Visit(RecordedMotionOptions& options) {
  FieldTable table;
  table.Add("file", options.file,
            {.doc = "CSV file with the columns t_s and q1_rad, q2_rad … in the order of the "
                    "joints, q1_m for a prismatic joint; time counts from the first row; a cubic "
                    "spline passes through every row, so smooth a noisy recording first",
             .required = true});
  return table;
}

}  // namespace idbench
