#include "bench/rollouts/motion_store.h"

#include <utility>

namespace idbench {

MadeMotion MotionStore::Run(const MotionDesign& design) {
  ++designed_;
  return Design(design, [this](const MotionDesign& other) {
    return other.trial < kTrialsKept ? Get(other) : Make(other);
  });
}

DesiredMotion MotionStore::Get(const MotionDesign& design) {
  const MadeMotion& made = motions_.Get(KeyOf(design), [&] { return Run(design); });
  return {made.motion.get(), made.histories};
}

DesiredMotion MotionStore::Make(const MotionDesign& design) {
  MadeMotion made = Run(design);
  const Motion* const motion = made.motion.get();
  return {motion, std::move(made.histories), std::move(made.motion)};
}

}  // namespace idbench
