#include "estimators/observers/observer_registry.h"

#include <algorithm>
#include <array>

#include "estimators/observers/contact_statistic.h"
#include "estimators/observers/end_effector_force.h"
#include "estimators/observers/force_kalman.h"
#include "estimators/observers/momentum_observer.h"
#include "estimators/observers/payload_change.h"
#include "estimators/observers/touch_force.h"

namespace idbench {
namespace {

template <class T>
std::unique_ptr<Observer> MakeObserver() {
  return std::make_unique<T>();
}

}  // namespace

std::span<const ObserverEntry> ObserverRegistry() {
  static constexpr std::array kEntries = {
      ObserverEntry{"end_effector_force", "Force at the end effector from torques of a sample", "",
                    &MakeObserver<EndEffectorForce>},
      ObserverEntry{"momentum_observer",
                    "Force at the end effector from momentum, without accelerations",
                    "De Luca & Mattone 2003, 2005", &MakeObserver<MomentumObserver>},
      ObserverEntry{"force_kalman", "Kalman filter of the force at the end effector", "Kalman 1960",
                    &MakeObserver<ForceKalman>},
      ObserverEntry{"contact_statistic", "Contact by Hotelling's statistic of the residuals",
                    "Traversaro et al. 2013, (17)-(18)", &MakeObserver<ContactStatistic>},
      ObserverEntry{"touch_force", "Force and place of a touch beyond a force/torque sensor", "",
                    &MakeObserver<TouchForce>},
      ObserverEntry{"payload_change", "Another load by least squares over the last seconds", "",
                    &MakeObserver<PayloadChange>},
  };
  return kEntries;
}

std::vector<std::string> ObserverTypes() {
  std::vector<std::string> types;
  for (const ObserverEntry& entry : ObserverRegistry()) types.emplace_back(entry.type);
  return types;
}

const ObserverEntry* FindObserver(std::string_view type) {
  const auto entries = ObserverRegistry();
  const auto at = std::ranges::find(entries, type, &ObserverEntry::type);
  return at == entries.end() ? nullptr : &*at;
}

}  // namespace idbench
