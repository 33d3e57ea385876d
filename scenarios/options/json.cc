#include "scenarios/options/json.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <system_error>
#include <utility>
#include <vector>

#include "scenarios/options/config_error.h"
#include "scenarios/options/utf8.h"

namespace idbench {
namespace {

constexpr std::size_t kMaxDepth = 64;  // readers and writers recurse: this bounds their stack

/// "line 7, column 3" of the byte at `offset`; columns count characters, not bytes.
std::string LineAndColumn(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, offset);
  const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 == 0
  const auto starts_character = [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  };
  return fmt::format("line {}, column {}", std::ranges::count(before, '\n') + 1,
                     std::ranges::count_if(before.substr(line_start), starts_character) + 1);
}

/// What nlohmann's message says, without its "[json.exception…] parse error at line …: ".
std::string Reason(const std::string& message) {
  const std::size_t syntax = message.find("syntax error");
  return message.substr(syntax != std::string::npos ? syntax : message.find("] ") + 2);
}

/// Builds an ordered document and notes duplicate keys, which nlohmann's own parser would hide.
class StrictHandler : public nlohmann::json_sax<Json> {
 public:
  StrictHandler(std::string_view text, const std::string& source) : text_(text), source_(source) {}

  Json root;
  std::vector<Issue> duplicates;

  bool null() override { return Put(nullptr); }
  bool boolean(bool value) override { return Put(value); }
  bool number_integer(number_integer_t value) override { return Put(value); }
  bool number_unsigned(number_unsigned_t value) override { return Put(value); }
  bool number_float(number_float_t value, const string_t&) override { return Put(value); }
  bool string(string_t& value) override { return Put(value); }
  bool binary(binary_t&) override { return false; }  // never comes from text
  bool start_object(std::size_t) override { return Open(Json::object()); }
  bool end_object() override { return Close(); }
  bool start_array(std::size_t) override { return Open(Json::array()); }
  bool end_array() override { return Close(); }

  bool key(string_t& name) override {
    Level& level = levels_.back();
    level.key = name;
    if (level.value.contains(name)) {
      duplicates.push_back({Pointer(), "duplicate key", {"remove one of the two"}});
    }
    return true;
  }

  bool parse_error(std::size_t characters_read, const std::string&,
                   const nlohmann::detail::exception& error) override {
    const std::size_t last = characters_read > 0 ? characters_read - 1 : 0;
    throw ConfigError(source_, LineAndColumn(text_, last), Reason(error.what()),
                      {"strict JSON is accepted: finite numbers, no comments, no trailing commas"});
  }

 private:
  struct Level {
    Json value;
    std::string key;  ///< Of the member that is being read, if `value` is an object.
  };

  /// The place that is being read.
  std::string Pointer() const {
    std::string pointer;
    for (const Level& level : levels_) {
      pointer = PointerTo(pointer,
                          level.value.is_array() ? std::to_string(level.value.size()) : level.key);
    }
    return pointer;
  }

  bool Put(Json value) {
    if (levels_.empty()) {
      root = std::move(value);
    } else if (Level& level = levels_.back(); level.value.is_array()) {
      level.value.push_back(std::move(value));
    } else {
      level.value[level.key] = std::move(value);
    }
    return true;
  }

  bool Open(Json empty) {
    if (levels_.size() == kMaxDepth) {
      throw ConfigError(source_, Pointer(), fmt::format("nested deeper than {} levels", kMaxDepth));
    }
    levels_.push_back({std::move(empty), {}});
    return true;
  }

  bool Close() {
    Json value = std::move(levels_.back().value);
    levels_.pop_back();
    return Put(std::move(value));
  }

  std::string_view text_;
  std::string source_;
  std::vector<Level> levels_;
};

}  // namespace

Json ParseJson(std::string_view text, const std::string& source) {
  StrictHandler handler(text, source);
  Json::sax_parse(text, &handler);
  if (!handler.duplicates.empty()) throw ConfigError(source, handler.duplicates);
  return std::move(handler.root);
}

Json ReadJsonFile(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  stream.peek();  // a folder opens, but does not read
  if (stream.fail()) {
    std::error_code ignored;
    std::string cure = "no such file: check the path";
    if (std::filesystem::is_directory(file, ignored)) {
      cure = "it is a folder: name a file in it";
    } else if (std::filesystem::exists(file, ignored)) {
      cure = "it exists: check that you may read it";
    }
    throw ConfigError(file.string(), "", "cannot be read", {cure});
  }
  std::ostringstream text;
  text << stream.rdbuf();
  return ParseJson(text.str(), file.string());
}

std::optional<std::string> FirstDifference(const Json& a, const Json& b) {
  if (a == b) return std::nullopt;
  if (a.is_object() && b.is_object()) {
    for (const auto& [key, value] : a.items()) {
      const auto other = b.find(key);
      if (other == b.end()) return PointerTo("", key);
      if (auto inside = FirstDifference(value, *other)) return PointerTo("", key) + *inside;
    }
    for (const auto& [key, value] : b.items()) {
      if (!a.contains(key)) return PointerTo("", key);
    }
    return std::nullopt;
  }
  if (a.is_array() && b.is_array()) {
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
      if (auto inside = FirstDifference(a[i], b[i])) return fmt::format("/{}{}", i, *inside);
    }
    if (a.size() != b.size()) return fmt::format("/{}", std::min(a.size(), b.size()));
    return std::nullopt;
  }
  return "";
}

std::string DescribeAt(const Json& document, const std::string& pointer) {
  const Json::json_pointer place(pointer);
  return document.contains(place) ? Describe(document.at(place)) : "nothing";
}

std::string PointerTo(const std::string& pointer, std::string_view key) {
  std::string result = pointer + '/';
  for (const char c : key) {
    if (c == '~') {
      result += "~0";
    } else if (c == '/') {
      result += "~1";
    } else {
      result += c;
    }
  }
  return result;
}

std::string PointerTo(const std::string& pointer, std::size_t index) {
  return fmt::format("{}/{}", pointer, index);
}

std::string Describe(const Json& value) {
  switch (value.type()) {
    case Json::value_t::object:
      return "an object";
    case Json::value_t::array:
      return fmt::format("a list of {}", value.size());
    default:
      return JsonText(value);
  }
}

}  // namespace idbench
