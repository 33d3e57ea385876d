#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace idbench {

/// Values that are made once for each key, and stay. Safe to use from several threads.
template <class T>
class OncePerKey {
 public:
  /// The value of `key`; the first caller runs `make`, others wait for it.
  /// What `make` throws is passed on, and the next caller tries again.
  const T& Get(const std::string& key, const std::function<T()>& make) {
    Entry* entry = nullptr;
    {
      const std::lock_guard lock(mutex_);
      std::unique_ptr<Entry>& place = entries_[key];
      if (!place) place = std::make_unique<Entry>();
      entry = place.get();
    }
    const std::lock_guard lock(entry->mutex);
    if (!entry->value) entry->value.emplace(make());
    return *entry->value;
  }

 private:
  struct Entry {
    std::mutex mutex;
    std::optional<T> value;
  };

  std::mutex mutex_;
  std::map<std::string, std::unique_ptr<Entry>> entries_;
};

}  // namespace idbench
