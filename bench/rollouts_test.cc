#include "bench/rollouts.h"

#include <doctest/doctest.h>

#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

namespace idbench {
namespace {

Signals One(double value) {
  Signals signals;
  signals.time_s = Eigen::VectorXd::Constant(1, value);
  return signals;
}

TEST_CASE("A roll-out is simulated once, however many threads ask for it") {
  RolloutStore store;
  std::atomic<int> simulations = 0;
  std::vector<const Signals*> seen(4);
  {
    std::vector<std::jthread> threads;
    for (const Signals*& place : seen) {
      threads.emplace_back([&] {
        place = &store.Get("key", [&] {
          ++simulations;
          return One(3.0);
        });
      });
    }
  }
  CHECK(simulations == 1);
  for (const Signals* signals : seen) CHECK(signals == seen[0]);
  CHECK(seen[0]->time_s[0] == 3.0);
}

TEST_CASE("Other keys are other roll-outs, and what failed is tried again") {
  RolloutStore store;
  CHECK_THROWS_AS(store.Get("a", []() -> Signals { throw std::runtime_error("diverged"); }),
                  std::runtime_error);
  CHECK(store.Get("a", [] { return One(1.0); }).time_s[0] == 1.0);
  CHECK(store.Get("b", [] { return One(2.0); }).time_s[0] == 2.0);
}

}  // namespace
}  // namespace idbench
