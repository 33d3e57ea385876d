#pragma once

#include <cstddef>
#include <string>

#include "scenarios/options/json_fwd.h"

/// What templates do with a Json that is incomplete where they stand (scenarios/options/binding.h).
namespace idbench::json_access {

bool IsNull(const Json& json);
/// The number of items of a list or members of an object.
std::size_t SizeOf(const Json& json);
/// Item or member `i`, below SizeOf(), of a list or an object.
const Json& ValueAt(const Json& json, std::size_t i);
/// The label of a member.
const std::string& LabelAt(const Json& object, std::size_t i);

void SetNull(Json& json);
void SetEmptyList(Json& json);
void SetEmptyObject(Json& json);
/// A new item, null, at the end of a list; valid until the next one.
Json& Append(Json& list);
/// The member with that label, null if it is a new one; valid until the next new one.
Json& Member(Json& object, const std::string& label);

}  // namespace idbench::json_access
