#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "scenarios/options/config_error.h"
#include "scenarios/options/enum_names.h"
#include "scenarios/options/json_access.h"
#include "scenarios/options/json_fwd.h"
#include "scenarios/options/json_value.h"

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
  std::vector<std::string> choices = {};  ///< Of a string; of an enum, if not all its names.
  std::string former_key = "";            ///< Old spelling of the key, which is still read.
};

/// An object of equal values keyed by free labels, in the order of the file.
///
/// A value with a `SetLabel(const std::string&)` is told its label before it is read.
template <class T>
using Labelled = std::vector<std::pair<std::string, T>>;

/// Labelled values that begin as copies of a prototype, where they have no fitting default.
template <class T>
struct LabelledAlike {
  explicit LabelledAlike(T begin) : prototype(std::move(begin)) {}

  T prototype;
  Labelled<T> values = {};

  bool operator==(const LabelledAlike&) const = default;
};

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

/// Reads, writes and describes a T. The three functions agree: Read() accepts what Write() makes
/// and what Schema(), JSON Schema 2020-12, accepts, and nothing else.
///
/// Read() appends an issue for each thing it does not accept. A struct keeps its present values
/// where keys are absent. Write() and Schema() replace the JSON that they are given. Schema() takes
/// the value for the defaults of the fields inside it.
///
/// Json is incomplete here: nearly every source has options, few have JSON values.
template <class T>
struct Binding;

/// The JSON that Binding<T>::Write() makes of a value. Whoever calls this includes
/// scenarios/options/json.h.
template <class T, class Complete = Json>
Complete WriteValue(const T& value) {
  Complete json;
  Binding<T>::Write(value, json);
  return json;
}

template <>
struct Binding<bool> {
  static void Read(const Json&, const std::string& pointer, const FieldInfo&, bool&,
                   std::vector<Issue>&);
  static void Write(bool value, Json&);
  static void Schema(const FieldInfo&, bool, Json& schema);
};

template <>
struct Binding<double> {
  static void Read(const Json&, const std::string& pointer, const FieldInfo&, double&,
                   std::vector<Issue>&);
  static void Write(double value, Json&);  ///< It must be finite: JSON has no other numbers.
  static void Schema(const FieldInfo&, double, Json& schema);
};

/// Choices, if the FieldInfo has some, are the only texts that are accepted.
template <>
struct Binding<std::string> {
  static void Read(const Json&, const std::string& pointer, const FieldInfo&, std::string&,
                   std::vector<Issue>&);
  static void Write(const std::string& value, Json&);
  static void Schema(const FieldInfo&, const std::string&, Json& schema);
};

template <>
struct Binding<PerJoint> {
  static void Read(const Json&, const std::string& pointer, const FieldInfo&, PerJoint&,
                   std::vector<Issue>&);
  static void Write(const PerJoint& value, Json&);
  static void Schema(const FieldInfo&, const PerJoint&, Json& schema);
};

/// Any JSON at all, kept as it is.
template <>
struct Binding<JsonValue> {
  static void Read(const Json&, const std::string& pointer, const FieldInfo&, JsonValue&,
                   std::vector<Issue>&);
  static void Write(const JsonValue& value, Json&);
  static void Schema(const FieldInfo&, const JsonValue&, Json& schema);
};

