#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "estimators/interface/observer.h"

namespace idbench {

/// Registry entry of an observer.
struct ObserverEntry {
  std::string_view type;
  std::string_view title;   ///< One line for `idbench list`.
  std::string_view source;  ///< Publication of the method; "" if there is none.
  std::unique_ptr<Observer> (*make)();
};

/// Returns all built-in observers.
std::span<const ObserverEntry> ObserverRegistry();
/// Returns the `type` of each registered observer, in the registry's order.
std::vector<std::string> ObserverTypes();
/// Returns the entry of that type, or nullptr if there is none.
const ObserverEntry* FindObserver(std::string_view type);

}  // namespace idbench
