#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "robots/plant/signals.h"

namespace idbench {

/// Roll-outs that are the same for all trials, simulated once and shared by all cells whose key is
/// the same: the hash of everything that decides them.
///
/// Grows with the number of different roll-outs, not of trials. Safe to use from several threads.
class RolloutStore {
 public:
  /// The signals of `key`; the first caller runs `simulate`, others wait for it.
  /// What `simulate` throws is passed on, and the next caller tries again.
  const Signals& Get(const std::string& key, const std::function<Signals()>& simulate);

 private:
  struct Entry {
    std::mutex mutex;
    bool done = false;
    Signals signals;
  };

  std::mutex mutex_;
  std::map<std::string, std::unique_ptr<Entry>> entries_;
};

}  // namespace idbench
