#pragma once

#include <memory>

#include "scenarios/options/json_fwd.h"

namespace idbench {

/// A JSON value in a struct whose header does without the definition of Json: the header of all
/// JSON costs every source that includes it over a second.
///
/// It behaves like the value: a copy copies it, == compares it, of a const one it is const. One
/// that was moved from can be assigned and destroyed alone.
class JsonValue {
 public:
  JsonValue();  ///< Null.
  JsonValue(Json value);
  JsonValue(const JsonValue& other);
  JsonValue(JsonValue&& other) noexcept;
  JsonValue& operator=(const JsonValue& other);
  JsonValue& operator=(JsonValue&& other) noexcept;
  ~JsonValue();

  /// {}
  static JsonValue EmptyObject();

  Json& operator*() { return *value_; }
  const Json& operator*() const { return *value_; }
  Json* operator->() { return value_.get(); }
  const Json* operator->() const { return value_.get(); }

  friend bool operator==(const JsonValue& a, const JsonValue& b);

 private:
  std::unique_ptr<Json> value_;
};

}  // namespace idbench
