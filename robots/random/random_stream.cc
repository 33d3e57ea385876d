#include "robots/random/random_stream.h"

#include <Random123/philox.h>

#include <Random123/uniform.hpp>
#include <cmath>
#include <numbers>

namespace idbench {

std::array<std::uint64_t, 4> Philox4x64(const std::array<std::uint64_t, 4>& counter,
                                        const std::array<std::uint64_t, 2>& key) {
  const r123::Philox4x64::ctr_type block =
      r123::Philox4x64{}({{counter[0], counter[1], counter[2], counter[3]}}, {{key[0], key[1]}});
  return {block[0], block[1], block[2], block[3]};
}

RandomStream::RandomStream(std::uint64_t seed, std::int64_t trial, std::string_view name)
    : seed_(seed), trial_(static_cast<std::uint64_t>(trial)), name_hash_(Hash64(name)) {}

std::array<std::uint64_t, 4> RandomStream::Block(std::uint64_t channel, std::uint64_t index) const {
  return Philox4x64({index, channel, trial_, 0}, {seed_, name_hash_});
}

double RandomStream::Uniform(std::uint64_t channel, std::uint64_t index) const {
  return r123::u01fixedpt<double>(Block(channel, index)[0]);
}

double RandomStream::Normal(std::uint64_t channel, std::uint64_t index) const {
  const std::array<std::uint64_t, 4> block = Block(channel, index);
  const double radius = std::sqrt(-2.0 * std::log(r123::u01fixedpt<double>(block[0])));
  return radius * std::cos(2.0 * std::numbers::pi * r123::u01fixedpt<double>(block[1]));
}

std::uint64_t Hash64(std::string_view text, std::uint64_t basis) {
  std::uint64_t hash = basis;
  for (const char c : text) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  }
  return hash;
}

}  // namespace idbench
