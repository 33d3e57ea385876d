#include "scenarios/options/json_value.h"

#include <utility>

#include "scenarios/options/json.h"

namespace idbench {

JsonValue::JsonValue() : JsonValue(Json()) {}

JsonValue::JsonValue(Json value) : value_(std::make_unique<Json>(std::move(value))) {}

JsonValue::JsonValue(const JsonValue& other) : JsonValue(*other) {}

JsonValue::JsonValue(JsonValue&& other) noexcept = default;

JsonValue& JsonValue::operator=(const JsonValue& other) {
  value_ = std::make_unique<Json>(*other);
  return *this;
}

JsonValue& JsonValue::operator=(JsonValue&& other) noexcept = default;

JsonValue::~JsonValue() = default;

JsonValue JsonValue::EmptyObject() { return Json::object(); }

bool operator==(const JsonValue& a, const JsonValue& b) { return *a == *b; }

}  // namespace idbench
