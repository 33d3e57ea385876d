#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "robots/dynamics/dynamics.h"
#include "robots/dynamics/kernel/kernel.h"
#include "robots/dynamics/terms.h"

/// What the rows of a RowRegressor are made of.
namespace idbench {

/// Samples that are evaluated before their Gram matrix is taken: all rows' columns stay in the
/// second-level cache.
inline constexpr Eigen::Index kSamplesAtOnce = 16 * kLanes;

/// Where the numbers of a column come from.
struct RegressorColumn {
  enum class Source : std::uint8_t {
    kBlock,     ///< An entry of the regressor of links.
    kTerm,      ///< An entry of a term's column.
    kAttached,  ///< Entries of the regressor of links, see AttachedColumns.
  };
  Source source;
  std::size_t index = 0;  ///< Of a pack within Dynamics::Scratch::blocks, or of a term.
  std::size_t share = 0;  ///< Of a term.
};

/// An equation row: the columns that can differ from zero.
struct RegressorRow {
  std::vector<int> columns = {};  ///< Positions within those asked for, increasing.
  std::vector<RegressorColumn> sources =
      {};                ///< One per column; none where all are computed at once.
  int first_block = -1;  ///< Of a row of the kernel: where its packs begin, which tells rows apart.
  int same_as = -1;      ///< An earlier row with the same columns, whose numbers it repeats.

  /// Adds a column behind all others.
  void Append(int column, const RegressorColumn& source) {
    columns.push_back(column);
    sources.push_back(source);
  }
  /// Adds a column at its place and returns that.
  std::size_t Insert(int column, const RegressorColumn& source);
};

/// Destination of a row: column c of sample k goes to data[stride·c + k].
struct RowDestination {
  double* data;
  Eigen::Index stride;
};

/// Where the kernel puts its packs: those that are columns of a row to their place, others away.
struct KernelTargets {
  Eigen::VectorXd unused;   ///< What nobody reads.
  Eigen::MatrixXd spare;    ///< See AttachedColumns::spare().
  std::vector<double*> to;  ///< By the kernel's order of packs.
};

/// Writes share `share` of a term's column for samples first … first + count − 1.
void FillTerm(const Term& term, std::size_t share, const FrictionShape& friction,
              const StateSamples& samples, Eigen::Index first, Eigen::Index count, double* to);

}  // namespace idbench
