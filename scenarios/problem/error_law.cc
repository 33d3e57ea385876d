#include "scenarios/problem/error_law.h"

#include <fmt/format.h>

namespace idbench {
namespace {

/// Beyond it, a normal factor 1 + e would often lie near 0 or below.
constexpr double kGreatestStd = 0.3;

}  // namespace

double DrawError(const ErrorLaw& law, const RandomStream& stream, std::uint64_t channel,
                 std::uint64_t index, double declared_std) {
  if (const auto* sign = std::get_if<RandomSignError>(&law)) {
    return stream.Uniform(channel, index) < 0.5 ? -sign->size : sign->size;
  }
  if (const auto* uniform = std::get_if<UniformError>(&law)) {
    return uniform->lower + (uniform->upper - uniform->lower) * stream.Uniform(channel, index);
  }
  const auto* gaussian = std::get_if<GaussianError>(&law);
  return (gaussian != nullptr ? gaussian->std : declared_std) * stream.Normal(channel, index);
}

FieldTable Visit(RandomSignError& law) {
  FieldTable table;
  table.Add("size", law.size,
            {.doc = "Magnitude of the relative error; its sign is drawn", .lower = 0.0});
  return table;
}

FieldTable Visit(UniformError& law) {
  FieldTable table;
  table.Add("lower", law.lower, {.doc = "Least relative error"})
      .Add("upper", law.upper, {.doc = "Greatest relative error"})
      .Check([&law](std::vector<Issue>& issues) {
        if (law.lower < law.upper) return;
        issues.push_back({"/lower",
                          fmt::format("got {}, not below upper, {}", law.lower, law.upper),
                          {"both are relative: 0.1 and 0.5 stand for 10 to 50 % too much"}});
      });
  return table;
}

FieldTable Visit(GaussianError& law) {
  FieldTable table;
  table.Add("std", law.std,
            {.doc = "Standard deviation of the relative error", .lower = 0.0, .lower_open = true});
  return table;
}

FieldTable Visit(DeclaredError&) { return {}; }

std::string DescribeLaw(const ErrorLaw& law) {
  if (const auto* sign = std::get_if<RandomSignError>(&law)) {
    return fmt::format("±{:.3g} %, signs drawn", 100.0 * sign->size);
  }
  if (const auto* uniform = std::get_if<UniformError>(&law)) {
    return fmt::format("uniform in [{:.3g}, {:.3g}] %", 100.0 * uniform->lower,
                       100.0 * uniform->upper);
  }
  if (const auto* normal = std::get_if<GaussianError>(&law)) {
    return fmt::format("Gaussian with σ = {:.3g} %", 100.0 * normal->std);
  }
  return "Gaussian with the σ that it declares";
}

std::optional<Issue> CheckPositive(const ErrorLaw& law, const std::string& where) {
  const auto issue = [&where](const char* field, std::string what) {
    return Issue{where + field, std::move(what), {"masses and moments have to stay positive"}};
  };
  if (const auto* sign = std::get_if<RandomSignError>(&law); sign && sign->size >= 1.0) {
    return issue("/size", fmt::format("got {}, not below 1", sign->size));
  }
  if (const auto* uniform = std::get_if<UniformError>(&law); uniform && uniform->lower <= -1.0) {
    return issue("/lower", fmt::format("got {}, not above -1", uniform->lower));
  }
  if (const auto* normal = std::get_if<GaussianError>(&law); normal && normal->std > kGreatestStd) {
    return issue("/std", fmt::format("got {}, above {}", normal->std, kGreatestStd));
  }
  return std::nullopt;
}

}  // namespace idbench
