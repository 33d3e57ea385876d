#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "scenarios/options/config_error.h"
#include "scenarios/options/json.h"

/// How a member of an option struct is read from JSON, written to it and described by a schema.
/// Include scenarios/options/fields.h, which has the tables that the bindings of structs need.
namespace idbench {

/// What a field accepts, and what it is for.
///
/// Of a field that holds several values (PerJoint, list, Labelled), the range and the choices are
/// those of each value.
struct FieldInfo {
  std::string doc;
  std::string unit = "";  ///< SI unit as printed, "" for none; the key carries it too.
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
  bool lower_open = false;                ///< The lower bound itself is refused.
  bool required = false;                  ///< The key must be there.
  std::vector<std::string> choices = {};  ///< Of a string.
};

/// An object of equal values keyed by free labels, in the order of the file.
///
/// A value with a `SetLabel(const std::string&)` is told its label before it is read.
template <class T>
using Labelled = std::vector<std::pair<std::string, T>>;

/// One number for all joints, or a list with one number per joint.
struct PerJoint {
  std::vector<double> values = {0.0};  ///< Size 1 (for all joints) or the number of joints.

  bool operator==(const PerJoint&) const = default;
  double operator[](std::size_t joint) const {
    return values.size() == 1 ? values[0] : values.at(joint);
  }
};

class FieldTable;

/// A struct that has a `Visit`.
template <class T>
concept HasFields = requires(T& options) {
  { Visit(options) } -> std::same_as<FieldTable>;
};

/// Reads, writes and describes a T. The three functions agree: Read() accepts what Write() returns
/// and what Schema(), JSON Schema 2020-12, accepts, and nothing else.
///
/// Read() appends an issue for each thing it does not accept. A struct keeps its present values
/// where keys are absent. Schema() takes the value for the defaults of the fields inside it.
template <class T>
struct Binding;

template <>
struct Binding<bool> {
  static void Read(const Json&, const std::string& pointer, const FieldInfo&, bool&,
                   std::vector<Issue>&);
  static Json Write(bool value) { return value; }
  static Json Schema(const FieldInfo&, bool);
};

template <>
struct Binding<double> {
  static void Read(const Json&, const std::string& pointer, const FieldInfo&, double&,
                   std::vector<Issue>&);
  static Json Write(double value);  ///< It must be finite: JSON has no other numbers.
  static Json Schema(const FieldInfo&, double);
};

/// Choices, if the FieldInfo has some, are the only texts that are accepted.
template <>
struct Binding<std::string> {
  static void Read(const Json&, const std::string& pointer, const FieldInfo&, std::string&,
                   std::vector<Issue>&);
  static Json Write(const std::string& value) { return value; }
  static Json Schema(const FieldInfo&, const std::string&);
};

template <>
struct Binding<PerJoint> {
  static void Read(const Json&, const std::string& pointer, const FieldInfo&, PerJoint&,
                   std::vector<Issue>&);
  static Json Write(const PerJoint& value);
  static Json Schema(const FieldInfo&, const PerJoint&);
};

/// Any JSON at all, kept as it is.
template <>
struct Binding<Json> {
  static void Read(const Json& json, const std::string&, const FieldInfo&, Json& value,
                   std::vector<Issue>&) {
    value = json;
  }
  static Json Write(const Json& value) { return value; }
  static Json Schema(const FieldInfo&, const Json&) { return Json::object(); }
};

namespace binding_internal {

/// The values an integer type holds.
struct IntegerLimits {
  std::int64_t least;
  std::uint64_t most;
};

/// Reads an integer that is in the range of `info` and in `limits`; 1e3 is one, as in JSON Schema.
/// @param[out] value  modulo 2⁶⁴; unchanged if there is an issue.
void ReadInteger(const Json&, const std::string& pointer, const FieldInfo& info,
                 IntegerLimits limits, std::uint64_t& value, std::vector<Issue>&);
Json IntegerSchema(const FieldInfo&, IntegerLimits limits);

void WrongType(const Json&, const std::string& pointer, std::string_view accepted,
               std::vector<Issue>&);
bool ExpectObject(const Json&, const std::string& pointer, std::vector<Issue>&);
bool ExpectList(const Json&, const std::string& pointer, std::vector<Issue>&);

/// The value of "type", or `fallback` if there is none; an issue and "" if it is not in `accepted`.
std::string ReadType(const Json&, const std::string& pointer,
                     const std::vector<std::string>& accepted, std::string_view fallback,
                     std::vector<Issue>&);

/// `schema` of an object's own fields, with one more: "type", which says which object it is.
Json WithType(Json schema, std::string_view type, bool required);

}  // namespace binding_internal

template <class T>
  requires(std::integral<T> && !std::same_as<T, bool>)
struct Binding<T> {
  static constexpr binding_internal::IntegerLimits kLimits{std::numeric_limits<T>::min(),
                                                           std::numeric_limits<T>::max()};

