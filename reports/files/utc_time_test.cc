#include "reports/files/utc_time.h"

#include <doctest/doctest.h>

namespace idbench {
namespace {

TEST_CASE("A time is printed in UTC, for people and for names of files") {
  CHECK(UtcText(0) == "1970-01-01T00:00:00Z");
  CHECK(UtcText(951'827'696) == "2000-02-29T12:34:56Z");
  CHECK(UtcStamp(951'827'696) == "20000229T123456Z");
}

}  // namespace
}  // namespace idbench
