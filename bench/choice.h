#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <string_view>
#include <vector>

#include "bench/run/exit_code.h"
#include "scenarios/options/enum_names.h"

namespace idbench {

/// How a command prints what it found.
enum class OutputFormat { kText, kJson };
template <>
inline constexpr auto kEnumNames<OutputFormat> = std::to_array<EnumName<OutputFormat>>(
    {{OutputFormat::kText, "text"}, {OutputFormat::kJson, "json"}});

/// Returns the value that a call names.
/// @param option  as the message calls it: "--format".
/// @throws UsageError that lists the names for another text.
template <NamedEnum E>
E ParseChoice(std::string_view option, const std::string& text) {
  if (const auto value = FromName<E>(text)) return *value;
  std::vector<std::string_view> names;
  for (const auto& [value, name] : kEnumNames<E>) {
    if (name == ToString(value)) names.push_back(name);
  }
  throw UsageError(
      fmt::format("{}: got '{}'\n  accepted here: {}", option, text, fmt::join(names, ", ")));
}

}  // namespace idbench
