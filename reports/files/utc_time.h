#pragma once

#include <ctime>
#include <string>

namespace idbench {

/// Returns "2026-03-01T02:00:00Z".
std::string UtcText(std::time_t time);

/// Returns "20260301T020000Z", for names of files and folders.
std::string UtcStamp(std::time_t time);

}  // namespace idbench
