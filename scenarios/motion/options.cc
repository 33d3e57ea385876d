#include "scenarios/motion/options.h"

namespace idbench {

FieldTable Visit(ExactReplayOptions&) { return {}; }

}  // namespace idbench
