#include "robots/link_body.h"

#include <fmt/format.h>

#include <algorithm>

#include "robots/robot.h"

namespace idbench {

std::string NameInFile(const LinkBody& body) {
  return body.name.empty() ? fmt::format("body{}", body.body) : body.name;
}

const LinkBody* FindBody(const Robot& robot, const std::string& name) {
  const auto at = std::ranges::find(robot.bodies, name, &NameInFile);
  return at == robot.bodies.end() ? nullptr : &*at;
}

std::optional<LinkBody> PlaceOf(const std::string& name, const Robot& robot,
                                const std::string& where, std::vector<Issue>& issues) {
  const LinkBody* const found = FindBody(robot, name);
  if (found != nullptr && found->link >= 0) return *found;
  std::vector<std::string> accepted;
  for (const LinkBody& body : robot.bodies) {
    if (body.link >= 0) accepted.push_back(NameInFile(body));
  }
  issues.push_back({where,
                    found == nullptr
                        ? fmt::format("unknown link \"{}\"", name)
                        : fmt::format("\"{}\" does not move: it is fixed to the base", name),
                    AcceptedNames(name, accepted)});
  return std::nullopt;
}

}  // namespace idbench
