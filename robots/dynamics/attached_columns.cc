#include "robots/dynamics/attached_columns.h"

#include <algorithm>

namespace idbench {

int AttachedColumns::PlaceOf(const RegressorRow& row, std::size_t block) {
  const auto column = std::ranges::find_if(row.sources, [block](const RegressorColumn& source) {
    return source.source == RegressorColumn::Source::kBlock && source.index == block;
  });
  if (column != row.sources.end()) return static_cast<int>(column - row.sources.begin());
  const auto spare = std::ranges::find(spare_, block) - spare_.begin();
  if (spare == std::ssize(spare_)) spare_.push_back(block);
  return -1 - static_cast<int>(spare);
}

void AttachedColumns::Add(std::size_t number, const Transformation& X, std::size_t link, int body,
                          const std::vector<int>& columns, RegressorRow& row) {
  const auto from = std::ranges::lower_bound(columns, body);
  const auto until = std::ranges::lower_bound(columns, body + kInertialCount);
  if (from == until) return;
  Body added{number, link, &X, {}, {}};
  for (std::size_t i = 0; i < kInertialCount; ++i) added.from[i] = PlaceOf(row, link + i);
  for (auto k = from; k != until; ++k) {
    // Columns of links, which stand before, keep their places.
    const std::size_t at =
        row.Insert(static_cast<int>(k - columns.begin()), {RegressorColumn::Source::kAttached});
    added.columns.emplace_back(static_cast<int>(at), *k - body);
  }
  bodies_.push_back(std::move(added));
}

void AttachedColumns::Fill(Eigen::Index count, const std::vector<RowDestination>& rows,
                           const Eigen::MatrixXd& spare) const {
  for (const Body& body : bodies_) {
    const RowDestination& to = rows[body.row];
    for (const auto& [at, parameter] : body.columns) {
      Eigen::Map<Eigen::VectorXd> column(to.data + to.stride * at, count);
      column.setZero();
      for (int i = 0; i < kInertialCount; ++i) {
        const double factor = (*body.X)(i, parameter);
        if (factor == 0.0) continue;
        const int from = body.from[static_cast<std::size_t>(i)];
        const double* const link =
            from >= 0 ? to.data + to.stride * from : spare.col(-1 - from).data();
        column += factor * Eigen::Map<const Eigen::VectorXd>(link, count);
      }
    }
  }
}

void AttachedColumns::Fill(const double* blocks, const std::vector<RegressorRow>& rows,
                           Eigen::Ref<Eigen::MatrixXd>& W) const {
  for (const Body& body : bodies_) {
    for (const auto& [at, parameter] : body.columns) {
      double sum = 0.0;  // in the order of the other Fill()
      for (int i = 0; i < kInertialCount; ++i) {
        const double factor = (*body.X)(i, parameter);
        if (factor == 0.0) continue;
        sum += factor *
               blocks[static_cast<std::size_t>(kLanes) * (body.link + static_cast<std::size_t>(i))];
      }
      W(static_cast<Eigen::Index>(body.row), rows[body.row].columns[static_cast<std::size_t>(at)]) =
          sum;
    }
  }
}

}  // namespace idbench
