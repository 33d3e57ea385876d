#pragma once

#include <atomic>
#include <cstdint>

#include "bench/rollouts/motion_design.h"
#include "bench/rollouts/once_per_key.h"

namespace idbench {

/// Motions that were designed. One that trials share is designed once, for all cells with the same
/// design; so is one of the first few trials, whose data are made more than once (for timing, and
/// to be exported). Those of later trials belong to who asks for them.
///
/// Grows with the number of cells and of different designs, not of trials. Safe to use from several
/// threads.
class MotionStore {
 public:
  /// Trials 0 … kTrialsKept − 1 of a run are those first few.
  static constexpr std::int64_t kTrialsKept = 5;

  /// What Design() makes of it, once. What that throws is passed on, and the next caller tries
  /// again.
  DesiredMotion Get(const MotionDesign& design);
  /// What Design() makes of it, for the caller alone.
  DesiredMotion Make(const MotionDesign& design);

  /// How often Design() ran.
  std::int64_t designed() const { return designed_; }

 private:
  MadeMotion Run(const MotionDesign& design);

  OncePerKey<MadeMotion> motions_;
  std::atomic<std::int64_t> designed_ = 0;
};

}  // namespace idbench
