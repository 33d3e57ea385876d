#include "reports/page/shared_lists.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>

namespace idbench {
namespace {

bool CanBeShared(const Json& value) {
  return value.is_array() && value.size() >= kLeastShared &&
         std::ranges::all_of(value,
                             [](const Json& item) { return item.is_number() || item.is_null(); });
}

/// Occurrences of each list, by its text.
using ListCounts = std::map<std::string, std::size_t>;

void Count(const Json& data, ListCounts& counts) {
  if (CanBeShared(data)) {
    ++counts[data.dump()];
  } else if (data.is_structured()) {
    for (const Json& item : data) Count(item, counts);
  }
}

class Sharing {
 public:
  explicit Sharing(const ListCounts& counts) : counts_(counts) {}

  void Take(Json& data) {
    if (!CanBeShared(data)) {
      if (data.is_structured()) {
        for (Json& item : data) Take(item);
      }
      return;
    }
    const std::string text = data.dump();
    if (counts_.at(text) < 2) return;
    const auto [place, is_new] = places_.emplace(text, lists_.size());
    if (is_new) lists_.push_back(data);
    data = {{"$list", place->second}};
  }
  const Json& lists() const { return lists_; }

 private:
  const ListCounts& counts_;
  std::map<std::string, std::size_t> places_;
  Json lists_ = Json::array();
};

}  // namespace

Json TakeSharedLists(Json& data) {
  ListCounts counts;
  Count(data, counts);
  Sharing sharing(counts);
  sharing.Take(data);
  return sharing.lists();
}

}  // namespace idbench
