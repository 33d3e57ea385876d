#pragma once

#include <array>
#include <cctype>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/options/json.h"

/// The one form of the texts that describe options, estimators and metrics to users: a noun phrase
/// or an imperative that begins with a capital letter, a number or a symbol, and has no full stop.
namespace idbench {

/// True for a lower-case letter that begins a word; not for a symbol with a mark above it, as in q̈.
inline bool BeginsLowerCase(std::string_view text) {
  const auto byte = [&text](std::size_t at) {
    return at < text.size() ? static_cast<unsigned char>(text[at]) : 0;
  };
  const bool marked = byte(1) == 0xCC || byte(1) == 0xCD;  // UTF-8 of the combining marks
  return std::islower(byte(0)) != 0 && !marked;
}

/// True if a text says nothing beyond its key: "Trials" of `trials`, "Rotor inertia" of
/// `rotor_inertia_kgm2`.
inline bool RepeatsKey(std::string_view text, std::string_view key) {
  std::string words;
  for (const char c : text) {
    words += c == ' ' || c == '-' ? '_' : static_cast<char>(std::tolower(c));
  }
  if (words.starts_with("the_")) words.erase(0, 4);
  return key == words || key.starts_with(words + "_");
}

/// What is wrong with a text that describes `key`; "" if nothing is.
inline std::string FormFault(std::string_view text, std::string_view key) {
  constexpr std::array<std::string_view, 7> kFragments = {"Of",   "How",   "Whether", "What",
                                                          "When", "Which", "Where"};
  if (text.empty()) return "is empty";
  if (BeginsLowerCase(text)) return "begins with a lower-case letter";
  if (text.front() == ' ' || text.back() == ' ') return "begins or ends with a blank";
  if (std::string_view(".,;:").find(text.back()) != std::string_view::npos) {
    return "ends with punctuation";
  }
  if (text.find("  ") != std::string_view::npos) return "has two blanks side by side";
  if (text.find(". ") != std::string_view::npos) return "has more than one sentence";
  if (text.find('[') != std::string_view::npos) return "has a unit, which the unit field is for";
  const std::string_view first = text.substr(0, text.find_first_of(" ,;:"));
  for (const std::string_view fragment : kFragments) {
    if (first == fragment) return "begins like a subordinate clause";
  }
  return RepeatsKey(text, key) ? "repeats its key" : "";
}

/// One line for each description at or below `schema` that is not in form, with its JSON pointer.
inline void CollectFormFaults(const Json& schema, const std::string& where, std::string_view key,
                              std::vector<std::string>& faults) {
  const auto described = schema.is_object() ? schema.find("description") : schema.end();
  if (described != schema.end() && described->is_string()) {
    std::string text = described->get<std::string>();
    const std::size_t unit = text.rfind(" [");  // as SchemaOf() appends it
    if (text.ends_with(']') && unit != std::string::npos) text.erase(unit);
    const std::string fault = FormFault(text, key);
    if (!fault.empty()) {
      faults.emplace_back(where).append(": \"").append(text).append("\" ").append(fault);
    }
  }
  if (!schema.is_structured()) return;
  const bool names = where.ends_with("/properties");
  for (const auto& [name, item] : schema.items()) {
    if (item.is_structured()) {
      CollectFormFaults(item, std::string(where).append("/").append(name),
                        names ? std::string_view(name) : key, faults);
    }
  }
}

inline std::vector<std::string> FormFaults(const Json& schema) {
  std::vector<std::string> faults;
  CollectFormFaults(schema, "", "", faults);
  return faults;
}

}  // namespace idbench
