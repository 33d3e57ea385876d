#include "bench/lab_checks/load_of_file.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <utility>

#include "robots/dynamics/parameters.h"

namespace idbench {
namespace {

/// What a load has to explain of the squared difference to the file, in σ: of errors as assumed,
/// one in a thousand lets its ten parameters explain as much (χ² with ten degrees of freedom).
constexpr double kLeastChiSquare = 29.6;
/// σ from which its mass is not 0.
constexpr double kLeastMass = 2.0;
/// Loads that robots carry, σ: part of the mass of all links.
constexpr double kLoadPart = 0.3;
constexpr double kLoadReach = 0.15;  ///< And where their masses are, beyond the last link [m].

using Covariance = Eigen::LLT<Eigen::MatrixXd>;

/// xᵀ·Σ⁻¹·x
double SquaredIn(const Eigen::VectorXd& x, const Covariance& covariance) {
  return covariance.matrixL().solve(x).squaredNorm();
}

double LogLikelihood(const Eigen::VectorXd& x, const Covariance& covariance) {
  const Eigen::MatrixXd factor = covariance.matrixL();
  return -0.5 * SquaredIn(x, covariance) - factor.diagonal().array().log().sum();
}

ParameterLayout LayoutOf(const RobotModel& model) {
  return ParameterLayout(UnderGravity(model, model.gravity()));
}

/// σ of π by errors of 30 % in masses, and in first moments and inertias of 30 % and of what moving
/// the centre of mass by a tenth of a link makes; friction is free.
Eigen::VectorXd DoubtOf(const LabFit& fit) {
  constexpr double kShift = 0.1;
  Eigen::VectorXd sigma = LabFit::kFile * fit.parameters().sigma();
  const RobotModel& model = fit.robot().model;
  const Eigen::VectorXd& pi = fit.robot().FindSet("")->pi;
  const ParameterLayout layout = LayoutOf(model);
  for (int i = 0; i < model.dofs(); ++i) {
    const int body = layout.Body(i);
    const double moment = pi.segment<3>(body + 1).norm();
    for (const auto& [first, count] : {std::pair{1, 3}, std::pair{4, 6}}) {
      const double own = first == 1 ? moment : pi.segment<6>(body + 4).norm();
      for (int k = body + first; k < body + first + count; ++k) {
        sigma[k] = std::min(sigma[k], LabFit::kFile * own + kShift * sigma[k] / LabFit::kFile);
      }
    }
  }
  return sigma;
}

}  // namespace

bool LoadOfFile::IsClear() const {
  return explained >= kLeastChiSquare && load[0] >= kLeastMass * deviation;
}

LoadOfFile FindLoad(LabFit& fit, const DataChange& change, double scale) {
  const LabParameters& parameters = fit.parameters();
  const Taught taught = fit.Teaches(change);
  const Eigen::MatrixXd& B = parameters.base().B;
  const RobotModel& model = fit.robot().model;
  const ParameterLayout layout = LayoutOf(model);
  const int last = model.dofs() - 1;
  double mass = 0.0;
  const Eigen::VectorXd& pi = fit.robot().FindSet("")->pi;
  for (int i = 0; i <= last; ++i) mass += std::abs(pi[layout.Body(i)]);
  // What the data tell, in units of what the file leaves open: β̂ = β + noise.
  Eigen::MatrixXd H = taught.information;
  H.diagonal() += 1e-9 * H.diagonal() + parameters.information().diagonal() * 1e-6;
  const Eigen::MatrixXd noise = H.ldlt().solve(Eigen::MatrixXd::Identity(H.rows(), H.cols()));
  const Eigen::VectorXd doubt = scale * DoubtOf(fit);
  const Eigen::MatrixXd file =
      B * doubt.cwiseAbs2().asDiagonal() * B.transpose() + 0.5 * (noise + noise.transpose());
  const Eigen::VectorXd difference = taught.beta - scale * parameters.mean();
  Eigen::Matrix<double, kInertialCount, 1> sigma;
  const double m = kLoadPart * mass;
  sigma << m, m * kLoadReach, m * kLoadReach, m * kLoadReach,
      Eigen::Matrix<double, 6, 1>::Constant(m * kLoadReach * kLoadReach);
  const Eigen::MatrixXd B_last = B.middleCols(layout.Body(last), kInertialCount);
  const Eigen::MatrixXd prior = sigma.cwiseAbs2().asDiagonal();
  const Covariance of_file(file), of_loaded(file + B_last * prior * B_last.transpose());
  LoadOfFile found;
  found.load.setZero();
  if (of_file.info() != Eigen::Success || of_loaded.info() != Eigen::Success) return found;
  found.explained = SquaredIn(difference, of_file) - SquaredIn(difference, of_loaded);
  found.without = LogLikelihood(difference, of_file);
  found.with = LogLikelihood(difference, of_loaded);
  const Eigen::MatrixXd gain = prior * B_last.transpose();
  found.load = gain * of_loaded.solve(difference);
  const Eigen::MatrixXd covariance = prior - gain * of_loaded.solve(gain.transpose());
  found.deviation = std::sqrt(covariance(0, 0));
  return found;
}

}  // namespace idbench
