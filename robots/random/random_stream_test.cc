#include "robots/random/random_stream.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace idbench {
namespace {

using Block = std::array<std::uint64_t, 4>;

constexpr std::uint64_t kOnes = ~std::uint64_t{0};
constexpr int kDraws = 100000;

TEST_CASE("Philox4x64 gives the known answers of Random123") {
  // Random123 1.14, tests/kat_vectors, the three lines "philox4x64 10".
  CHECK(Philox4x64({0, 0, 0, 0}, {0, 0}) ==
        Block{0x16554d9eca36314c, 0xdb20fe9d672d0fdc, 0xd7e772cee186176b, 0x7e68b68aec7ba23b});
  CHECK(Philox4x64({kOnes, kOnes, kOnes, kOnes}, {kOnes, kOnes}) ==
        Block{0x87b092c3013fe90b, 0x438c3c67be8d0224, 0x9cc7d7c69cd777b6, 0xa09caebf594f0ba0});
  CHECK(Philox4x64({0x243f6a8885a308d3, 0x13198a2e03707344, 0xa4093822299f31d0, 0x082efa98ec4e6c89},
                   {0x452821e638d01377, 0xbe5466cf34e90c6c}) ==
        Block{0xa528f45403e61d95, 0x38c72dbd566e9788, 0xa5a1610e72fd18b5, 0x57bd43b5e52b7fe6});
}

TEST_CASE("Hash64 gives the published values of FNV-1a") {
  // Fowler, Noll & Vo, test vectors of the reference implementation.
  CHECK(Hash64("") == 0xcbf29ce484222325ULL);
  CHECK(Hash64("a") == 0xaf63dc4c8601ec8cULL);
  CHECK(Hash64("foobar") == 0x85944171f73967e8ULL);
}

TEST_CASE("Hashes of several texts chain to the hash of their concatenation") {
  CHECK(Hash64("bar", Hash64("foo")) == Hash64("foobar"));
}

TEST_CASE("A draw is the Philox block at its address") {
  const RandomStream stream(7, -1, "motion/identification");
  const Block block = Philox4x64({42, 3, kOnes, 0}, {7, Hash64("motion/identification")});
  // u01fixedpt keeps the upper 53 bits and sets the lowest of them.
  const auto uniform = [](std::uint64_t bits) {
    return std::ldexp(static_cast<double>((bits >> 11) | 1), -53);
  };
  CHECK(stream.Uniform(3, 42) == uniform(block[0]));
  // The same formula: the same bits.
  CHECK(stream.Normal(3, 42) == std::sqrt(-2.0 * std::log(uniform(block[0]))) *
                                    std::cos(2.0 * 3.141592653589793 * uniform(block[1])));
}

TEST_CASE("A draw does not depend on the draws before it") {
  const RandomStream stream(1, 0, "noise");
  std::vector<double> forwards;
  std::vector<double> backwards;
  for (std::uint64_t i = 0; i < 100; ++i) forwards.push_back(stream.Normal(0, i));
  for (std::uint64_t i = 100; i-- > 0;) {
    stream.Uniform(5, i);
    backwards.insert(backwards.begin(), stream.Normal(0, i));
  }
  CHECK(forwards == backwards);
}

TEST_CASE("Every part of the address changes the draw") {
  const double draw = RandomStream(1, 0, "noise").Normal(0, 0);
  CHECK(RandomStream(2, 0, "noise").Normal(0, 0) != draw);
  CHECK(RandomStream(1, 1, "noise").Normal(0, 0) != draw);
  CHECK(RandomStream(1, -1, "noise").Normal(0, 0) != draw);
  CHECK(RandomStream(1, 0, "bias").Normal(0, 0) != draw);
  CHECK(RandomStream(1, 0, "noise").Normal(1, 0) != draw);
  CHECK(RandomStream(1, 0, "noise").Normal(0, 1) != draw);
}

TEST_CASE("Uniform draws have the moments of the uniform distribution") {
  const RandomStream stream(11, 0, "uniform");
  double sum = 0.0;
  double squares = 0.0;
  double least = 1.0;
  double most = 0.0;
  for (int i = 0; i < kDraws; ++i) {
    const double u = stream.Uniform(0, static_cast<std::uint64_t>(i));
    sum += u;
    squares += (u - 0.5) * (u - 0.5);
    least = std::min(least, u);
    most = std::max(most, u);
  }
  // Four standard errors: √(1/12/n) = 9.1e-4 of the mean, √(1/180/n) = 2.4e-4 of the variance.
  CHECK(std::abs(sum / kDraws - 0.5) < 3.7e-3);
  CHECK(std::abs(squares / kDraws - 1.0 / 12.0) < 9.5e-4);
  CHECK(least > 0.0);
  CHECK(least < 1e-4);
  CHECK(most < 1.0);
  CHECK(most > 1.0 - 1e-4);
}

TEST_CASE("Normal draws have the moments of the normal distribution and are not correlated") {
  const RandomStream stream(12, 3, "normal");
  double moments[5] = {};
  double neighbours = 0.0;
  double channels = 0.0;
  for (int i = 0; i < kDraws; ++i) {
    const auto index = static_cast<std::uint64_t>(i);
    const double z = stream.Normal(0, index);
    for (int power = 1; power < 5; ++power) moments[power] += std::pow(z, power) / kDraws;
    neighbours += z * stream.Normal(0, index + 1) / kDraws;
    channels += z * stream.Normal(1, index) / kDraws;
  }
  // Four standard errors with n = 1e5: √(1, 2, 15, 96)/√n, correlations 1/√n.
  CHECK(std::abs(moments[1]) < 0.0127);
  CHECK(std::abs(moments[2] - 1.0) < 0.0179);
  CHECK(std::abs(moments[3]) < 0.0490);
  CHECK(std::abs(moments[4] - 3.0) < 0.1240);
  CHECK(std::abs(neighbours) < 0.0127);
  CHECK(std::abs(channels) < 0.0127);
}

}  // namespace
}  // namespace idbench
