#include "robots/plant/canonical_text.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <set>
#include <vector>

namespace idbench {
namespace {

TEST_CASE("Texts are the same only for the same names and values, in the same order") {
  const Eigen::MatrixXd row = Eigen::MatrixXd::Constant(1, 2, 0.5);
  const double infinity = std::numeric_limits<double>::infinity();
  CanonicalText inner;
  inner.Add("a", 1.0);
  const std::vector<CanonicalText> different = {
      CanonicalText(),
      inner,
      CanonicalText().Add("b", 1.0),
      CanonicalText().Add("a", 1),
      CanonicalText().Add("a", -1),
      CanonicalText().Add("a", true).Add("a", true),
      CanonicalText().Add("a", 0.0),
      CanonicalText().Add("a", -0.0),
      CanonicalText().Add("a", infinity),
      CanonicalText().Add("a", -infinity),
      CanonicalText().Add("a", std::nextafter(1.0, 2.0)),
      CanonicalText().Add("a", "1"),
      CanonicalText().Add("a", ""),
      CanonicalText().Add("a", inner.text()),
      CanonicalText().Add("a", inner),
      CanonicalText().Add("a", row),
      CanonicalText().Add("a", row.transpose().eval()),
      CanonicalText().Add("a", Eigen::MatrixXd(0, 2)),
      CanonicalText().Add("a", Eigen::MatrixXd(0, 0)),
      CanonicalText().Add("a", 1.0).Add("b", 2.0),
      CanonicalText().Add("b", 2.0).Add("a", 1.0),
      CanonicalText().Add("a", CanonicalText().Add("b", "x")).Add("c", "y"),
      CanonicalText().Add("a", CanonicalText().Add("b", "x").Add("c", "y")),
  };
  std::set<std::string> texts, hashes;
  for (const CanonicalText& text : different) {
    texts.insert(text.text());
    hashes.insert(text.Hash());
  }
  CHECK(texts.size() == different.size());
  CHECK(hashes.size() == different.size());
  CHECK(CanonicalText().Add("a", 1.0).text() == inner.text());
  CHECK(inner.Hash().size() == 32);
}

TEST_CASE("A vector is a matrix of one column, whatever holds it") {
  const Eigen::Vector2d fixed(0.5, -2.0);
  const Eigen::VectorXd dynamic = fixed;
  Eigen::MatrixXd wide(2, 3);
  wide.setZero();
  wide.col(1) = fixed;
  const std::string text = CanonicalText().Add("q", fixed).text();
  CHECK(CanonicalText().Add("q", dynamic).text() == text);
  CHECK(CanonicalText().Add("q", wide.col(1)).text() == text);
}

}  // namespace
}  // namespace idbench
