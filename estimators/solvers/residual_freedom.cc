#include "estimators/solvers/residual_freedom.h"

namespace idbench {

ResidualFreedom FreedomOfResiduals(std::span<const EquationRows> equations,
                                   const Eigen::VectorXd& counts, int unknowns) {
  const double all = counts.sum();
  ResidualFreedom freedom;
  double half_variance = 0.0;
  Eigen::Index row = 0;
  for (const EquationRows& rows : equations) {
    const Eigen::VectorXd& rho = rows.autocorrelation;
    const double squares = rho.size() > 0 ? 2.0 * rho.squaredNorm() - 1.0 : 1.0;
    for (Eigen::Index k = 0; k < rows.sigma.size(); ++k, ++row) {
      const double ratio = rows.sigma[k] / rows.of_sample()[k];
      const double part = static_cast<double>(unknowns) * counts[row] / all;
      const double mean = counts[row] - part * ratio * ratio;
      freedom.mean += mean;
      half_variance += mean * squares;
    }
  }
  freedom.effective = freedom.mean * freedom.mean / half_variance;
  return freedom;
}

}  // namespace idbench
