#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "robots/random/random_stream.h"
#include "scenarios/options/fields.h"

namespace idbench {

/// e = ±size, with equal probability.
struct RandomSignError {
  static constexpr std::string_view kType = "random_sign";
  double size = 0.2;

  bool operator==(const RandomSignError&) const = default;
};
FieldTable Visit(RandomSignError& law);

/// e uniform between two limits.
struct UniformError {
  static constexpr std::string_view kType = "uniform";
  double lower = -0.2;
  double upper = 0.2;

  bool operator==(const UniformError&) const = default;
};
FieldTable Visit(UniformError& law);

/// e normal with mean 0.
struct GaussianError {
  static constexpr std::string_view kType = "gaussian";
  double std = 0.2;

  bool operator==(const GaussianError&) const = default;
};
FieldTable Visit(GaussianError& law);

/// Error that a prior's `relative_std` declares: the set's value v is a draw from N(p,
/// (relative_std·p)²) about the prior's value p, so p = v/(1 + relative_std·z) with z
/// standard normal.
struct DeclaredError {
  static constexpr std::string_view kType = "declared";

  bool operator==(const DeclaredError&) const = default;
};
FieldTable Visit(DeclaredError& law);

/// Distribution of a relative error e: a value v becomes v·(1 + e), except for DeclaredError.
using ErrorLaw = std::variant<RandomSignError, UniformError, GaussianError, DeclaredError>;

/// Returns draw (channel, index) of e. A DeclaredError is normal with σ = declared_std, and is what
/// z·relative_std is above.
double DrawError(const ErrorLaw& law, const RandomStream& stream, std::uint64_t channel,
                 std::uint64_t index, double declared_std = 0.0);

/// Returns "±20 %, signs drawn", "uniform in [10, 50] %" …
std::string DescribeLaw(const ErrorLaw& law);

/// Returns what is wrong with a law for values that must stay positive, such as masses;
/// nothing if it suits.
/// @param where  JSON pointer of the law.
std::optional<Issue> CheckPositive(const ErrorLaw& law, const std::string& where);

}  // namespace idbench
