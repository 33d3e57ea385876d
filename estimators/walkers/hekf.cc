#include "estimators/walkers/hekf.h"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <cmath>

#include "estimators/walkers/wls_fcd.h"
#include "robots/recording/differentiate.h"

namespace idbench {
namespace {

constexpr double kLargestState = 1e3;  ///< Beyond it the filter has run away [rad, rad/s].

/// The filter on one robot.
class Filter {
 public:
  Filter(const Problem& problem, const HekfOptions& options)
      : lagrangian_(*problem.parameters.lagrangian()),
        B_(problem.model.actuation().B),
        options_(options),
        n_(lagrangian_.dofs()),
        p_(lagrangian_.size()),
        size_(2 * n_ + p_),
        z_(Eigen::VectorXd::Zero(size_)),
        P_(Eigen::MatrixXd::Zero(size_, size_)),
        stage_z_(z_),
        rate_z_(z_),
        sum_z_(z_),
        stage_P_(P_),
        rate_P_(P_),
        sum_P_(P_),
        AP_(P_),
        A_(Eigen::MatrixXd::Zero(n_, size_)),
        D_(n_, n_),
        Z_(n_, p_),
        by_q_(n_, n_),
        by_qd_(n_, n_),
        by_u_(n_, B_.cols()),
        Q_(n_, n_) {
    const Eigen::VectorXd guess = problem.parameters.prior->mean;
    P_.bottomRightCorner(p_, p_) =
        (options.relative_std * guess).array().square().matrix().asDiagonal();
  }

  void SetBeta(const Eigen::VectorXd& beta) { z_.tail(p_) = beta; }
  Eigen::VectorXd beta() const { return z_.tail(p_); }
  double normalised_innovation_squared() const {
    return innovations_ / static_cast<double>(updates_ * n_);
  }

  /// All samples of a recording.
  void Run(const WalkerRecording& recording, const FcdMotion& filtered) {
    u_variance_ = DeclaredSigma(recording, recording.u).array().square();
    R_ = Eigen::VectorXd::Constant(n_, std::pow(options_.relative_angle_std_rad, 2));
    R_[0] = std::pow(DeclaredSigmaOfAngle(recording, recording.q), 2);
    Begin(recording, filtered);
    for (Eigen::Index k = 1; k < recording.size(); ++k) {
      Predict(recording, k - 1);
      Update(recording.q.samples.col(k));
      Check(recording, k);
    }
  }

 private:
  /// State of the first sample, and its covariance; β and P of it stay.
  void Begin(const WalkerRecording& recording, const FcdMotion& filtered) {
    const auto half = static_cast<int>(options_.fcd.n_cd.CountAt(recording.Ts));
    const Eigen::Index window = 2 * half + 1;
    const Eigen::VectorXd time_s =
        Eigen::VectorXd::LinSpaced(window, 0.0, recording.Ts * static_cast<double>(window - 1));
    z_.head(n_) = filtered.q.col(0);
    z_.segment(n_, n_) =
        Differentiate(time_s, filtered.q.leftCols(window).transpose(), 1, half).row(0);
    P_.topRows(2 * n_).setZero();
    P_.leftCols(2 * n_).setZero();
    P_.diagonal().head(n_) = R_;
    P_.diagonal().segment(n_, n_).setConstant(std::pow(options_.initial_rate_std_rad_s, 2));
  }

  /// From sample k to the next.
  void Predict(const WalkerRecording& recording, Eigen::Index k) {
    const Eigen::VectorXd u0 = recording.u.samples.col(k);
    const Eigen::VectorXd du = recording.u.samples.col(k + 1) - u0;
    const int steps = options_.step.CountAt(recording.Ts);
    const double share = 1.0 / steps, h = share * recording.Ts;
    for (int step = 0; step < steps; ++step) {
      const auto u_at = [&](double of_step) -> Eigen::VectorXd {
        return u0 + share * (step + of_step) * du;
      };
      sum_z_.setZero();
      sum_P_.setZero();
      Derive(z_, P_, u_at(0.0), recording.Ts);
      AddStage(1.0, 0.5 * h);
      Derive(stage_z_, stage_P_, u_at(0.5), recording.Ts);
      AddStage(2.0, 0.5 * h);
      Derive(stage_z_, stage_P_, u_at(0.5), recording.Ts);
      AddStage(2.0, h);
      Derive(stage_z_, stage_P_, u_at(1.0), recording.Ts);
      AddStage(1.0, 0.0);
      z_ += h / 6.0 * sum_z_;
      P_ += h / 6.0 * sum_P_;
    }
  }

  void AddStage(double weight, double ahead) {
    sum_z_ += weight * rate_z_;
    sum_P_ += weight * rate_P_;
    stage_z_ = z_ + ahead * rate_z_;
    stage_P_ = P_ + ahead * rate_P_;
  }

