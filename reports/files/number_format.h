#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace idbench {

/// Common format of the numbers in one column.
struct NumberFormat {
  bool scientific = false;
  int decimals = 0;
  bool own = false;  ///< Each number as its own shortest exact text, "2.567" beside "1.9e+12".
  /// If not 0: each number with as many significant digits, "0.263" beside "23200", and
  /// "1.20e-09"; whole digits are not rounded.
  int significant = 0;

  /// Returns "0.312", "3.12e-09"; a zero has no sign.
  std::string Print(double value) const;

  bool operator==(const NumberFormat&) const = default;
};

/// Returns the format in which the largest value has `digits` significant digits and the smallest
/// two (one if digits is 1); if that takes too many places, one in which each has `digits`
/// significant digits and its own form, scientific if it is tiny or huge.
/// Ignores values that are zero or not finite.
NumberFormat ChooseFormat(std::span<const double> values, int digits);

/// Returns fixed decimals, as many as the shortest exact text of any of the values has, for numbers
/// that were printed elsewhere. If their sizes differ too much, each keeps its own digits.
NumberFormat KeepPrintedDigits(std::span<const double> values);

/// Returns "7" or "3–7".
std::string RangeText(std::size_t least, std::size_t largest);

/// Returns "8 s", "12 min 05 s" or "3 h 40 min".
std::string PrintDuration(double seconds);

}  // namespace idbench
