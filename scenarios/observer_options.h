#pragma once

#include <string>
#include <vector>

#include "reports/run/run_manifest.h"
#include "scenarios/options/fields.h"
#include "scenarios/options/json_value.h"

namespace idbench {

/// Models that observers may be given beside estimates.
inline constexpr const char* kModelOfPrior = "prior";
inline constexpr const char* kModelOfTruth = kTruthModel;

/// Observer type with all its options, and what it is given.
struct ObserverOptions {
  std::string type;
  /// Labels of estimators, kModelOfPrior or kModelOfTruth; empty: all that there are.
  std::vector<std::string> models;
  std::vector<std::string> experiments;  ///< Of role application; empty: all of them.
  JsonValue options = JsonValue::EmptyObject();

  void SetLabel(const std::string& label) { type = label; }
  bool operator==(const ObserverOptions&) const = default;
};
template <>
struct Binding<ObserverOptions> {
  static void Read(const Json& json, const std::string& pointer, const FieldInfo& info,
                   ObserverOptions& value, std::vector<Issue>& issues);
  static void Write(const ObserverOptions& value, Json& json);
  static void Schema(const FieldInfo& info, const ObserverOptions& value, Json& schema);
};

}  // namespace idbench
