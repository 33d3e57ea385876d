#include "reports/bootstrap.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <numeric>
#include <stdexcept>

#include "reports/quantile.h"

namespace idbench {
namespace {

/// Values sorted by roll-out; those of roll-out r lie in [starts[r], starts[r + 1]).
struct Clusters {
  std::vector<double> values;
  std::vector<std::uint32_t> starts;
};

Clusters GroupByRollout(std::span<const double> values, std::span<const std::uint32_t> rollouts) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return rollouts[i]; });
  Clusters clusters;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i == 0 || rollouts[order[i]] != rollouts[order[i - 1]]) {
      clusters.starts.push_back(static_cast<std::uint32_t>(i));
    }
    clusters.values.push_back(values[order[i]]);
  }
  clusters.starts.push_back(static_cast<std::uint32_t>(order.size()));
  return clusters;
}

double ResampledMean(const Clusters& clusters, IndexStream& stream) {
  const auto n_clusters = static_cast<std::uint32_t>(clusters.starts.size() - 1);
  double sum = 0;
  std::size_t count = 0;
  for (std::uint32_t i = 0; i < n_clusters; ++i) {
    const std::uint32_t cluster = stream.Below(n_clusters);
    const std::uint32_t start = clusters.starts[cluster];
    const std::uint32_t size = clusters.starts[cluster + 1] - start;
    for (std::uint32_t k = 0; k < size; ++k) sum += clusters.values[start + stream.Below(size)];
    count += size;
  }
  return sum / static_cast<double>(count);
}

}  // namespace

std::uint32_t IndexStream::Below(std::uint32_t bound) {
  assert(bound > 0);
  if (bound == 1) return 0;
  // The upper word of draw · bound is uniform once the draws that make it uneven are rejected:
  // those whose lower word is below 2³² mod bound.
  std::uint64_t product = (engine_() >> 32) * bound;
  if (static_cast<std::uint32_t>(product) < bound) {
    const std::uint32_t uneven = (0U - bound) % bound;
    while (static_cast<std::uint32_t>(product) < uneven) product = (engine_() >> 32) * bound;
  }
  return static_cast<std::uint32_t>(product >> 32);
}

std::vector<double> BootstrapMeans(std::span<const double> values,
                                   std::span<const std::uint32_t> rollouts,
                                   const BootstrapOptions& options) {
  if (values.size() != rollouts.size() || values.empty() || options.draws == 0) {
    throw std::invalid_argument(
        fmt::format("BootstrapMeans: got {} values, {} roll-outs, {} draws; accepted are one "
                    "roll-out per value, at least one value and one draw",
                    values.size(), rollouts.size(), options.draws));
  }
  const Clusters clusters = GroupByRollout(values, rollouts);
  IndexStream stream(options.seed);
  std::vector<double> means(options.draws);
  for (double& mean : means) mean = ResampledMean(clusters, stream);
  return means;
}

ConfidenceInterval PercentileInterval(std::vector<double> replicates, double level) {
  if (replicates.empty() || !(level > 0 && level < 1)) {
    throw std::invalid_argument(
        fmt::format("PercentileInterval: got {} replicates and level {}; accepted are at least one "
                    "replicate and a level in (0, 1)",
                    replicates.size(), level));
  }
  std::ranges::sort(replicates);
  return {SortedQuantile(replicates, (1 - level) / 2).value(),
          SortedQuantile(replicates, (1 + level) / 2).value()};
}

}  // namespace idbench
