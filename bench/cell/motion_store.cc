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
    return {own.get(), std::move(own)};
  }
  return {motions_.Get(KeyOf(design), [&] { return Make(design); }).get()};
}

}  // namespace idbench
