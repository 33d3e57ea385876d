#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <cmath>

#include "bench/lab_checks/lab_context.h"
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

/// xᵀ·Σ⁻¹·x
double SquaredIn(const Eigen::VectorXd& x, const Eigen::LLT<Eigen::MatrixXd>& covariance) {
  return covariance.matrixL().solve(x).squaredNorm();
}

/// σ of π by errors of 30 % in masses, and in first moments and inertias of 30 % and of what moving
/// the centre of mass by a tenth of a link makes; friction is free.
Eigen::VectorXd DoubtOf(const LabContext& context) {
  constexpr double kShift = 0.1;
  Eigen::VectorXd sigma = LabFit::kFile * context.fit->parameters().sigma();
  const Eigen::VectorXd& pi = context.log.robot.FindSet("")->pi;
  const ParameterLayout layout(UnderGravity(context.model(), context.model().gravity()));
  for (int i = 0; i < context.model().dofs(); ++i) {
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

std::vector<LabFinding> TellMissingTool(const LabContext& context) {
  if (context.search == nullptr || context.log.guessed || NothingFits(context)) return {};
  const LabParameters& parameters = context.fit->parameters();
  const Taught taught = context.fit->Teaches(context.search->change);
  const Eigen::MatrixXd& B = parameters.base().B;
  const ParameterLayout layout(UnderGravity(context.model(), context.model().gravity()));
  const int last = context.model().dofs() - 1;
  double mass = 0.0;
  const Eigen::VectorXd& pi = context.log.robot.FindSet("")->pi;
  for (int i = 0; i <= last; ++i) mass += std::abs(pi[layout.Body(i)]);
  // What the data tell, in units of what the file leaves open: β̂ = β + noise.
  Eigen::MatrixXd H = taught.information;
  H.diagonal() += 1e-9 * H.diagonal() + parameters.information().diagonal() * 1e-6;
  const Eigen::MatrixXd noise = H.ldlt().solve(Eigen::MatrixXd::Identity(H.rows(), H.cols()));
  const Eigen::VectorXd doubt = DoubtOf(context);
  const Eigen::MatrixXd file =
      B * doubt.cwiseAbs2().asDiagonal() * B.transpose() + 0.5 * (noise + noise.transpose());
  const Eigen::VectorXd difference = taught.beta - parameters.mean();
  Eigen::Matrix<double, kInertialCount, 1> sigma;
  const double m = kLoadPart * mass;
  sigma << m, m * kLoadReach, m * kLoadReach, m * kLoadReach,
      Eigen::Matrix<double, 6, 1>::Constant(m * kLoadReach * kLoadReach);
  const Eigen::MatrixXd B_last = B.middleCols(layout.Body(last), kInertialCount);
  const Eigen::MatrixXd prior = sigma.cwiseAbs2().asDiagonal();
  const Eigen::MatrixXd loaded = file + B_last * prior * B_last.transpose();
  const Eigen::LLT<Eigen::MatrixXd> of_file(file), of_loaded(loaded);
  if (of_file.info() != Eigen::Success || of_loaded.info() != Eigen::Success) return {};
  const double explained = SquaredIn(difference, of_file) - SquaredIn(difference, of_loaded);
  const Eigen::MatrixXd gain = prior * B_last.transpose();
  const Eigen::VectorXd load = gain * of_loaded.solve(difference);
  const Eigen::MatrixXd covariance = prior - gain * of_loaded.solve(gain.transpose());
  const double deviation = std::sqrt(covariance(0, 0));
  if (explained < kLeastChiSquare || load[0] < kLeastMass * deviation) return {};
  const Eigen::Vector3d com = load.segment<3>(1) / load[0];
  return {
      {.check = "missing_tool",
       .joint = "",
       .evidence = fmt::format(
           "a load of {:.2f} ± {:.2f} (σ) kg at {}, with its centre at ({:.2f}, {:.2f}, {:.2f}) m, "
           "explains the difference to the file's masses that errors of 30 % in all of them do "
           "not (χ² less by {:.0f}); it rests on the file's own masses",
           load[0], deviation, context.model().BodyName(last), com[0], com[1], com[2], explained),
       .cure = "if a tool was mounted: add it to the model file, or declare it in "
               "/robot/attached; what is identified for the last link holds it otherwise"}};
}

}  // namespace idbench
