#include "scenarios/options/utf8.h"

#include "scenarios/options/json.h"

namespace idbench {

std::string JsonText(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

std::string ReplaceIllFormed(std::string_view text) {
  return Json::parse(JsonText(Json(text))).get<std::string>();
}

bool IsUtf8(std::string_view text) { return ReplaceIllFormed(text) == text; }

}  // namespace idbench
