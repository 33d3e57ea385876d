#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <string>
#include <vector>

#include "robots/robot.h"
#include "scenarios/options/config_error.h"
#include "scenarios/problem/problem_options.h"

namespace idbench {

/// Returns π of the prior of a trial whose `mean_error` is "declared": the truth is a draw from
/// what the prior states, x ~ N(mean, P₀). Each unknown that `std` gives a σ is drawn about its
/// true value; whatever else the prior holds has the value of DrawPriorSet().
///
/// - A parameter with a σ of its own has the mean π − σ·ξ. Unknowns that combine standard
///   parameters follow through B, as their covariance does: exactly so where it is constant, else
///   to the second order of σ, since P₀ = B·Σ·Bᵀ moves with draws that B does not show.
/// - A body whose σ is of "body" is P = L·(1 + σ·S)·Lᵀ in truth, P₀ = L·Lᵀ its pseudo-inertia in
///   the prior, so L = L_true·C⁻¹ with C·Cᵀ = 1 + σ·S. S is symmetric, with variances 1 on its
///   diagonal and 1/2 beside it, so that BodyCovariance() at P₀ is that of P exactly. On
///   "log_cholesky" it is that of the unknowns to the first order of σ.
/// - On "masses_and_moments" the mass and the second moments s_k = ½ tr(J) − J_k, J_k the
///   principal moments, are divided by 1 + σ·ξ each; this is the same law restricted to what these
///   unknowns leave free. Centres of mass and principal axes are those of DrawPriorSet(), and the
///   law is exact where they are those of the truth, too.
///
/// Draws that would make an eigenvalue of 1 + σ·S, or 1 + σ·ξ, less than 0.05 are made again. The
/// draws are keyed by (seed, trial, "prior/mean_error/" and the name of the body or parameter); the
/// trial is −1 if `draw` is "cell".
/// @param true_pi  of the trial. Estimators get nothing but what was drawn about it.
Eigen::VectorXd DrawPriorMean(const Robot& robot, const ProblemOptions& problem,
                              const Eigen::VectorXd& true_pi, std::uint64_t seed,
                              std::int64_t trial);

/// Returns 1 + e for each unknown, e of the prior's `unknown_error`, keyed by (seed, trial,
/// "prior/unknown_error/" and the name of the unknown); ones without it. The trial is −1 if `draw`
/// is "cell".
Eigen::VectorXd DrawUnknownFactors(const PriorOptions& prior, const std::vector<std::string>& names,
                                   std::uint64_t seed, std::int64_t trial);

/// Returns what keeps a prior's `mean_error` or `unknown_error` from being drawn, with pointers
/// from the scenario on; nothing without it.
/// @param truth  nullptr for a recording.
std::vector<Issue> CheckMeanError(const ProblemOptions& problem, const TruthOptions* truth,
                                  const RobotModel& model);

/// Returns "means of the prior drawn per trial …" for captions; "" where they are not drawn about
/// the truth.
std::string DescribeMeanError(const PriorOptions& prior);

}  // namespace idbench
