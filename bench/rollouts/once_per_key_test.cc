#include "bench/rollouts/once_per_key.h"

#include <doctest/doctest.h>

#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

namespace idbench {
namespace {

TEST_CASE("A value is made once, however many threads ask for it") {
  OncePerKey<double> store;
  std::atomic<int> made = 0;
  std::vector<const double*> seen(4);
  {
    std::vector<std::jthread> threads;
    for (const double*& place : seen) {
      threads.emplace_back([&] {
        place = &store.Get("key", [&] {
          ++made;
          return 3.0;
        });
      });
    }
  }
  CHECK(made == 1);
  for (const double* value : seen) CHECK(value == seen[0]);
  CHECK(*seen[0] == 3.0);
}

TEST_CASE("Other keys are other values, and what failed is tried again") {
  OncePerKey<double> store;
  CHECK_THROWS_AS(store.Get("a", []() -> double { throw std::runtime_error("diverged"); }),
                  std::runtime_error);
  CHECK(store.Get("a", [] { return 1.0; }) == 1.0);
  CHECK(store.Get("b", [] { return 2.0; }) == 2.0);
}

}  // namespace
}  // namespace idbench
