#include "reports/run/shard.h"

#include <fmt/format.h>

#include <cassert>
#include <charconv>
#include <stdexcept>

namespace idbench {
namespace {

constexpr std::int64_t kMostShards = 1'000'000;

/// Reads all of `text` as an integer; 0 if it is none.
std::int64_t ParseCount(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? value : 0;
}

}  // namespace

TrialRange Shard::Trials(std::size_t cell, std::int64_t trials) const {
  const auto c = static_cast<std::int64_t>(cell);
  const std::int64_t turned = (index - 1 - c - c / count) % count;
  const std::int64_t piece = turned < 0 ? turned + count : turned;
  return {piece * trials / count, (piece + 1) * trials / count};
}

std::string Shard::Label() const { return fmt::format("{}/{}", index, count); }

FieldTable Visit(Shard& shard) {
  FieldTable table;
  table
      .Add("index", shard.index,
           {.doc = "Number of this part, from 1",
            .lower = 1,
            .upper = kMostShards,
            .required = true})
      .Add("count", shard.count,
           {.doc = "Number of parts", .lower = 1, .upper = kMostShards, .required = true})
      .Check([&shard](std::vector<Issue>& issues) {
        if (shard.index <= shard.count) return;
        issues.push_back({"/index",
                          fmt::format("got {}", shard.index),
                          {fmt::format("accepted here: 1 to {}, the count", shard.count)}});
      });
  return table;
}

Shard ParseShard(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash != std::string_view::npos) {
    const Shard shard{ParseCount(text.substr(0, slash)), ParseCount(text.substr(slash + 1))};
    if (shard.index >= 1 && shard.index <= shard.count && shard.count <= kMostShards) return shard;
  }
  throw std::invalid_argument(
      fmt::format("shard: got '{}'\n  accepted here: I/N, part I of N, as in 3/8", text));
}

Shard OwnerOf(std::size_t cell, std::int64_t trial, std::int64_t trials, std::int64_t count) {
  assert(0 <= trial && trial < trials);
  Shard shard{1, count};
  for (TrialRange range = shard.Trials(cell, trials); trial < range.begin || trial >= range.end;
       range = shard.Trials(cell, trials)) {
    ++shard.index;
  }
  return shard;
}

}  // namespace idbench
