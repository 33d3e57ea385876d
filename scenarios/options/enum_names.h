#pragma once

#include <array>
#include <cassert>
#include <optional>
#include <string_view>
#include <type_traits>

namespace idbench {

/// A value of an enum and a name of it.
template <class E>
struct EnumName {
  E value;
  std::string_view name;
};

/// Names of an enum's values, in JSON and in print. An enum of a closed set specialises it once,
/// beside itself:
///
///     enum class Draw { kCell, kTrial };
///     template <>
///     inline constexpr auto kEnumNames<Draw> =
///         std::to_array<EnumName<Draw>>({{Draw::kCell, "cell"}, {Draw::kTrial, "trial"}});
///
/// Texts list the names in this order. A further name of a value is an old spelling: it is read,
/// but neither written nor listed.
template <class E>
inline constexpr std::array<EnumName<E>, 0> kEnumNames = {};

/// An enum that has names.
template <class E>
concept NamedEnum = std::is_enum_v<E> && !kEnumNames<E>.empty();

/// Returns the name of a value.
template <NamedEnum E>
constexpr std::string_view ToString(E value) {
  for (const EnumName<E>& known : kEnumNames<E>) {
    if (known.value == value) return known.name;
  }
  assert(false);
  return "";
}

/// Returns the value that has the name, old spellings included; nothing if there is none.
template <NamedEnum E>
constexpr std::optional<E> FromName(std::string_view name) {
  for (const EnumName<E>& known : kEnumNames<E>) {
    if (known.name == name) return known.value;
  }
  return std::nullopt;
}

}  // namespace idbench
