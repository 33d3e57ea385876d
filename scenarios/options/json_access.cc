#include "scenarios/options/json_access.h"

#include "scenarios/options/json.h"

namespace idbench::json_access {
namespace {

const Json::object_t::value_type& MemberAt(const Json& object, std::size_t i) {
  return object.get_ref<const Json::object_t&>().begin()[static_cast<std::ptrdiff_t>(i)];
}

}  // namespace

bool IsNull(const Json& json) { return json.is_null(); }

std::size_t SizeOf(const Json& json) { return json.size(); }

const Json& ValueAt(const Json& json, std::size_t i) {
  return json.is_array() ? json[i] : MemberAt(json, i).second;
}

const std::string& LabelAt(const Json& object, std::size_t i) { return MemberAt(object, i).first; }

void SetNull(Json& json) { json = nullptr; }

void SetEmptyList(Json& json) { json = Json::array(); }

void SetEmptyObject(Json& json) { json = Json::object(); }

Json& Append(Json& list) { return list.emplace_back(); }

Json& Member(Json& object, const std::string& label) { return object[label]; }

}  // namespace idbench::json_access