  /// ż and Ṗ.
  void Derive(const Eigen::VectorXd& z, const Eigen::MatrixXd& P, const Eigen::VectorXd& u,
              double Ts) {
    const auto q = z.head(n_), qd = z.segment(n_, n_), beta = z.tail(p_);
    Eigen::VectorXd qdd(n_);
    lagrangian_.MassMatrix(beta, q, D_);
    factor_.compute(D_);
    if (factor_.info() != Eigen::Success) {
      throw EstimationFailure(Outcome::kDiverged,
                              "the mass matrix of the estimate is not positive definite");
    }
    lagrangian_.Torque(beta, q, qd, Eigen::VectorXd::Zero(n_), qdd);
    qdd = factor_.solve(B_ * u - qdd);
    rate_z_ << qd, qdd, Eigen::VectorXd::Zero(p_);
    // ∂q̈/∂(q, q̇, β) = −D⁻¹·∂(Z·β)/∂(q, q̇, β)
    lagrangian_.TorqueDerivatives(beta, q, qd, qdd, by_q_, by_qd_);
    lagrangian_.Rows(q, qd, qdd, Z_);
    A_ << by_q_, by_qd_, Z_;
    factor_.solveInPlace(A_);
    by_u_ = factor_.solve(B_);
    Q_.noalias() = by_u_ * (Ts * u_variance_).asDiagonal() * by_u_.transpose();
    AP_.topRows(n_) = P.middleRows(n_, n_);
    AP_.middleRows(n_, n_).noalias() = -A_ * P;
    rate_P_ = AP_ + AP_.transpose();
    rate_P_.block(n_, n_, n_, n_) += Q_;
  }

  void Update(const Eigen::VectorXd& y) {
    const Eigen::MatrixXd PH = P_.leftCols(n_);
    Eigen::MatrixXd S = PH.topRows(n_);
    S.diagonal() += R_;
    const Eigen::LLT<Eigen::MatrixXd> factor(S);
    if (factor.info() != Eigen::Success) {
      throw EstimationFailure(Outcome::kDiverged,
                              "the covariance of an innovation is not positive definite");
    }
    const Eigen::VectorXd innovation = y - z_.head(n_);
    const Eigen::MatrixXd K = factor.solve(PH.transpose()).transpose();
    z_ += K * innovation;
    // (1 − K·H)·P·(1 − K·H)ᵀ + K·R·Kᵀ, H the first rows of 1.
    P_ -= K * PH.transpose();
    const Eigen::MatrixXd left = P_.leftCols(n_) - K * R_.asDiagonal();
    P_ -= left * K.transpose();
    innovations_ += factor.matrixL().solve(innovation).squaredNorm();
    ++updates_;
  }

  void Check(const WalkerRecording& recording, Eigen::Index k) const {
    if (z_.allFinite() && z_.head(2 * n_).cwiseAbs().maxCoeff() < kLargestState) return;
    throw EstimationFailure(Outcome::kDiverged,
                            fmt::format("{}: the state ran away at {:.3g} s", recording.label,
                                        static_cast<double>(k) * recording.Ts));
  }

  const PlanarLagrangian& lagrangian_;
  const Eigen::MatrixXd& B_;
  const HekfOptions& options_;
  Eigen::Index n_, p_, size_;
  Eigen::VectorXd z_;
  Eigen::MatrixXd P_;
  Eigen::VectorXd R_, u_variance_;
  double innovations_ = 0.0;
  Eigen::Index updates_ = 0;
  // Of a step: z and P at a stage, their rates there, and the weighted sum of these.
  Eigen::VectorXd stage_z_, rate_z_, sum_z_;
  Eigen::MatrixXd stage_P_, rate_P_, sum_P_, AP_;
  Eigen::MatrixXd A_;  ///< −∂q̈/∂z
  Eigen::MatrixXd D_, Z_, by_q_, by_qd_, by_u_, Q_;
  Eigen::LLT<Eigen::MatrixXd> factor_;
};

}  // namespace

FieldTable Visit(HekfOptions& o) {
  FieldTable table;
  AddDifferenceFields(o.fcd, table);
  AddLongestStep(o.step, table);
  table
      .Add("relative_angle_std_rad", o.relative_angle_std_rad,
           {.doc = "Standard deviation assumed for the relative angles, which "
                   "are measured without noise",
            .unit = "rad",
            .lower = 0.0,
            .lower_open = true})
      .Add("initial_rate_std_rad_s", o.initial_rate_std_rad_s,
           {.doc = "Standard deviation of all rates at the start", .unit = "rad/s", .lower = 0.0})
      .Add(
          "relative_std", o.relative_std,
          {.doc = "Standard deviation of the parameters at the start, relative to the prior's mean",
           .lower = 0.0});
  return table;
}

EstimatorNeeds Hekf::needs() const {
  EstimatorNeeds needs = WalkerNeeds(AngleSensor::kEncoder);
  needs.problem = needs.problem | Capabilities{Capability::kPrior};
  return needs;
}

Estimate Hekf::Identify(const Problem& problem, std::span<const Dataset> datasets) {
  CheckNeeds(problem);
  const std::vector<WalkerRecording> recordings =
      ReadWalkerData(problem, datasets, {}, LeastSamples(options_.fcd));
  Filter filter(problem, options_);
  filter.SetBeta(FitWlsFcd(problem, recordings, {.fcd = options_.fcd}).x);
  for (const WalkerRecording& recording : recordings) {
    filter.Run(recording, FilteredDifferences(problem.model, recording, options_.fcd));
  }
  Estimate estimate;
  estimate.x = filter.beta();
  estimate.diagnostics["normalised_innovation_squared"] = filter.normalised_innovation_squared();
  estimate.notes["covariance"] =
      "none stated: the filter's own is that of a linear system, which this is not";
  return estimate;
}

}  // namespace idbench
