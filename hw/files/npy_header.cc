#include "hw/files/npy_header.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string_view>
#include <utility>

#include "scenarios/options/config_error.h"
#include "scenarios/options/json.h"
#include "scenarios/options/utf8.h"

namespace idbench {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kLargestHeader = std::size_t{1} << 20;
constexpr int kDeepestStructure = 16;

std::string_view NpyText(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

void AppendUtf8(std::uint32_t point, std::string& text) {
  const auto add = [&text](std::uint32_t byte) { text += static_cast<char>(byte); };
  if (point < 0x80) {
    add(point);
  } else if (point < 0x800) {
    add(0xC0 | point >> 6);
    add(0x80 | (point & 0x3F));
  } else if (point < 0x10000) {
    add(0xE0 | point >> 12);
    add(0x80 | (point >> 6 & 0x3F));
    add(0x80 | (point & 0x3F));
  } else {
    add(0xF0 | (point >> 18 & 0x07));
    add(0x80 | (point >> 12 & 0x3F));
    add(0x80 | (point >> 6 & 0x3F));
    add(0x80 | (point & 0x3F));
  }
}

std::string Utf8OfLatin1(std::string_view text) {
  std::string utf8;
  for (const char c : text) AppendUtf8(static_cast<unsigned char>(c), utf8);
  return utf8;
}

/// Writes a literal of Python, of which headers consist, as JSON: tuples become arrays, in which
/// the last comma is left out. What is no literal does not become JSON either.
class JsonOfPython {
 public:
  explicit JsonOfPython(std::string_view text) : rest_(text) {}

  std::string Translate() {
    while (!rest_.empty()) {
      const char c = rest_.front();
      if (c == '\'' || c == '"') {
        rest_.remove_prefix(1);
        TranslateString(c);
      } else if (!TakeWord("True", "true") && !TakeWord("False", "false")) {
        rest_.remove_prefix(1);
        TranslateSign(c);
      }
    }
    return std::move(json_);
  }

 private:
  bool TakeWord(std::string_view python, std::string_view json) {
    if (!rest_.starts_with(python)) return false;
    rest_.remove_prefix(python.size());
    json_ += json;
    return true;
  }

  void TranslateSign(char c) {
    if (c == 'L' && !json_.empty() && json_.back() >= '0' && json_.back() <= '9') {
      return;  // of a long integer of Python 2
    }
    if ((c == ')' || c == ']' || c == '}') && json_.ends_with(',')) json_.pop_back();
    if (c == '(') c = '[';
    if (c == ')') c = ']';
    if (c != ' ' && c != '\n') json_ += c;
  }

  void TranslateString(char quote) {
    std::string text;
    while (!rest_.empty() && rest_.front() != quote) {
      const char c = rest_.front();
      rest_.remove_prefix(1);
      if (c == '\\' && !rest_.empty()) {
        TranslateEscape(text);
      } else {
        text += c;
      }
    }
    if (rest_.empty()) return;  // without its end it is no JSON
    rest_.remove_prefix(1);
    json_ += JsonText(Json(text));
  }

  void TranslateEscape(std::string& text) {
    const char c = rest_.front();
    rest_.remove_prefix(1);
    const std::size_t digits = c == 'x' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : 0;
    if (digits > 0) {
      std::uint32_t point = 0;
      const std::string_view number = rest_.substr(0, digits);
      std::from_chars(number.data(), number.data() + number.size(), point, 16);
      rest_.remove_prefix(number.size());
      AppendUtf8(point, text);
      return;
    }
    constexpr std::string_view kLetters = "nrt";
    const std::size_t letter = kLetters.find(c);
    text += letter == std::string_view::npos ? c : "\n\r\t"[letter];
  }

  std::string_view rest_;
  std::string json_;
};

Json JsonOfHeader(const std::string& text) {
  try {
    return ParseJson(JsonOfPython(text).Translate(), "header");
  } catch (const ConfigError&) {
    return {};  // which describes no array
  }
}

[[noreturn]] void RefuseType(const Json& type) {
  constexpr std::size_t kLongest = 80;
  throw NpyError(fmt::format("has a type that idbench does not know: {}",
                             ReplaceIllFormed(JsonText(type).substr(0, kLongest))));
}

[[noreturn]] void RefuseCutHeader() {
  throw NpyError("ends within its header", {"was it cut off? copy it again"});
}

/// The number of bytes in an array of the shape.
std::size_t BytesOf(const std::vector<std::size_t>& shape, std::size_t item_size) {
  std::size_t bytes = item_size;
  for (const std::size_t count : shape) {
    if (__builtin_mul_overflow(bytes, count, &bytes)) {
      throw NpyError("claims more bytes than can be counted");
    }
  }
  return bytes;
}

std::vector<std::size_t> ShapeOf(const Json& json) {
  std::vector<std::size_t> shape;
  const auto add = [&shape](const Json& count) {
    if (!count.is_number_unsigned()) throw NpyError("has a shape that is not one of counts");
    shape.push_back(count.get<std::size_t>());
  };
  if (!json.is_array()) {
    add(json);
  } else {
    for (const Json& count : json) add(count);
  }
  return shape;
}

/// What is said of an item or field that holds no numbers that can be read; `type` as "<U5".
NpyOther OtherOf(const std::string& field, char kind, const std::string& type) {
  const auto other = [&](std::string_view what, std::string cure) {
    return NpyOther{field, fmt::format("holds {} ({})", what, type), std::move(cure)};
  };
  switch (kind) {
    case 'O':
      return {field, "holds Python objects, which are pickled",
              "save numbers: np.save(..., allow_pickle=False) refuses all else; of a dictionary "
              "np.savez(\"log.npz\", **data) saves the arrays"};
    case 'S':
    case 'a':
    case 'U':
      return other("text", "");
    case 'M':
      return other("dates", "save seconds: (t - t[0]) / np.timedelta64(1, \"s\")");
    case 'm':
      return other("differences of time", "save seconds: t / np.timedelta64(1, \"s\")");
    case 'c':
      return other("complex numbers", "");
    case 'V':
      return other("bytes", "");
    default:
      return other("numbers of another size than idbench reads", "save them .astype(float)");
  }
}

bool IsReadable(const NpyNumber& number) {
  const std::size_t size = number.size;
  switch (number.kind) {
    case 'f':
      return size == 2 || size == 4 || size == 8;
    case 'i':
    case 'u':
      return size == 1 || size == 2 || size == 4 || size == 8;
    default:
      return number.kind == 'b' && size == 1;
  }
}

/// Makes the parts of an item of the type.
class ItemReader {
 public:
  explicit ItemReader(NpyHeader& header) : header_(header) {}

  /// Of an array with objects anywhere all of it is a pickle.
  bool has_objects() const { return has_objects_; }

  /// Returns the size of the item.
  std::size_t Read(const Json& type, const std::string& field, std::size_t offset,
                   const std::vector<std::size_t>& shape) {
    if (type.is_string()) return ReadNumber(type, field, offset, shape);
    if (!type.is_array() || ++depth_ > kDeepestStructure) RefuseType(type);
    std::size_t size = 0;
    for (const Json& member : type) {
      if (shape.empty()) {
        size = Sum(size, ReadMember(member, field, Sum(offset, size)));
      } else {  // structures in a row: their size counts, their numbers have no name
        NpyHeader unused;
        ItemReader reader(unused, depth_);
        size = Sum(size, reader.ReadMember(member, "", 0));
        has_objects_ = has_objects_ || reader.has_objects_;
      }
    }
    if (!shape.empty()) header_.others.push_back({field, "holds several structures an item"});
    --depth_;
    return BytesOf(shape, size);
  }

 private:
  ItemReader(NpyHeader& header, int depth) : header_(header), depth_(depth) {}

  static std::size_t Sum(std::size_t a, std::size_t b) {
    if (__builtin_add_overflow(a, b, &a)) {
      throw NpyError("claims more bytes than can be counted");
    }
    return a;
  }

  /// (name, type) or (name, type, shape); a name may be (title, name).
  std::size_t ReadMember(const Json& member, const std::string& parent, std::size_t offset) {
    if (!member.is_array() || (member.size() != 2 && member.size() != 3)) RefuseType(member);
    const bool titled = member[0].is_array() && member[0].size() == 2;
    const Json& name = titled ? member[0][1] : member[0];
    if (!name.is_string()) RefuseType(member);
    const auto own = name.get<std::string>();
    const std::string field = parent.empty() ? own : fmt::format("{}.{}", parent, own);
    return Read(member[1], own.empty() ? "" : field, offset,
                member.size() == 3 ? ShapeOf(member[2]) : std::vector<std::size_t>{});
  }

  std::size_t ReadNumber(const Json& type, const std::string& field, std::size_t offset,
                         const std::vector<std::size_t>& shape) {
    const auto text = type.get<std::string>();
    std::string_view rest = text;
    NpyNumber number;
    if (rest.starts_with('<') || rest.starts_with('>') || rest.starts_with('|')) {
      number.big_endian = rest.front() == '>';
      rest.remove_prefix(1);
    }
    if (rest.empty()) RefuseType(type);
    number.kind = rest.front();
    if (std::string_view("OSaUMmcVfiub").find(number.kind) == std::string_view::npos) {
      RefuseType(type);
    }
    rest.remove_prefix(1);
    const std::string_view digits = rest.substr(0, rest.find('['));  // of dates: [ns]
    const auto [stop, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), number.size);
    const bool has_size = error == std::errc() && stop == digits.data() + digits.size();
    if (number.kind == 'O') {
      has_objects_ = true;
      number.size = 0;
    } else if (!has_size) {
      RefuseType(type);
    }
    if (IsReadable(number)) {
      header_.parts.push_back({field, number, offset, shape});
    } else if (number.kind != 'V' || !field.empty()) {  // nameless bytes align the next field
      header_.others.push_back(OtherOf(field, number.kind, text));
    }
    const std::size_t bytes_of_character = number.kind == 'U' ? 4 : 1;
    return BytesOf(shape, BytesOf({number.size}, bytes_of_character));
  }

  NpyHeader& header_;
  int depth_ = 0;
  bool has_objects_ = false;
};

}  // namespace

