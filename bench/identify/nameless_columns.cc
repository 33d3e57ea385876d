#include "bench/identify/nameless_columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <utility>

#include "robots/recording/channels.h"
#include "scenarios/options/config_error.h"

namespace idbench {
namespace {

bool HasLetters(const std::string& name) {
  return std::ranges::any_of(name, [](unsigned char letter) { return std::isalpha(letter) != 0; });
}

bool Increases(const Eigen::VectorXd& column) {
  for (Eigen::Index i = 1; i < column.size(); ++i) {
    if (!(column[i] > column[i - 1])) return false;
  }
  return column.size() > 1;
}

/// Part of the variance of x that a + b·t + k·∫ẋ dt with k > 0 explains, for the joint that moves
/// most; 0 if k is not positive.
double ExplainedByIntegral(const Eigen::MatrixXd& x, const Eigen::MatrixXd& rate,
                           const Eigen::VectorXd& time) {
  Eigen::Index joint = 0;
  (x.rowwise() - x.colwise().mean()).colwise().squaredNorm().maxCoeff(&joint);
  const Eigen::Index count = x.rows();
  Eigen::MatrixXd columns(count, 3);
  columns.col(0).setOnes();
  columns.col(1) = time.array() - time.mean();
  columns(0, 2) = 0.0;
  for (Eigen::Index i = 1; i < count; ++i) {
    columns(i, 2) =
        columns(i - 1, 2) + 0.5 * (time[i] - time[i - 1]) * (rate(i, joint) + rate(i - 1, joint));
  }
  const Eigen::VectorXd signal = x.col(joint);
  const Eigen::MatrixXd without = columns.leftCols(2);
  const double line =
      (signal - without * without.colPivHouseholderQr().solve(signal)).squaredNorm();
  const Eigen::VectorXd fit = columns.colPivHouseholderQr().solve(signal);
  // A sine is, but for its sign, the integral of its own rate.
  if (!(fit[2] > 0.0) || !(line > 0.0)) return 0.0;
  return 1.0 - (signal - columns * fit).squaredNorm() / line;
}

/// Root mean square of second differences over that of the signals about their means.
double Roughness(const Eigen::MatrixXd& x) {
  const Eigen::Index count = x.rows();
  if (count < 3) return 0.0;
  const Eigen::MatrixXd second =
      x.topRows(count - 2) - 2.0 * x.middleRows(1, count - 2) + x.bottomRows(count - 2);
  const double size = (x.rowwise() - x.colwise().mean()).norm();
  return size > 0.0 ? second.norm() / size : 0.0;
}

class NamelessReader {
 public:
  NamelessReader(const LogTable& table, const std::string& source, std::size_t dofs)
      : table_(table), source_(source), dofs_(static_cast<Eigen::Index>(dofs)) {
    const Eigen::Index columns = table.values.cols();
    has_time_ = columns > 1 && Increases(table.values.col(0));
    const Eigen::Index others = columns - (has_time_ ? 1 : 0);
    if (others % dofs_ != 0 || others < 2 * dofs_) {
      throw ConfigError(
          source_, "",
          fmt::format("has {} columns without names, which are not {}time and blocks of {} joints",
                      columns, has_time_ ? "" : "(without an increasing first column) ", dofs_),
          {"say which they are: --columns time=1 --columns joint_position='{2..8}' …",
           "if the log has fewer joints than the robot's file, leave the others out of it"});
    }
    const Eigen::Index rows = table.values.rows();
    time_ = Eigen::VectorXd::LinSpaced(rows, 0.0, static_cast<double>(rows - 1));
    if (has_time_) time_ = table.values.col(0);
    for (Eigen::Index first = has_time_ ? 1 : 0; first < columns; first += dofs_) {
      blocks_.push_back(table.values.middleCols(first, dofs_));
    }
  }

  NamelessColumns Read() {
    const int position = FindPosition();
    const int velocity = RateOf(position);
    const int acceleration = velocity < 0 ? -1 : RateOf(velocity);
    if (has_time_) Add(kTime, 0, 1, "it increases all along");
    AddBlock(kJointPosition, position, why_position_);
    if (velocity >= 0) AddBlock(kJointVelocity, velocity, "their integral is the positions");
    if (acceleration >= 0) {
      AddBlock(kJointAcceleration, acceleration, "their integral is the velocities");
    }
    std::vector<int> left;
    for (int k = 0; k < std::ssize(blocks_); ++k) {
      if (k != position && k != velocity && k != acceleration) left.push_back(k);
    }
    if (left.size() != 1) {
      throw ConfigError(source_, "",
                        fmt::format("has {} blocks of columns that could be torque", left.size()),
                        {"say which are: --columns joint_torque='{9..15}'"});
    }
    AddBlock(kJointTorque, left.front(), "nothing else is left");
    return std::move(result_);
  }

 private:
  static constexpr double kIsRate = 0.99;

  int RateOf(int block) const {
    for (int k = 0; k < std::ssize(blocks_); ++k) {
      if (k != block && Explains(k, block)) return k;
    }
    return -1;
  }
  bool Explains(int rate, int block) const {
    return ExplainedByIntegral(blocks_[static_cast<std::size_t>(block)],
                               blocks_[static_cast<std::size_t>(rate)], time_) >= kIsRate;
  }

  int FindPosition() {
    int smoothest = 0;
    for (int k = 0; k < std::ssize(blocks_); ++k) {
      bool is_rate = false;
      for (int other = 0; other < std::ssize(blocks_); ++other) {
        is_rate = is_rate || (other != k && Explains(k, other));
      }
      if (!is_rate && RateOf(k) >= 0) {
        why_position_ = "other columns are their rates";
        return k;
      }
      const auto rough = [this](int block) {
        return Roughness(blocks_[static_cast<std::size_t>(block)]);
      };
      if (rough(k) < rough(smoothest)) smoothest = k;
    }
    why_position_ = "they are the smoothest";
    return smoothest;
  }

  void AddBlock(std::string_view channel, int block, const std::string& why) {
    const Eigen::Index first = (has_time_ ? 1 : 0) + block * dofs_;
    Add(channel, first, dofs_, why);
  }
  void Add(std::string_view channel, Eigen::Index first, Eigen::Index count,
           const std::string& why) {
    ColumnGroup group{0, &table_, channel, ColumnSource::kPlain, "", {}, false};
    for (Eigen::Index j = first; j < first + count; ++j) {
      LabColumn column;
      column.name = table_.columns[static_cast<std::size_t>(j)];
      group.columns.push_back(std::move(column));
    }
    result_.sentences.push_back(fmt::format("columns without names: {} is taken for {}, because {}",
                                            group.Describe(), channel, why));
    result_.groups.push_back(std::move(group));
  }

  const LogTable& table_;
  const std::string& source_;
  Eigen::Index dofs_;
  bool has_time_ = false;
  Eigen::VectorXd time_;
  std::vector<Eigen::MatrixXd> blocks_;
  std::string why_position_;
  NamelessColumns result_;
};

}  // namespace

std::optional<NamelessColumns> ReadNameless(const std::vector<Log>& logs, std::size_t dofs) {
  if (logs.size() != 1 || logs.front().tables.size() != 1) return std::nullopt;
  const LogTable& table = logs.front().tables.front();
  if (std::ranges::any_of(table.columns, HasLetters) || table.columns.empty()) return std::nullopt;
  return NamelessReader(table, logs.front().source, dofs).Read();
}

}  // namespace idbench
