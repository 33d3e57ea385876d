#pragma once

#include <cstddef>

#include "reports/statistics/stage.h"

namespace idbench {

/// Numbers of independent units that suffice for a gate.
struct GateNeeds {
  std::size_t first = 0;    ///< Of the first stage.
  std::size_t reserve = 0;  ///< Of the reserve; 0: the first stage is halved to have one.

  bool operator==(const GateNeeds&) const = default;
};

/// The two stages of a gate, as far as they decide what it can find: a first one at α, and a
/// reserve at α/m, the least level that Holm's method asks of one of m members.
///
/// All changes are in units of d (reports/statistics/paired.h); `spread` is the standard deviation
/// of a unit's change.
class GateStages {
 public:
  /// @param members  m, those that are not identical.
  GateStages(double alpha, std::size_t members, std::size_t first, std::size_t reserve);

  /// Returns the probability that a change of `margin` beyond the tolerance is a regression.
  double Power(double margin, double spread) const;
  /// Returns the least change beyond `limit` that is a regression in four of five gates; infinity
  /// if a stage has too few units to reject anything.
  double LeastFound(double limit, double spread) const;
  /// Returns the least tolerance with which unchanged members are all the same in 95 % of gates.
  double LeastDecidable(double spread) const;
  /// Returns the units with which in 95 % of gates unchanged members are all the same, and each of
  /// the two stages finds a change of `must_find` in nine of ten, times 1.3: the spread is an
  /// estimate, and the advice has to suffice.
  /// @param limit, must_find  d of the tolerance and of what must be found, which is greater.
  GateNeeds Needs(double limit, double must_find, double spread) const;

  std::size_t first() const { return first_.units; }
  std::size_t reserve() const { return reserve_.units; }

 private:
  double unchanged_power() const;  ///< Of the statement "same", so that all members get it.

  Stage first_;
  Stage reserve_;
  std::size_t members_;
};

/// Returns the trials that tell an unchanged failure rate from one that rose by `increase`, in 95 %
/// of gates of `members` members, times 1.3. With discordant pairs at a rate q on either side:
/// n = ((z_{1−α} √(2q + δ(1 − δ)) + z_{power} √(2q))/δ)².
/// @param discordant  2q, the fraction of pairs in which one side alone failed.
std::size_t TrialsForRate(double alpha, std::size_t members, double increase, double discordant);

}  // namespace idbench