namespace binding_internal {

/// For the Visit() of a struct whose table is only looked at: a table that nothing is read into
/// changes nothing, and so the struct need not be copied.
template <class T>
T& ToVisit(const T& options) {
  return const_cast<T&>(options);
}

/// The values an integer type holds.
struct IntegerLimits {
  std::int64_t least;
  std::uint64_t most;
};

/// Reads an integer that is in the range of `info` and in `limits`; 1e3 is one, as in JSON Schema.
/// @param[out] value  modulo 2⁶⁴; unchanged if there is an issue.
void ReadInteger(const Json&, const std::string& pointer, const FieldInfo& info,
                 IntegerLimits limits, std::uint64_t& value, std::vector<Issue>&);
void WriteInteger(std::int64_t value, Json&);
void WriteInteger(std::uint64_t value, Json&);
void IntegerSchema(const FieldInfo&, IntegerLimits limits, Json& schema);

void WrongType(const Json&, const std::string& pointer, std::string_view accepted,
               std::vector<Issue>&);
bool ExpectObject(const Json&, const std::string& pointer, std::vector<Issue>&);
bool ExpectList(const Json&, const std::string& pointer, std::vector<Issue>&);

/// Changes the schema of a value into that of the value or null, of a list of such values, and of
/// an object of such values.
void OptionalSchema(Json& schema);
void ListSchema(Json& schema);
void LabelledSchema(Json& schema);

/// Names of an enum's values: as written, and what each of them means, itself or a newer spelling.
struct NamesOfEnum {
  std::span<const std::string_view> names;
  std::span<const std::string_view> meant;
};
/// Reads one of the names that `info` accepts.
/// @return its place in `names`; nothing after an issue.
std::optional<std::size_t> ReadName(const Json&, const std::string& pointer, const FieldInfo& info,
                                    const NamesOfEnum& known, std::vector<Issue>&);
void NameSchema(const FieldInfo& info, const NamesOfEnum& known, Json& schema);

/// The value of "type", or `fallback` if there is none; an issue and "" if it is not in `accepted`.
std::string ReadType(const Json&, const std::string& pointer,
                     std::span<const std::string_view> accepted, std::string_view fallback,
                     std::vector<Issue>&);
/// WriteFields() with one more: "type", the first.
void WriteChoice(std::string_view type, const FieldTable& fields, Json&);
/// Appends one of several structs to `schema`, which is {} before the first one.
/// @param required  whether its "type" has to be there.
void AddChoice(std::string_view type, const FieldTable& fields, bool required, Json& schema);

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
  static void Write(T value, Json& json) {
    using Wide = std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>;
    binding_internal::WriteInteger(static_cast<Wide>(value), json);
  }
  static void Schema(const FieldInfo& info, T, Json& schema) {
    binding_internal::IntegerSchema(info, kLimits, schema);
  }
};

/// One of the enum's names. The choices of a FieldInfo, if it has some, are the only ones accepted
/// beside old spellings.
template <NamedEnum E>
struct Binding<E> {
  static void Read(const Json& json, const std::string& pointer, const FieldInfo& info, E& value,
                   std::vector<Issue>& issues) {
    const auto place = binding_internal::ReadName(json, pointer, info, {kNames, kMeant}, issues);
    if (place) value = kEnumNames<E>[*place].value;
  }
  static void Write(E value, Json& json) {
    Binding<std::string>::Write(std::string(ToString(value)), json);
  }
  static void Schema(const FieldInfo& info, E, Json& schema) {
    binding_internal::NameSchema(info, {kNames, kMeant}, schema);
  }

 private:
  static constexpr std::size_t kCount = kEnumNames<E>.size();
  static constexpr std::array<std::string_view, kCount> kNames = [] {
    std::array<std::string_view, kCount> names;
    for (std::size_t i = 0; i < kCount; ++i) names[i] = kEnumNames<E>[i].name;
    return names;
  }();
  static constexpr std::array<std::string_view, kCount> kMeant = [] {
    std::array<std::string_view, kCount> meant;
    for (std::size_t i = 0; i < kCount; ++i) meant[i] = ToString(kEnumNames<E>[i].value);
    return meant;
  }();
};

/// `null` is an absent value, so that one whose default is present can be taken away.
template <class T>
struct Binding<std::optional<T>> {
  static void Read(const Json& json, const std::string& pointer, const FieldInfo& info,
                   std::optional<T>& value, std::vector<Issue>& issues) {
    if (json_access::IsNull(json)) {
      value.reset();
    } else {
      if (!value) value.emplace();
      Binding<T>::Read(json, pointer, info, *value, issues);
    }
  }
  static void Write(const std::optional<T>& value, Json& json) {
    if (value) {
      Binding<T>::Write(*value, json);
    } else {
      json_access::SetNull(json);
    }
  }
  static void Schema(const FieldInfo& info, const std::optional<T>& value, Json& schema) {
    if (value) {
      Binding<T>::Schema(info, *value, schema);
    } else {
      Binding<T>::Schema(info, T{}, schema);
    }
    binding_internal::OptionalSchema(schema);
  }
};

template <class T>
struct Binding<std::vector<T>> {
  static void Read(const Json& json, const std::string& pointer, const FieldInfo& info,
                   std::vector<T>& value, std::vector<Issue>& issues) {
    if (!binding_internal::ExpectList(json, pointer, issues)) return;
    value = std::vector<T>(json_access::SizeOf(json));
    for (std::size_t i = 0; i < value.size(); ++i) {
      Binding<T>::Read(json_access::ValueAt(json, i), PointerTo(pointer, i), info, value[i],
                       issues);
    }
  }
  static void Write(const std::vector<T>& value, Json& json) {
    json_access::SetEmptyList(json);
    for (const T& item : value) Binding<T>::Write(item, json_access::Append(json));
  }
  static void Schema(const FieldInfo& info, const std::vector<T>&, Json& schema) {
    Binding<T>::Schema(info, T{}, schema);
    binding_internal::ListSchema(schema);
  }
};

