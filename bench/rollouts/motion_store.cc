#include "bench/rollouts/motion_store.h"

#include <utility>

namespace idbench {

std::unique_ptr<const Motion> MotionStore::Run(const MotionDesign& design) {
  ++designed_;
  return Design(design, [this](const MotionDesign& other) {
    return other.trial < kTrialsKept ? Get(other) : Make(other);
  });
}

DesiredMotion MotionStore::Get(const MotionDesign& design) {
  return {motions_.Get(KeyOf(design), [&] { return Run(design); }).get()};
}

DesiredMotion MotionStore::Make(const MotionDesign& design) {
  std::unique_ptr<const Motion> own = Run(design);
  const Motion* const motion = own.get();
  return {motion, std::move(own)};
}

}  // namespace idbench
