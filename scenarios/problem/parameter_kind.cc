#include "scenarios/problem/parameter_kind.h"

#include <string_view>

namespace idbench {

std::string ParameterKind(const std::string& name) {
  static constexpr std::string_view kRegrouped = "_R";
  std::string kind = name.substr(name.rfind('.') + 1);
  if (kind.ends_with(kRegrouped)) kind.resize(kind.size() - kRegrouped.size());
  return kind;
}

}  // namespace idbench