template <class T>
struct Binding<std::vector<std::pair<std::string, T>>> {
  static void Read(const Json& json, const std::string& pointer, const FieldInfo& info,
                   Labelled<T>& value, std::vector<Issue>& issues) {
    if (!binding_internal::ExpectObject(json, pointer, issues)) return;
    value.clear();
    for (std::size_t i = 0; i < json_access::SizeOf(json); ++i) {
      const std::string& label = json_access::LabelAt(json, i);
      T& labelled = value.emplace_back(label, T{}).second;
      if constexpr (requires { labelled.SetLabel(label); }) labelled.SetLabel(label);
      Binding<T>::Read(json_access::ValueAt(json, i), PointerTo(pointer, label), info, labelled,
                       issues);
    }
  }
  static void Write(const Labelled<T>& value, Json& json) {
    json_access::SetEmptyObject(json);
    for (const auto& [label, item] : value) {
      Binding<T>::Write(item, json_access::Member(json, label));
    }
  }
  static void Schema(const FieldInfo& info, const Labelled<T>&, Json& schema) {
    Binding<T>::Schema(info, T{}, schema);
    binding_internal::LabelledSchema(schema);
  }
};

template <class T>
struct Binding<LabelledAlike<T>> {
  static void Read(const Json& json, const std::string& pointer, const FieldInfo& info,
                   LabelledAlike<T>& value, std::vector<Issue>& issues) {
    if (!binding_internal::ExpectObject(json, pointer, issues)) return;
    value.values.clear();
    for (std::size_t i = 0; i < json_access::SizeOf(json); ++i) {
      const std::string& label = json_access::LabelAt(json, i);
      T& labelled = value.values.emplace_back(label, value.prototype).second;
      Binding<T>::Read(json_access::ValueAt(json, i), PointerTo(pointer, label), info, labelled,
                       issues);
    }
  }
  static void Write(const LabelledAlike<T>& value, Json& json) {
    Binding<Labelled<T>>::Write(value.values, json);
  }
  static void Schema(const FieldInfo& info, const LabelledAlike<T>& value, Json& schema) {
    Binding<T>::Schema(info, value.prototype, schema);
    binding_internal::LabelledSchema(schema);
  }
};

template <HasFields T>
struct Binding<T> {
  static void Read(const Json& json, const std::string& pointer, const FieldInfo&, T& value,
                   std::vector<Issue>& issues) {
    ReadFields(Visit(value), json, pointer, issues);
  }
  static void Write(const T& value, Json& json) {
    WriteFields(Visit(binding_internal::ToVisit(value)), json);
  }
  static void Schema(const FieldInfo&, const T& value, Json& schema) {
    SchemaOf(Visit(binding_internal::ToVisit(value)), schema);
  }
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
    const std::string type =
        binding_internal::ReadType(json, pointer, kTypes, kTypes.at(value.index()), issues);
    const auto read_if = [&]<class T>(std::type_identity<T>) {
      if (type != T::kType) return;
      if (!std::holds_alternative<T>(value)) value.template emplace<T>();
      ReadFields(Visit(std::get<T>(value)), json, pointer, issues, "type");
    };
    (read_if(std::type_identity<Ts>{}), ...);
  }
  static void Write(const Variant& value, Json& json) {
    std::visit(
        [&]<class T>(const T& option) {
          binding_internal::WriteChoice(T::kType, Visit(binding_internal::ToVisit(option)), json);
        },
        value);
  }
  static void Schema(const FieldInfo&, const Variant& value, Json& schema) {
    json_access::SetEmptyObject(schema);
    const auto add = [&]<class T>(std::type_identity<T>) {
      T fresh{};
      const bool present = std::holds_alternative<T>(value);
      T& option = present ? binding_internal::ToVisit(std::get<T>(value)) : fresh;
      binding_internal::AddChoice(T::kType, Visit(option), !present, schema);
    };
    (add(std::type_identity<Ts>{}), ...);
  }

 private:
  static constexpr std::array<std::string_view, sizeof...(Ts)> kTypes{Ts::kType...};
};

}  // namespace idbench
