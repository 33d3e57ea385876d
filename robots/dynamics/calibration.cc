#include "robots/dynamics/calibration.h"

#include <Eigen/Eigenvalues>
#include <algorithm>

namespace idbench {

bool IsCalibration(const Term& term) {
  return term.rows == TermRows::kCut && term.argument == TermArgument::kInput;
}

bool HasCalibration(const RobotModel& model, int cut) {
  return std::ranges::any_of(
      model.terms(), [cut](const Term& term) { return IsCalibration(term) && term.cut == cut; });
}

bool HasCalibration(const RobotModel& model) {
  return std::ranges::any_of(model.terms(), IsCalibration);
}

Eigen::Matrix<double, 6, 6> CalibrationOf(const RobotModel& model, int cut,
                                          const Eigen::Ref<const Eigen::VectorXd>& pi) {
  Eigen::Matrix<double, 6, 6> calibration = Eigen::Matrix<double, 6, 6>::Identity();
  Eigen::Index k = pi.size() - std::ssize(model.terms());
  for (const Term& term : model.terms()) {
    const double d = pi[k++];
    if (!IsCalibration(term) || term.cut != cut) continue;
    // The term adds factor·w·d to the right side, and D·w stands on the left one.
    const int column = term.input - model.WrenchInput(cut);
    for (const Term::Share& share : term.shares) {
      calibration(share.joint, column) -= share.factor * d;
    }
  }
  return calibration;
}

double LeastOfCalibration(const Eigen::Matrix<double, 6, 6>& calibration) {
  return calibration.eigenvalues().cwiseAbs().minCoeff();
}

}  // namespace idbench
