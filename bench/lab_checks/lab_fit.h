#pragma once

#include <Eigen/Core>
#include <memory>
#include <vector>

#include "bench/lab_checks/data_change.h"
#include "bench/lab_checks/lab_regressor.h"
#include "bench/lab_checks/lab_rows.h"
#include "bench/lab_checks/row_sums.h"
#include "robots/robot.h"

namespace idbench {

/// How well rigid bodies with friction explain a log under a change of its data.
struct FitScore {
  /// Mean squares of what is left of each column of torques in each block, LabRows::kBlocks × n, by
  /// parameters found in the other blocks [recorded units]; NaN where a block has no rows.
  Eigen::MatrixXd held_out;
  /// Root mean square over all blocks, n; and over that of the column.
  Eigen::VectorXd rms, relative;
  Eigen::VectorXd samples;  ///< Rows of each column, n.
  /// Mean power that viscous and Coulomb friction of the joints dissipate by parameters found in
  /// the other blocks, LabRows::kBlocks × n, by column; with the sign of recorded torques, however
  /// these are scaled [recorded units · rad/s]. It is negative where a sign is wrong.
  Eigen::MatrixXd dissipated;

  /// Whether rigid bodies with friction explain a column of torques: what is left is no more than
  /// kAdequate of it.
  bool Explains(Eigen::Index column) const { return relative[column] <= kAdequate; }
  static constexpr double kAdequate = 0.12;

  /// Σ log rms over columns: a log likelihood per sample with its sign turned.
  double Loss() const { return rms.array().max(1e-300).log().sum(); }
};

/// By how much one hypothesis explains a log better than another: of the columns that at least one
/// of both explains. What neither does, as light wrists of which friction of another kind leaves a
/// half, any change improves or worsens by chance.
struct Gain {
  /// Mean over blocks of Σ over columns of log(rms of the other / rms of this one), each clipped
  /// to ±kClip, which keeps a few blocks from deciding.
  double mean = 0.0;
  /// mean over its standard error: blocks are longer than what residuals remember, so that they
  /// count as independent. Student's t with kBlocks − 1 degrees of freedom.
  double t = 0.0;

  static constexpr double kClip = 1.0;
};
/// Returns what `better` gains over `worse`.
Gain GainOf(const FitScore& better, const FitScore& worse);
/// Returns the t that chance exceeds in `false_alarms` of all logs, one of `hypotheses` at least.
double CriticalT(double hypotheses, double false_alarms = 1e-3);

/// Coefficients of columns that were added to the rows of each joint, as many as it has.
struct ExtraFit {
  FitScore score;
  std::vector<Eigen::VectorXd> coefficient;  ///< [unit of torques, those of the model]
  std::vector<Eigen::VectorXd> sigma;        ///< By leaving out one block after another.
  std::vector<Eigen::VectorXd> part;  ///< rms of coefficient·column over that of the torque.
};

/// What all data tell of β, without a prior.
struct Taught {
  Eigen::VectorXd beta;
  /// H of the weighted rows, counting that their residuals are correlated.
  Eigen::MatrixXd information;
};

/// Fits a robot's base parameters, and fv, fc, fo and ia of each joint, to a log by weighted least
/// squares, each joint's σ found from its residuals.
///
/// What the motion does not excite is held by a prior: the file's inertias, wrong by `trust` times
/// the mass of a link, by that over a length of links in its first moments, and over its square in
/// its moments of inertia; friction is free. With kStructure the data decide all that they tell,
/// and little more than the kinematics is needed of the file; with kFile the file's inertias have
/// errors as those of URDF files do.
///
/// Rows of a joint near its reversals are left out: what friction does there is another question.
class LabFit {
 public:
  static constexpr double kStructure = 10.0;
  static constexpr double kFile = 0.3;

  /// Both must outlive this object.
  /// @param guessed  whether the file's inertias are guesses: then they have errors of any size.
  LabFit(const Robot& robot, const LabRows& rows, bool guessed);
  ~LabFit();

  const Robot& robot() const { return parameters_.robot(); }
  const LabRows& rows() const { return rows_; }
  const LabParameters& parameters() const { return parameters_; }
  bool guessed() const { return guessed_; }

  FitScore Score(const DataChange& change, double trust);
  FitScore Structure(const DataChange& change) { return Score(change, kStructure); }
  FitScore File(const DataChange& change) { return Score(change, guessed_ ? kStructure : kFile); }

  /// Returns the loss that searches compare: Structure(change).Loss(); of robots of more than
  /// kMostHeldOut joints that of the samples which are fitted, without parts that are held out.
  double SearchLoss(const DataChange& change);
  static constexpr int kMostHeldOut = 9;

  /// Fits with further columns in the rows of each joint.
  /// @param extras  N × k_j of joint j.
  ExtraFit WithExtras(const DataChange& change, const std::vector<Eigen::MatrixXd>& extras);

  /// Returns what the data tell.
  Taught Teaches(const DataChange& change);

 private:
  struct BlockGrams;  ///< Of one state and torque delay.

  const LabRegressor& RegressorUnder(const Eigen::Vector3d& gravity);
  std::unique_ptr<BlockGrams> MakeGrams(const DataChange& change,
                                        const std::vector<Eigen::MatrixXd>& extras,
                                        Eigen::Index blocks);
  const BlockGrams& GramsOf(const DataChange& change, Eigen::Index blocks);
  GaussianPrior PriorOf(double trust, Eigen::Index extras) const;

  const LabRows& rows_;
  bool guessed_;
  LabParameters parameters_;
  std::unique_ptr<LabRegressor> regressor_;  ///< The last one.
  std::unique_ptr<BlockGrams> grams_;        ///< The last ones.
};

/// Sums of all rows of a state.
struct LabFit::BlockGrams {
  DataChange change;
  /// Σ (w, x, Y)ᵀ(w, x, Y) of row j in block b, w the row's columns of β, x what was added, and Y
  /// all columns of torques: of[b][j].
  std::vector<std::vector<Eigen::MatrixXd>> of;
  std::vector<std::vector<int>> columns;            ///< Of each row, into β and what was added.
  Eigen::MatrixXd counts;                           ///< Blocks × n rows.
  std::vector<std::vector<Eigen::VectorXd>> power;  ///< See RowSums.

  /// Sums of the torques that a change makes of the columns: [b][j].
  std::vector<std::vector<RowSums>> Sums(const DataChange& with) const;
};

}  // namespace idbench
