#pragma once

#include <Eigen/Core>
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

namespace idbench {

/// A text that two things share only if they were made of the same values: what a key is hashed of.
///
///     CanonicalText text;
///     text.Add("base_frequency_hz", 0.1).Add("a", a).Add("inner", TextOf(inner));
///
/// Every entry says its name, kind and size, so that no two lists of entries make one text. Numbers
/// count by their bits: −0 is not 0, and infinities and NaN have a text too.
class CanonicalText {
 public:
  template <std::floating_point T>
  CanonicalText& Add(std::string_view name, T value) {
    return AddNumber(name, static_cast<double>(value));
  }
  /// Of `bool` and enumerators too, as a number; one above 2⁶³ − 1 as that less 2⁶⁴.
  template <class T>
    requires(std::integral<T> || std::is_enum_v<T>)
  CanonicalText& Add(std::string_view name, T value) {
    return AddInteger(name, static_cast<std::int64_t>(value));
  }
  CanonicalText& Add(std::string_view name, std::string_view value);
  /// All entries, column by column, behind the number of rows and columns.
  CanonicalText& Add(std::string_view name, const Eigen::Ref<const Eigen::MatrixXd>& values);
  CanonicalText& Add(std::string_view name, const CanonicalText& inner);

  const std::string& text() const { return text_; }
  /// 128 bits of the text in hexadecimal: Hash64() with two bases.
  std::string Hash() const;

 private:
  CanonicalText& AddNumber(std::string_view name, double value);
  CanonicalText& AddInteger(std::string_view name, std::int64_t value);
  void Begin(std::string_view name, char kind);

  std::string text_;
};

}  // namespace idbench
