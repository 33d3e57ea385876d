#include "reports/files/printable_text.h"

#include "scenarios/options/utf8.h"

namespace idbench {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

/// Number of bytes of the excluded character at the beginning of a text; 0 if that one may stand.
std::size_t SizeOfExcluded(std::string_view text) {
  const auto byte = [text](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
  };
  if (byte(0) < 0x20U) return text[0] == '\t' || text[0] == '\n' ? 0 : 1;
  if (byte(0) == 0x7FU) return 1;
  if (byte(0) == 0xC2U && byte(1) < 0xA0U) return 2;  // U+0080 to U+009F
  return byte(0) == 0xEFU && byte(1) == 0xBFU && byte(2) >= 0xBEU ? 3 : 0;
}

}  // namespace

std::string PrintableText(std::string_view text) {
  const std::string well_formed = ReplaceIllFormed(text);
  std::string printable;
  for (std::size_t at = 0; at < well_formed.size();) {
    const std::size_t excluded = SizeOfExcluded(std::string_view(well_formed).substr(at));
    if (excluded > 0) {
      printable += kReplacement;
      at += excluded;
    } else {
      printable += well_formed[at++];
    }
  }
  return printable;
}

}  // namespace idbench
