#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "bench/lab_checks/cure.h"

namespace idbench {
namespace {

using Order = std::vector<int>;

/// More joints than this have too many triples.
constexpr int kMostInTriples = 8;

/// Orders of n columns that labs mistake for another: two swapped, three or all of them rotated
/// (of many joints, three neighbours), and reversed.
std::set<Order> LikelyOrders(int n) {
  Order own(static_cast<std::size_t>(n));
  for (int j = 0; j < n; ++j) own[static_cast<std::size_t>(j)] = j;
  std::set<Order> orders;
  const auto at = [](Order& order, int j) -> int& { return order[static_cast<std::size_t>(j)]; };
  for (int a = 0; a < n; ++a) {
    for (int b = a + 1; b < n; ++b) {
      Order order = own;
      std::swap(at(order, a), at(order, b));
      orders.insert(order);
      const int last = n <= kMostInTriples ? n : (b == a + 1 ? std::min(n, b + 2) : b);
      for (int c = b + 1; c < last; ++c) {
        order = own;
        at(order, a) = b, at(order, b) = c, at(order, c) = a;
        orders.insert(order);
        at(order, a) = c, at(order, c) = b, at(order, b) = a;
        orders.insert(order);
      }
    }
  }
  for (int by = 1; by < n; ++by) {
    Order order = own;
    std::rotate(order.begin(), order.begin() + by, order.end());
    orders.insert(order);
  }
  orders.insert(Order(own.rbegin(), own.rend()));
  orders.erase(own);
  return orders;
}

/// order ∘ of: joint j gets what joint order[j] had.
Order Reordered(const Order& of, const Order& order) {
  Order result;
  for (const int j : order) result.push_back(of[static_cast<std::size_t>(j)]);
  return result;
}

}  // namespace

std::vector<Cure> JointOrderCures(const DataChange& now, LabFit& fit) {
  const RobotModel& model = fit.robot().model;
  std::vector<Cure> cures;
  const std::set<Order> orders = LikelyOrders(model.dofs());
  // A column that stands still is told as such: where the joint's is lost, another one that looks
  // like it is no cure.
  const Eigen::MatrixXd q = fit.rows().Positions(now);
  const std::vector<int> still =
      NeverMoving((q.colwise().maxCoeff() - q.colwise().minCoeff()).transpose());
  const auto add = [&](const Order& order, bool positions, bool torques) {
    Cure cure{.check = "joint_order", .columns = {}, .change = now};
    if (positions) cure.change.position_of = Reordered(now.position_of, order);
    if (torques) cure.change.torque_of = Reordered(now.torque_of, order);
    cure.does = DoesReorder(model, now, cure.change, cure.columns);
    // As many as an offset or a factor of one joint; of all joints there are few orders.
    const auto moved = static_cast<int>(cure.columns.size());
    if (moved < model.dofs()) {
      const auto at = std::ranges::find_first_of(cure.columns, still);
      if (positions && at != cure.columns.end()) return;
      cure.numbers = moved - 1;
    }
    cure.advice = fmt::format(
        "state the order of the {} columns",
        positions && torques ? "position and torque" : (positions ? "position" : "torque"));
    cures.push_back(std::move(cure));
  };
  for (const Order& order : orders) add(order, false, true);
  for (const Order& order : orders) {
    add(order, true, false);
    add(order, true, true);  // of the same regressor
  }
  return cures;
}

}  // namespace idbench
