#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace idbench {

/// One fault in a file that a user wrote.
struct Issue {
  std::string where;                 ///< JSON pointer, "line 7, column 3", element name …
  std::string what;                  ///< What was found there.
  std::vector<std::string> details;  ///< What is accepted, and the likely cure; one line each.
};

/// All faults of one file, reported together.
///
/// what() prints each issue as `source: where: what`, with its details indented below it.
class ConfigError : public std::runtime_error {
 public:
  ConfigError(std::string source, std::vector<Issue> issues);
  ConfigError(std::string source, std::string where, std::string what,
              std::vector<std::string> details = {});

  const std::string& source() const { return source_; }
  const std::vector<Issue>& issues() const { return issues_; }

 private:
  std::string source_;
  std::vector<Issue> issues_;
};

/// Returns the member of `accepted` that a misspelt `got` most likely stands for; empty
/// if none is near.
///
/// Near means a Damerau-Levenshtein distance of at most a third of the longer name (at least 1)
/// with some letter in common; of equally near names it returns the first. A name that only lacks
/// its unit (`duration` for `duration_s`) is the nearest.
std::string NearestName(std::string_view got, const std::vector<std::string>& accepted);

/// Returns true if `accepted` is `got` followed by a unit: ("duration", "duration_s").
bool LacksOnlyUnit(std::string_view got, std::string_view accepted);

/// Returns the names separated by commas; of more than seven, the first six and the number
/// of the others.
std::string ListSome(const std::vector<std::string>& names);

/// Returns the details of an issue with a name: "accepted here: …" and, if one is near, "did
/// you mean '…'?".
std::vector<std::string> AcceptedNames(std::string_view got,
                                       const std::vector<std::string>& accepted);

}  // namespace idbench
