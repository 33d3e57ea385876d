#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace idbench {

/// Applies Philox4x64-10, a bijection of 256-bit counters for every key (Salmon et al., "Parallel
/// random numbers: as easy as 1, 2, 3", SC 2011).
std::array<std::uint64_t, 4> Philox4x64(const std::array<std::uint64_t, 4>& counter,
                                        const std::array<std::uint64_t, 2>& key);

/// Stream of random numbers that are addressed, not consumed: the draw of (seed, trial, name,
/// channel, index) never depends on other draws.
///
/// `name` says what the numbers are for, e.g. "identification/joint_torque/gaussian"; only its hash
/// is used. The key of Philox4x64 is (seed, hash), its counter (index, channel, trial, 0). The
/// uniform and the normal number of one address come from the same bits: use only one of them.
class RandomStream {
 public:
  RandomStream(std::uint64_t seed, std::int64_t trial, std::string_view name);

  /// Returns a uniform number in (0, 1), one of 2⁵² equally spaced values.
  double Uniform(std::uint64_t channel, std::uint64_t index) const;
  /// Returns a standard normal number √(−2 ln u₁)·cos(2π u₂) of two uniform numbers (Box-Muller);
  /// its magnitude is at most 8.6.
  double Normal(std::uint64_t channel, std::uint64_t index) const;

 private:
  std::array<std::uint64_t, 4> Block(std::uint64_t channel, std::uint64_t index) const;

  std::uint64_t seed_;
  std::uint64_t trial_;
  std::uint64_t name_hash_;
};

/// Returns the 64-bit FNV-1a hash of a text; `basis` chains several texts.
std::uint64_t Hash64(std::string_view text, std::uint64_t basis = 0xcbf29ce484222325ULL);

}  // namespace idbench
