#pragma once

#include <span>
#include <string>

namespace idbench {

/// How the numbers of one column are printed alike.
struct NumberFormat {
  bool scientific = false;
  int decimals = 0;
  bool own = false;  ///< Each as its own shortest exact text, "2.567" beside "1.9e+12".

  /// "0.312", "3.12e-09"; a zero has no sign.
  std::string Print(double value) const;

  bool operator==(const NumberFormat&) const = default;
};

/// The format in which the largest value has `digits` significant digits and the smallest two (one
/// if digits is 1); scientific with `digits` digits each where that takes too many places. Values
/// that are zero or not finite have no say.
NumberFormat ChooseFormat(std::span<const double> values, int digits);

/// Fixed decimals, as many as the shortest exact text of any of the values has: for numbers that
/// were printed elsewhere. Where their sizes differ too much for that, each keeps its own digits.
NumberFormat KeepPrintedDigits(std::span<const double> values);

/// "8 s", "12 min 05 s" or "3 h 40 min".
std::string PrintDuration(double seconds);

}  // namespace idbench
