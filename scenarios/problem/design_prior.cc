#include "scenarios/problem/design_prior.h"

#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

#include "robots/dynamics/parameters.h"
#include "robots/dynamics/parameters/base_parameters.h"
#include "robots/dynamics/parameters/regrouping.h"
#include "robots/physical_inertia.h"

namespace idbench {
namespace {

constexpr const char* kStdOfProblem = "/problem/prior/std";

/// All of π as what a prior's σ speak of; what is not considered does not count.
class WholePi {
 public:
  WholePi(const Robot& robot, const std::vector<int>& considered)
      : model_(robot.model),
        names_(ParameterNames(robot.model)),
        pi_(MakePhysical(robot.model, robot.FindSet("")->pi).pi),
        J_(Eigen::MatrixXd::Identity(pi_.size(), pi_.size())),
        counts_(names_.size(), false) {
    for (const int k : considered) counts_[static_cast<std::size_t>(k)] = true;
  }

  PriorParameters Get() const { return {model_, names_, pi_, pi_, J_, counts_}; }

  /// Adds an entry of its own, null, for each parameter of which nothing is said.
  SigmaEntries Completed(SigmaEntries std) const {
    const ParameterLayout layout(model_);
    std::vector<bool> said(names_.size(), false);
    for (int body = -1; body < model_.body_end(); ++body) {
      if (BodyEntryFor(std, model_.BodyName(body)) == nullptr) continue;
      std::fill_n(said.begin() + layout.Body(body), kInertialCount, true);
    }
    for (std::size_t k = 0; k < names_.size(); ++k) {
      if (counts_[k] && !said[k] && EntryFor(std, names_[k]) == nullptr) {
        std.emplace_back(names_[k], std::nullopt);
      }
    }
    return std;
  }

 private:
  const RobotModel& model_;
  std::vector<std::string> names_;
  Eigen::VectorXd pi_;
  Eigen::MatrixXd J_;
  std::vector<bool> counts_;
};

/// (B·Σ·Bᵀ)⁻¹ where the variance of some parameters is without bound.
Eigen::MatrixXd PrecisionOf(const Eigen::MatrixXd& B, const Eigen::MatrixXd& covariance,
                            const std::vector<int>& unknown) {
  const Eigen::MatrixXd lost = IndependentColumns(B(Eigen::all, unknown));
  Eigen::MatrixXd kept = Eigen::MatrixXd::Identity(B.rows(), B.rows());
  if (lost.cols() > 0) {
    const Eigen::MatrixXd Q = Eigen::HouseholderQR<Eigen::MatrixXd>(lost).householderQ();
    kept = Q.rightCols(B.rows() - lost.cols());
  }
  const Eigen::MatrixXd of_kept = kept.transpose() * B;
  const Eigen::MatrixXd S = of_kept * covariance * of_kept.transpose();
  return kept * S.llt().solve(kept.transpose());
}

}  // namespace

DesignPrior MakeDesignPrior(const Robot& robot, const SigmaEntries& std,
                            const DesignedParameters& parameters) {
  const WholePi whole(robot, parameters.considered);
  PriorOptions options;
  options.std = whole.Completed(std);
  const PriorParameters of = whole.Get();
  const BaseParameters base =
      FindBaseParameters(robot.model, parameters.equations, parameters.considered,
                         parameters.friction, {parameters.configuration});
  Eigen::MatrixXd covariance = CovarianceByEntries(options, of);
  for (Eigen::Index k = 0; k < covariance.rows(); ++k) {
    if (of.counts[static_cast<std::size_t>(k)]) continue;
    covariance.row(k).setZero();
    covariance.col(k).setZero();
  }
  return {PrecisionOf(base.B, covariance, UnknownByEntries(options, of)), covariance};
}

std::vector<std::string> UnknownToDesignPrior(const Robot& robot, const SigmaEntries& std,
                                              const std::vector<int>& considered) {
  const WholePi whole(robot, considered);
  PriorOptions options;
  options.std = whole.Completed(std);
  const PriorParameters of = whole.Get();
  std::vector<std::string> names;
  for (const int k : UnknownByEntries(options, of)) {
    names.push_back(of.names[static_cast<std::size_t>(k)]);
  }
  return names;
}

std::vector<Issue> CheckDesignPrior(const Robot& robot, const SigmaEntries& std,
                                    const std::vector<int>& considered, const std::string& where) {
  PriorOptions options;
  options.std = std;
  options.relative_std = 1.0;  // so that nothing is missing where nothing is said
  std::vector<Issue> issues = CheckStd(options, WholePi(robot, considered).Get());
  for (Issue& issue : issues) {
    if (!issue.where.starts_with(kStdOfProblem)) continue;
    issue.where = where + issue.where.substr(std::string(kStdOfProblem).size());
  }
  return issues;
}

}  // namespace idbench
