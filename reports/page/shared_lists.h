#pragma once

#include "scenarios/options/json.h"

namespace idbench {

/// Makes data smaller that hold equal lists several times, such as the instants of many rows:
/// moves each list of kLeastShared numbers (or null) or more that occurs twice or more out of
/// `data`, and leaves `{"$list": k}` where it was.
///
/// Returns the lists; `report.js` puts list k back. Data must not hold a key `$list`.
Json TakeSharedLists(Json& data);

/// A shorter list is not worth the reference.
inline constexpr std::size_t kLeastShared = 8;

}  // namespace idbench
