#include "robots/plant/canonical_text.h"

#include <bit>

#include "robots/random/random_stream.h"

namespace idbench {
namespace {

constexpr std::uint64_t kSecondBasis = 0x9e3779b97f4a7c15ULL;

void AppendHex(std::uint64_t bits, std::string& text) {
  for (int shift = 60; shift >= 0; shift -= 4) text += "0123456789abcdef"[(bits >> shift) & 15];
}

void AppendSized(std::string_view value, std::string& text) {
  text += std::to_string(value.size()) + ':';
  text += value;
}

}  // namespace

/// Kinds: n number, i integer, s text, m matrix, t a canonical text.
void CanonicalText::Begin(std::string_view name, char kind) {
  AppendSized(name, text_);
  text_ += kind;
}

CanonicalText& CanonicalText::AddNumber(std::string_view name, double value) {
  Begin(name, 'n');
  AppendHex(std::bit_cast<std::uint64_t>(value), text_);
  return *this;
}

CanonicalText& CanonicalText::AddInteger(std::string_view name, std::int64_t value) {
  Begin(name, 'i');
  text_ += std::to_string(value) + ';';
  return *this;
}

CanonicalText& CanonicalText::Add(std::string_view name, std::string_view value) {
  Begin(name, 's');
  AppendSized(value, text_);
  return *this;
}

CanonicalText& CanonicalText::Add(std::string_view name,
                                  const Eigen::Ref<const Eigen::MatrixXd>& values) {
  Begin(name, 'm');
  text_ += std::to_string(values.rows()) + 'x' + std::to_string(values.cols()) + ':';
  for (Eigen::Index j = 0; j < values.cols(); ++j) {
    for (Eigen::Index i = 0; i < values.rows(); ++i) {
      AppendHex(std::bit_cast<std::uint64_t>(values(i, j)), text_);
    }
  }
  return *this;
}

CanonicalText& CanonicalText::Add(std::string_view name, const CanonicalText& inner) {
  Begin(name, 't');
  AppendSized(inner.text_, text_);
  return *this;
}

std::string CanonicalText::Hash() const {
  std::string hash;
  AppendHex(Hash64(text_), hash);
  AppendHex(Hash64(text_, kSecondBasis), hash);
  return hash;
}

}  // namespace idbench