std::size_t NpyHeaderSize(std::span<const std::byte> bytes) {
  if (!NpyText(bytes).starts_with(kMagic)) {
    throw NpyError("is no array in NumPy's format",
                   {"np.save and np.savez write such files; of others, /recording/format says how "
                    "they are written"});
  }
  if (bytes.size() < kMagic.size() + 2) RefuseCutHeader();
  const auto major = std::to_integer<int>(bytes[kMagic.size()]);
  const auto minor = std::to_integer<int>(bytes[kMagic.size() + 1]);
  if (major < 1 || major > 3 || minor != 0) {
    throw NpyError(fmt::format("is of version {}.{} of NumPy's format", major, minor),
                   {"1.0, 2.0 and 3.0 are accepted: load it with NumPy and save it again"});
  }
  const std::size_t begin = kMagic.size() + 2;
  const std::size_t width = major == 1 ? 2 : 4;
  if (bytes.size() < begin + width) RefuseCutHeader();
  std::size_t size = 0;
  for (std::size_t i = width; i-- > 0;) {
    size = size << 8 | std::to_integer<std::size_t>(bytes[begin + i]);
  }
  if (size > kLargestHeader) throw NpyError(fmt::format("claims a header of {} bytes", size));
  return begin + width + size;
}

NpyHeader ParseNpyHeader(std::span<const std::byte> bytes) {
  NpyHeader header;
  header.size = NpyHeaderSize(bytes);
  if (bytes.size() < header.size) RefuseCutHeader();
  const auto major = std::to_integer<int>(bytes[kMagic.size()]);
  const std::size_t begin = kMagic.size() + 2 + (major == 1 ? 2 : 4);
  const std::string_view text = NpyText(bytes.subspan(begin, header.size - begin));
  const Json json = JsonOfHeader(major == 3 ? std::string(text) : Utf8OfLatin1(text));
  if (!json.is_object() || !json.contains("descr") || !json.contains("fortran_order") ||
      !json["fortran_order"].is_boolean() || !json.contains("shape") || !json["shape"].is_array()) {
    throw NpyError("has a header that does not describe an array");
  }
  header.shape = ShapeOf(json["shape"]);
  header.fortran_order = json["fortran_order"].get<bool>();
  ItemReader reader(header);
  header.item_size = reader.Read(json["descr"], "", 0, {});
  if (reader.has_objects()) {
    header.parts.clear();
    header.others = {OtherOf("", 'O', "")};
  }
  BytesOf(header.shape, header.item_size);
  return header;
}

}  // namespace idbench
