#include "bench/rollouts.h"

namespace idbench {

const Signals& RolloutStore::Get(const std::string& key, const std::function<Signals()>& simulate) {
  Entry* entry = nullptr;
  {
    const std::lock_guard lock(mutex_);
    std::unique_ptr<Entry>& place = entries_[key];
    if (!place) place = std::make_unique<Entry>();
    entry = place.get();
  }
  const std::lock_guard lock(entry->mutex);
  if (!entry->done) {
    entry->signals = simulate();
    entry->done = true;
  }
  return entry->signals;
}

}  // namespace idbench
