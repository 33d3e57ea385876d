#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scenarios/options/fields.h"
#include "scenarios/options/json.h"

/// For tests: values and schemas of bindings.
namespace idbench {

/// One T, read from JSON text as the member "/x" of the file "a.json".
template <class T>
struct Reading {
  explicit Reading(std::string_view text, const FieldInfo& info = {}, T start = {})
      : value(std::move(start)) {
    std::vector<Issue> issues;
    Binding<T>::Read(ParseJson(text, "a.json"), "/x", info, value, issues);
    if (!issues.empty()) error = ConfigError("a.json", issues).what();
  }

  T value;
  std::string error = "none";
};

template <class T>
std::string ErrorOf(std::string_view text, const FieldInfo& info = {}) {
  return Reading<T>(text, info).error;
}

/// The schema of a T with that value.
template <class T>
Json SchemaOf(const FieldInfo& info, const T& value) {
  Json schema;
  Binding<T>::Schema(info, value, schema);
  return schema;
}

inline Json Parsed(std::string_view text) { return ParseJson(text, "expected"); }

}  // namespace idbench
