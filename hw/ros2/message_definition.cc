#include "hw/ros2/message_definition.h"

#include <algorithm>
#include <utility>

namespace idbench {
namespace {

constexpr std::string_view kSpaces = " \t\r\n\f\v";

std::string_view Trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kSpaces);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpaces) - begin + 1);
}

/// Takes off the text up to `end` and the end itself.
std::string_view TakeUntil(std::string_view& text, std::string_view end) {
  const std::size_t at = std::min(text.find(end), text.size());
  const std::string_view before = text.substr(0, at);
  text.remove_prefix(std::min(at + end.size(), text.size()));
  return before;
}

/// What follows the last separator of a name.
std::string_view WithoutPackage(std::string_view type) {
  const std::size_t at = type.find_last_of("/:");
  return at == std::string_view::npos ? type : type.substr(at + 1);
}

/// Bounds do not change how a field is written: string<=5[<=3] is string[].
std::string WithoutBounds(std::string_view type) {
  std::string result;
  for (std::size_t i = 0; i < type.size(); ++i) {
    if (type.substr(i).starts_with("<=")) {
      i = type.find_first_not_of("0123456789", i + 2);
      if (i == std::string_view::npos) break;
    }
    result += type[i];
  }
  return result;
}

/// `type name [default]`; a line of comment, of a constant (`type NAME=value`) or blank is no
/// field.
void AddFieldOfLine(std::string_view line, std::vector<MessageField>& fields) {
  line = Trimmed(TakeUntil(line, "#"));
  const std::size_t end_of_type = line.find_first_of(kSpaces);
  if (end_of_type == std::string_view::npos) return;
  const std::string_view rest = Trimmed(line.substr(end_of_type));
  const std::size_t end_of_name = std::min(rest.find_first_of(" \t="), rest.size());
  if (Trimmed(rest.substr(end_of_name)).starts_with('=')) return;
  fields.push_back({WithoutBounds(WithoutPackage(line.substr(0, end_of_type))),
                    std::string(rest.substr(0, end_of_name))});
}

/// The type itself comes first, the others after lines of "=".
std::vector<MessageField> FieldsOfMsg(std::string_view text) {
  std::vector<MessageField> fields;
  while (!text.empty()) {
    const std::string_view line = TakeUntil(text, "\n");
    if (line.starts_with("====") && !fields.empty()) break;
    if (line.starts_with("====") || line.starts_with("MSG: ")) continue;
    AddFieldOfLine(line, fields);
  }
  return fields;
}

/// IDL without comments and annotations, which may hold any characters.
std::string PlainIdl(std::string_view text) {
  std::string plain;
  while (!text.empty()) {
    if (text.starts_with("//")) {
      TakeUntil(text, "\n");
    } else if (text.starts_with("/*")) {
      TakeUntil(text, "*/");
    } else if (text.starts_with('"')) {
      text.remove_prefix(1);
      while (!text.empty() && !text.starts_with('"')) {
        text.remove_prefix(std::min<std::size_t>(text.starts_with('\\') ? 2 : 1, text.size()));
      }
      text.remove_prefix(std::min<std::size_t>(1, text.size()));
    } else {
      plain += text.front();
      text.remove_prefix(1);
    }
  }
  return plain;
}

/// `@unit (value=…)`, `@key` before a member.
void TakeAnnotations(std::string_view& member) {
  member = Trimmed(member);
  while (member.starts_with('@')) {
    const std::size_t end = std::min(member.find_first_of(" \t\r\n("), member.size());
    member = Trimmed(member.substr(end));
    if (member.starts_with('(')) TakeUntil(member, ")");
    member = Trimmed(member);
  }
}

/// The type of an IDL member as in ros2msg.
std::string MsgTypeOf(std::string_view type) {
  constexpr std::string_view kSequence = "sequence<";
  type = Trimmed(type);
  if (type.starts_with(kSequence)) {
    type.remove_prefix(kSequence.size());
    return MsgTypeOf(type.substr(0, type.find_first_of(",>"))) + "[]";
  }
  if (type == "double") return "float64";
  if (type.starts_with("string")) return "string";
  return std::string(WithoutPackage(type));
}

std::vector<MessageField> FieldsOfIdl(std::string_view name, std::string_view text) {
  const std::string plain = PlainIdl(text);
  std::string_view rest = plain;
  while (true) {
    TakeUntil(rest, "struct ");
    if (rest.empty()) return {};
    rest.remove_prefix(std::min(rest.find_first_not_of(kSpaces), rest.size()));
    if (!rest.starts_with(name)) continue;
    rest.remove_prefix(name.size());
    rest.remove_prefix(std::min(rest.find_first_not_of(kSpaces), rest.size()));
    if (rest.starts_with('{')) break;
  }
  rest.remove_prefix(1);
  std::string_view body = TakeUntil(rest, "}");
  std::vector<MessageField> fields;
  while (!Trimmed(body).empty()) {
    std::string_view member = TakeUntil(body, ";");
    TakeAnnotations(member);
    const std::size_t space = member.find_last_of(kSpaces);
    if (space == std::string_view::npos) continue;
    fields.push_back({MsgTypeOf(member.substr(0, space)), std::string(member.substr(space + 1))});
  }
  return fields;
}

}  // namespace

std::vector<MessageField> FieldsOf(std::string_view type, std::string_view encoding,
                                   std::string_view definition) {
  if (encoding == "ros2msg") return FieldsOfMsg(definition);
  if (encoding == "ros2idl") return FieldsOfIdl(WithoutPackage(type), definition);
  return {};
}

}  // namespace idbench