  static void Read(const Json& json, const std::string& pointer, const FieldInfo& info, T& value,
                   std::vector<Issue>& issues) {
    std::uint64_t wide = static_cast<std::uint64_t>(value);
    binding_internal::ReadInteger(json, pointer, info, kLimits, wide, issues);
    value = static_cast<T>(wide);
  }
  static Json Write(T value) { return value; }
  static Json Schema(const FieldInfo& info, T) {
    return binding_internal::IntegerSchema(info, kLimits);
  }
};

/// `null` is an absent value, so that one whose default is present can be taken away.
template <class T>
struct Binding<std::optional<T>> {
  static void Read(const Json& json, const std::string& pointer, const FieldInfo& info,
                   std::optional<T>& value, std::vector<Issue>& issues) {
    if (json.is_null()) {
      value.reset();
    } else {
      if (!value) value.emplace();
      Binding<T>::Read(json, pointer, info, *value, issues);
    }
  }
  static Json Write(const std::optional<T>& value) {
    return value ? Binding<T>::Write(*value) : Json();
  }
  static Json Schema(const FieldInfo& info, const std::optional<T>& value) {
    return {{"anyOf", {Binding<T>::Schema(info, value.value_or(T{})), {{"type", "null"}}}}};
  }
};

template <class T>
struct Binding<std::vector<T>> {
  static void Read(const Json& json, const std::string& pointer, const FieldInfo& info,
                   std::vector<T>& value, std::vector<Issue>& issues) {
    if (!binding_internal::ExpectList(json, pointer, issues)) return;
    value.assign(json.size(), T{});
    for (std::size_t i = 0; i < json.size(); ++i) {
      Binding<T>::Read(json[i], PointerTo(pointer, std::to_string(i)), info, value[i], issues);
    }
  }
  static Json Write(const std::vector<T>& value) {
    Json list = Json::array();
    for (const T& item : value) list.push_back(Binding<T>::Write(item));
    return list;
  }
  static Json Schema(const FieldInfo& info, const std::vector<T>&) {
    return {{"type", "array"}, {"items", Binding<T>::Schema(info, T{})}};
  }
};

template <class T>
struct Binding<std::vector<std::pair<std::string, T>>> {
  static void Read(const Json& json, const std::string& pointer, const FieldInfo& info,
                   Labelled<T>& value, std::vector<Issue>& issues) {
    if (!binding_internal::ExpectObject(json, pointer, issues)) return;
    value.clear();
    for (const auto& [label, item] : json.items()) {
      T& labelled = value.emplace_back(label, T{}).second;
      if constexpr (requires { labelled.SetLabel(label); }) labelled.SetLabel(label);
      Binding<T>::Read(item, PointerTo(pointer, label), info, labelled, issues);
    }
  }
  static Json Write(const Labelled<T>& value) {
    Json object = Json::object();
    for (const auto& [label, item] : value) object[label] = Binding<T>::Write(item);
    return object;
  }
  static Json Schema(const FieldInfo& info, const Labelled<T>&) {
    return {{"type", "object"}, {"additionalProperties", Binding<T>::Schema(info, T{})}};
  }
};

template <HasFields T>
struct Binding<T> {
  static void Read(const Json& json, const std::string& pointer, const FieldInfo&, T& value,
                   std::vector<Issue>& issues) {
    ReadFields(Visit(value), json, pointer, issues);
  }
  static Json Write(T value) { return WriteFields(Visit(value)); }
  static Json Schema(const FieldInfo&, T value) { return SchemaOf(Visit(value)); }
};

/// One of several structs, chosen by the key "type"; each has a `static constexpr std::string_view
/// kType` and a Visit() without a "type". Where the key is absent, the present struct is meant: the
/// first one unless the member's default says otherwise.
template <HasFields... Ts>
struct Binding<std::variant<Ts...>> {
  using Variant = std::variant<Ts...>;

  static void Read(const Json& json, const std::string& pointer, const FieldInfo&, Variant& value,
                   std::vector<Issue>& issues) {
    if (!binding_internal::ExpectObject(json, pointer, issues)) return;
    const std::string type = binding_internal::ReadType(json, pointer, {std::string(Ts::kType)...},
                                                        TypeOf(value), issues);
    const auto read_if = [&]<class T>(std::type_identity<T>) {
      if (type != T::kType) return;
      if (!std::holds_alternative<T>(value)) value.template emplace<T>();
      ReadFields(Visit(std::get<T>(value)), json, pointer, issues, "type");
    };
    (read_if(std::type_identity<Ts>{}), ...);
  }
  static Json Write(const Variant& value) {
    Json json = {{"type", TypeOf(value)}};
    json.update(std::visit([](auto option) { return WriteFields(Visit(option)); }, value));
    return json;
  }
  static Json Schema(const FieldInfo&, const Variant& value) {
    const auto schema_of = [&]<class T>(std::type_identity<T>) {
      const bool present = std::holds_alternative<T>(value);
      T option = present ? std::get<T>(value) : T{};
      return binding_internal::WithType(SchemaOf(Visit(option)), T::kType, !present);
    };
    return {{"oneOf", Json::array({schema_of(std::type_identity<Ts>{})...})}};
  }

 private:
  static std::string_view TypeOf(const Variant& value) {
    return std::visit([]<class T>(const T&) { return std::string_view(T::kType); }, value);
  }
};

}  // namespace idbench
