#include "reports/files/number_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace idbench {
namespace {

constexpr int kMostDecimals = 6;
constexpr int kLargestExponent = 6;
constexpr int kWidestRange = 4;  ///< Decades between the largest and the smallest value.

/// The shortest text that reads back as the same number, large ones scientific.
std::string ShortestText(double value) {
  if (!std::isfinite(value) || std::abs(value) < std::pow(10.0, kLargestExponent)) {
    return fmt::format("{}", value);
  }
  int decimals = 0;
  std::string text = fmt::format("{:.0e}", value);
  while (std::stod(text) != value) text = fmt::format("{:.{}e}", value, ++decimals);
  return text;
}

int ExponentOf(double value) { return static_cast<int>(std::floor(std::log10(std::abs(value)))); }

/// The format of a number for itself.
NumberFormat FormatAlone(double value, int digits) {
  if (value == 0 || !std::isfinite(value)) return {};
  const int decimals = std::max(digits - 1 - ExponentOf(value), 0);
  const bool scientific =
      decimals > std::max(kMostDecimals, digits) || ExponentOf(value) > kLargestExponent;
  return scientific ? NumberFormat{true, digits - 1} : NumberFormat{false, decimals};
}

}  // namespace

std::string NumberFormat::Print(double value) const {
  if (own) return ShortestText(value);
  if (significant > 0) return FormatAlone(value, significant).Print(value);
  std::string text = scientific ? fmt::format("{:.{}e}", value, decimals)
                                : fmt::format("{:.{}f}", value, decimals);
  const bool zero = text.find_first_of("123456789") == std::string::npos;
  if (zero && std::isfinite(value) && text.front() == '-') text.erase(0, 1);
  return text;
}

NumberFormat ChooseFormat(std::span<const double> values, int digits) {
  std::optional<int> smallest;
  std::optional<int> largest;
  for (const double value : values) {
    if (value == 0 || !std::isfinite(value)) continue;
    const int exponent = ExponentOf(value);
    smallest = std::min(smallest.value_or(exponent), exponent);
    largest = std::max(largest.value_or(exponent), exponent);
  }
  if (!largest) return {};
  const int decimals = std::max({digits - 1 - *largest, std::min(2, digits) - 1 - *smallest, 0});
  const bool too_wide = decimals > std::max(kMostDecimals, digits) || *largest > kLargestExponent ||
                        *largest - *smallest > kWidestRange;
  if (too_wide) return {.significant = digits};
  return {false, decimals};
}

NumberFormat KeepPrintedDigits(std::span<const double> values) {
  NumberFormat format;
  for (const double value : values) {
    if (std::abs(value) >= std::pow(10.0, kLargestExponent)) format.own = true;
    const std::string text = fmt::format("{}", value);
    if (text.find('e') != std::string::npos) format.scientific = true;
    const std::size_t point = text.find('.');
    const std::size_t end = std::min(text.find('e'), text.size());
    const int decimals = point == std::string::npos ? 0 : static_cast<int>(end - point - 1);
    format.decimals = std::max(format.decimals, decimals);
  }
  return format;
}

std::string PrintDuration(double seconds) {
  const auto whole = std::llround(seconds);
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
}

std::string RangeText(std::size_t least, std::size_t largest) {
  return least == largest ? fmt::format("{}", least) : fmt::format("{}–{}", least, largest);
}

}  // namespace idbench
