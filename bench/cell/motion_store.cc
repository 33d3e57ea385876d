#include "bench/cell/motion_store.h"

#include <utility>

namespace idbench {

std::unique_ptr<const Motion> MotionStore::Make(const MotionDesign& design) {
  ++designed_;
  return Design(design);
}

DesiredMotion MotionStore::Get(const MotionDesign& design) {
  if (design.trial >= kTrialsKept) {
    std::unique_ptr<const Motion> own = Make(design);
    const Motion* const motion = own.get();
    return {motion, std::move(own)};
  }
  return {motions_.Get(KeyOf(design), [&] { return Make(design); }).get()};
}

}  // namespace idbench
