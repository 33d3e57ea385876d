#pragma once

#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "robots/dynamics/parameters.h"
#include "robots/dynamics/regressor_row.h"

namespace idbench {

/// Columns that attached bodies have in rows of the regressor. With Y the columns of the link that
/// carries the body and X that turns its parameters into the link's frame (see TransformationOf()),
/// they are Y·X.
class AttachedColumns {
 public:
  using Transformation = Eigen::Matrix<double, kInertialCount, kInertialCount>;

  /// Adds to row `number` the columns of one body: behind those of links, before those of terms.
  /// @param X        must outlive this object.
  /// @param link     the first of the link's ten packs in that row.
  /// @param body     index into π of the body's first parameter.
  /// @param columns  indices into π, increasing: those that are asked for.
  void Add(std::size_t number, const Transformation& X, std::size_t link, int body,
           const std::vector<int>& columns, RegressorRow& row);

  bool empty() const { return bodies_.empty(); }
  /// Packs that are no column of a row and that these columns are made of: they go to the columns
  /// of KernelTargets::spare.
  const std::vector<std::size_t>& spare() const { return spare_; }

  /// Computes the columns in samples that the kernel has written.
  void Fill(Eigen::Index count, const std::vector<RowDestination>& rows,
            const Eigen::MatrixXd& spare) const;
  /// Computes those of one sample, with the same bits.
  /// @param blocks  its packs, of which the first entry counts.
  void Fill(const double* blocks, const std::vector<RegressorRow>& rows,
            Eigen::Ref<Eigen::MatrixXd>& W) const;

  /// Hands on what factors of the columns are as factors of the packs that they are made of:
  /// add(pack, factors of samples first … first + count − 1).
  /// @param G  factors of the columns of all rows, samples × columns each.
  template <class Add>
  void AddFactors(Eigen::Index first, Eigen::Index count, const std::vector<Eigen::MatrixXd>& G,
                  const Add& add) const {
    for (const Body& body : bodies_) {
      for (const auto& [at, parameter] : body.columns) {
        for (int i = 0; i < kInertialCount; ++i) {
          const double factor = (*body.X)(i, parameter);
          if (factor == 0.0) continue;
          add(body.link + static_cast<std::size_t>(i),
              factor * G[body.row].col(at).segment(first, count));
        }
      }
    }
  }

 private:
  /// A body in one row.
  struct Body {
    std::size_t row;
    std::size_t link;
    const Transformation* X;
    /// Positions within the row's columns, and parameters of the body.
    std::vector<std::pair<int, int>> columns;
    /// Where each pack of the link goes to: position within the row's columns, or −1 − position in
    /// spare().
    std::array<int, kInertialCount> from;
  };

  /// Returns where a pack goes to, see Body::from; makes it a spare one if need be.
  int PlaceOf(const RegressorRow& row, std::size_t block);

  std::vector<Body> bodies_;
  std::vector<std::size_t> spare_;
};

}  // namespace idbench
