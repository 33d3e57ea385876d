#include "reports/files/utc_time.h"

namespace idbench {
namespace {

std::string Format(std::time_t time, const char* format) {
  std::tm utc{};
  gmtime_r(&time, &utc);
  char text[32];
  const std::size_t size = std::strftime(text, sizeof text, format, &utc);
  return {text, size};
}

}  // namespace

std::string UtcText(std::time_t time) { return Format(time, "%Y-%m-%dT%H:%M:%SZ"); }

std::string UtcStamp(std::time_t time) { return Format(time, "%Y%m%dT%H%M%SZ"); }

}  // namespace idbench
