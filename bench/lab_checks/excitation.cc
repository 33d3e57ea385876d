#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <vector>

#include "bench/lab_checks/lab_context.h"

namespace idbench {
namespace {

/// Condition numbers of the scaled regressor that the literature calls good stay below 100; ten
/// times that costs a digit of every parameter.
constexpr double kPoorCondition = 1000.0;

}  // namespace

std::vector<LabFinding> TellExcitation(const LabContext& context) {
  if (context.search == nullptr || NothingFits(context)) return {};
  const Taught taught = context.fit->Teaches(context.search->change);
  const LabParameters& parameters = context.fit->parameters();
  // β that shows under this gravity, with columns scaled to unit length.
  const Eigen::VectorXd diagonal = taught.information.diagonal();
  std::vector<int> seen;
  for (int k = 0; k < diagonal.size(); ++k) {
    if (diagonal[k] > 1e-12 * diagonal.maxCoeff()) seen.push_back(k);
  }
  if (seen.empty()) return {};  // nothing moves: TellStandingStill() says so
  const Eigen::MatrixXd H = taught.information(seen, seen);
  const Eigen::VectorXd scale = H.diagonal().cwiseSqrt().cwiseInverse();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(
      scale.asDiagonal() * H * scale.asDiagonal(), Eigen::EigenvaluesOnly);
  const double least = eigen.eigenvalues()[0], most = eigen.eigenvalues().tail(1)[0];
  const double condition = least > 0.0 ? std::sqrt(most / least) : INFINITY;
  // What the data leave of the file's doubt.
  const Eigen::MatrixXd prior = parameters.information() / std::pow(LabFit::kFile, 2);
  const Eigen::MatrixXd posterior =
      (taught.information + prior)
          .ldlt()
          .solve(Eigen::MatrixXd::Identity(prior.rows(), prior.cols()));
  std::vector<std::string> untold;
  for (const int k : seen) {
    const double before = std::pow(LabFit::kFile, 2) * parameters.covariance()(k, k);
    if (posterior(k, k) > 0.25 * before) {
      untold.push_back(parameters.base().names[static_cast<std::size_t>(k)]);
    }
  }
  if (condition < kPoorCondition && untold.empty()) return {};
  if (condition < kPoorCondition && untold.size() * 4 < seen.size()) return {};
  constexpr std::size_t kTold = 8;
  std::string names = fmt::format(
      "{}", fmt::join(untold.begin(),
                      untold.begin() + static_cast<std::ptrdiff_t>(std::min(kTold, untold.size())),
                      ", "));
  if (untold.size() > kTold) names += fmt::format(" and {} more", untold.size() - kTold);
  return {{.check = "poor_excitation",
           .joint = "",
           .evidence = fmt::format("the scaled regressor of {} base parameters {}; of {} the "
                                   "motion tells less than a file that is wrong by 30 % does{}{}",
                                   seen.size(),
                                   std::isfinite(condition)
                                       ? fmt::format("has condition number {:.3g}", condition)
                                       : "is singular",
                                   untold.size(), untold.empty() ? "" : ": ", names),
           .cure = "a longer or faster motion of all joints at once, far from one plane; what it "
                   "does not tell keeps the file's value and a wide σ"}};
}

}  // namespace idbench
