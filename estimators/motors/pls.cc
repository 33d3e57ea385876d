#include "estimators/motors/pls.h"

#include <fmt/format.h>

#include <cmath>

#include "estimators/motors/partial_least_squares.h"
#include "estimators/motors/row_triangles.h"
#include "estimators/solvers/seen_directions.h"

namespace idbench {
namespace {

/// Path of x from a triangle of (W A, y − W π₀).
Eigen::MatrixXd PathOf(const Eigen::MatrixXd& triangle, bool scale_columns, Eigen::Index most) {
  const Eigen::Index p = triangle.cols() - 1;
  const Eigen::MatrixXd columns = triangle.leftCols(p);
  const Eigen::VectorXd scale =
      scale_columns ? InverseColumnNorms(columns) : Eigen::VectorXd(Eigen::VectorXd::Ones(p));
  return scale.asDiagonal() *
         PartialLeastSquares(columns * scale.asDiagonal(), triangle.col(p), most).b;
}

/// Returns the same path with as many columns: it stays where it ended.
Eigen::MatrixXd Prolonged(Eigen::MatrixXd path, Eigen::Index columns) {
  const Eigen::Index ended = path.cols();
  path.conservativeResize(Eigen::NoChange, columns);
  for (Eigen::Index k = ended; k < columns; ++k) {
    if (ended > 0) {
      path.col(k) = path.col(ended - 1);
    } else {
      path.col(k).setZero();
    }
  }
  return path;
}

/// Number of latent variables that predicts what was left out best, and its sum of squares.
struct Chosen {
  Eigen::Index components;
  double squares;
};
Chosen ByCrossValidation(const RowTriangles& rows, const Eigen::VectorXd& weights,
                         bool scale_columns) {
  const Eigen::Index most = rows.unknowns();
  Eigen::VectorXd squares = Eigen::VectorXd::Zero(most);
  for (int fold = 0; fold < rows.folds(); ++fold) {
    const Eigen::MatrixXd path = PathOf(rows.Triangle(weights, fold), scale_columns, most);
    squares += rows.Squares(Prolonged(path, most), weights, fold);
  }
  Eigen::Index best = 0;
  const double least = squares.minCoeff(&best);
  return {best + 1, least};
}

}  // namespace

FieldTable Visit(PlsOptions& o) {
  FieldTable table;
  table
      .Add("components", o.components,
           {.doc = "Number of latent variables; absent: by cross-validation", .lower = 1})
      .Add("folds", o.folds,
           {.doc = "Parts of the recorded time that cross-validation leaves out in turn",
            .lower = 2})
      .Add("weights", o.weights, {.doc = "Weights of residuals by kind of row"})
      .Add("scale_columns", o.scale_columns,
           {.doc = "Scale columns to unit norm, so that units do not decide the path"});
  AddDriveDeadZone(o.dead_zone_rad_s, table);
  AddParallelFilter(o.parallel_filter, table);
  return table;
}

EstimatorNeeds Pls::needs() const {
  return FilteredNeeds(options_.parallel_filter, {Capability::kAffine});
}

void Pls::CheckProblem(const Problem& problem) {
  CheckNeeds(problem);
  WithDriveDeadZone(problem, options_.dead_zone_rad_s);
}

Estimate Pls::Identify(const Problem& problem, std::span<const Dataset> datasets) {
  const RegressionRows rows(WithDriveDeadZone(problem, options_.dead_zone_rad_s), datasets,
                            options_.parallel_filter);
  rows.CheckEnoughSamples();
  const RowTriangles triangles(rows, options_.components ? 1 : options_.folds);
  const Eigen::VectorXd weights = WeightsOfRows(problem, options_.weights);
  Estimate estimate;
  Eigen::Index components = options_.components.value_or(0);
  if (!options_.components) {
    const Chosen chosen = ByCrossValidation(triangles, weights, options_.scale_columns);
    components = chosen.components;
    estimate.diagnostics["left_out_rms"] = std::sqrt(chosen.squares / rows.counts().sum());
  }
  const Eigen::MatrixXd path =
      PathOf(triangles.Triangle(weights), options_.scale_columns, components);
  if (path.cols() == 0) {
    throw EstimationFailure(
        Outcome::kRankDeficient,
        "nothing stands on the measured side of the equations: rows of drives alone hold for all "
        "multiples of their unknowns; add the equation of a force/torque sensor, or known gains");
  }
  estimate.x = path.col(path.cols() - 1);
  estimate.knows_hidden = false;
  estimate.diagnostics["components"] = static_cast<double>(path.cols());
  estimate.notes["covariance"] = "none stated: partial least squares does not know its bias";
  return estimate;
}

}  // namespace idbench
