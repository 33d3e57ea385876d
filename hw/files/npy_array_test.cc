#include "hw/files/npy_array.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <string>

#include "hw/files/npy_writer_test.h"
#include "robots/temporary_folder_test.h"

namespace idbench {
namespace {

NpyContents ReadNpy(const std::string& file, const std::string& name = "",
                    bool may_be_cut = false) {
  const NpyHeader header = ParseNpyHeader(NpyBytes(file));
  return ReadNpyData(header, name, NpyBytes(file).subspan(header.size), may_be_cut);
}

NpyContents ReadNpyTestFile(const std::string& name) {
  return ReadNpy(ReadText(std::string(IDBENCH_FILES_TESTDATA "/") + name));
}

template <class T>
std::string Raw(std::initializer_list<T> numbers) {
  std::string bytes(numbers.size() * sizeof(T), '\0');
  std::memcpy(bytes.data(), numbers.begin(), bytes.size());
  return bytes;
}

/// 10 i + j, which NumPy wrote.
Eigen::MatrixXd PlainNumbers() {
  Eigen::MatrixXd values(5, 3);
  for (int i = 0; i < 5; ++i) values.row(i) << 10 * i, 10 * i + 1, 10 * i + 2;
  return values;
}

TEST_CASE("What NumPy wrote is read, whatever the order of bytes and indices") {
  for (const char* name :
       {"plain.npy", "big_endian.npy", "fortran.npy", "half.npy", "version_2.npy"}) {
    CAPTURE(name);
    const NpyContents contents = ReadNpyTestFile(name);
    REQUIRE(contents.columns.size() == 1);
    CHECK(contents.columns[0].names == std::vector<std::string>{"[0]", "[1]", "[2]"});
    CHECK(contents.columns[0].values == PlainNumbers());
  }
}

TEST_CASE("Fields of structures become columns by their names") {
  const NpyContents contents = ReadNpyTestFile("records.npy");
  std::vector<std::string> names;
  for (const NpyColumns& part : contents.columns) {
    names.insert(names.end(), part.names.begin(), part.names.end());
  }
  CHECK(names == std::vector<std::string>{"mode", "t_ms", "q[0]", "q[1]", "pose.x", "pose.y"});
  const Eigen::VectorXd i = Eigen::VectorXd::LinSpaced(5, 0.0, 4.0);
  CHECK(contents.columns[0].values == -i);
  CHECK(contents.columns[1].values == 125.0 * i);
  CHECK(contents.columns[2].values.col(0) == (i.array() + 0.5).matrix());
  CHECK(contents.columns[2].values.col(1) == -i);
  CHECK(contents.columns[3].values == -i);
  CHECK(contents.columns[4].values == 70000.0 * i);
  REQUIRE(contents.others.size() == 1);
  CHECK(contents.others[0].field == "state");
  CHECK(ReadNpyTestFile("version_3.npy").columns[0].names == std::vector<std::string>{"θ"});
}

TEST_CASE("The name of an array stands before those of its fields and columns") {
  CHECK(ReadNpy(NpyOf("'<f8'", "(1, 2)", Raw({1.0, 2.0})), "q").columns[0].names ==
        std::vector<std::string>{"q[0]", "q[1]"});
  CHECK(ReadNpy(NpyOf("'<f8'", "(1,)", Raw({1.0})), "t").columns[0].names ==
        std::vector<std::string>{"t"});
  CHECK(ReadNpy(NpyOf("'<f8'", "(1,)", Raw({1.0}))).columns[0].names ==
        std::vector<std::string>{"[0]"});
  CHECK(ReadNpy(NpyOf("[('t', '<f8')]", "(1,)", Raw({1.0})), "log").columns[0].names ==
        std::vector<std::string>{"log.t"});
}

TEST_CASE("Integers and floats of each size are read, and what is not finite becomes NaN") {
  const auto first = [](const std::string& type, const std::string& data) {
    return ReadNpy(NpyOf(type, "(1,)", data)).columns[0].values(0, 0);
  };
  CHECK(first("'|i1'", "\xFE") == -2.0);
  CHECK(first("'|u1'", "\xFE") == 254.0);
  CHECK(first("'|b1'", "\x01") == 1.0);
  CHECK(first("'>i2'", "\xFF\xFE") == -2.0);
  CHECK(first("'<u2'", "\xFE\xFF") == 65534.0);
  CHECK(first("'<i4'", "\xFE\xFF\xFF\xFF") == -2.0);
  CHECK(first("'>u4'", "\xFF\xFF\xFF\xFE") == 4294967294.0);
  CHECK(first("'<i8'", Raw({std::int64_t{-2}})) == -2.0);
  CHECK(first("'<u8'", Raw({std::numeric_limits<std::uint64_t>::max()})) == std::ldexp(1.0, 64));
  CHECK(first("'<f2'", std::string("\x00\xC2", 2)) == -3.0);
  CHECK(first("'<f4'", Raw({0.1F})) == static_cast<double>(0.1F));
  for (const double number : {std::nan(""), HUGE_VAL, -HUGE_VAL}) {
    CHECK(std::isnan(first("'<f8'", Raw({number}))));
  }
}

TEST_CASE("Structures in two dimensions have a column for each second index") {
  const std::string data = Raw<float>({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
  const NpyContents rows = ReadNpy(NpyOf("[('a', '<f4'), ('b', '<f4')]", "(2, 3)", data));
  REQUIRE(rows.columns.size() == 2);
  CHECK(rows.columns[1].names == std::vector<std::string>{"b[0]", "b[1]", "b[2]"});
  CHECK(rows.columns[1].values == Eigen::MatrixXd{{1.0, 3.0, 5.0}, {7.0, 9.0, 11.0}});
  const NpyContents columns = ReadNpy(NpyOf("[('a', '<f4'), ('b', '<f4')]", "(2, 3)", data, true));
  CHECK(columns.columns[1].values == Eigen::MatrixXd{{1.0, 5.0, 9.0}, {3.0, 7.0, 11.0}});
}

TEST_CASE("Arrays that are no table of columns say why") {
  const auto why = [](const std::string& type, const std::string& shape) {
    const NpyContents contents = ContentsOf(ParseNpyHeader(NpyBytes(NpyOf(type, shape))), "a");
    CHECK(contents.columns.empty());
    return contents.others.at(0).field + " " + contents.others.at(0).why + "|" +
           contents.others.at(0).cure;
  };
  CHECK(why("'<f8'", "()") == "a is a single item|");
  CHECK(why("[('q', '<f8', (6,))]", "()") == "a.q is a single item|");
  CHECK(why("'<f8'", "(0, 3)") == "a has no rows|");
  CHECK(why("'<f8'", "(1000000000000000, 0)") == "a has no columns|");
  CHECK(why("'<f8'", "(5, 4, 4)") == "a has 3 dimensions|");
  CHECK(why("[('T', '<f8', (4, 4))]", "(5,)") == "a.T has 3 dimensions|");
  CHECK(why("'<f8'", "(7, 5000)") ==
        "a has 5000 columns|rows are the first dimension: if it is transposed, save its .T");
  CHECK(why("'<U5'", "(5,)") == "a holds text (<U5)|");
}

TEST_CASE("Data of another length than the header claims are refused") {
  const auto refusal = [](const std::string& shape, std::size_t bytes, bool may_be_cut,
                          bool fortran_order = false) {
    const std::string file = NpyOf("'<f8'", shape, std::string(bytes, '\0'), fortran_order);
    return RefusalOf([&] { ReadNpy(file, "", may_be_cut); });
  };
  CHECK(refusal("(3, 2)", 48, false) == "no error");
  CHECK(refusal("(3, 2)", 47, false) ==
        "has 47 of the 48 bytes that its header claims\n  was it cut off? copy it again");
  CHECK(refusal("(1000000000000, 2)", 48, false).starts_with("has 48 of the 16000000000000 bytes"));
  CHECK(
      refusal("(3, 2)", 50, true) ==
      "has 2 bytes behind its data\n  several arrays in one file? np.savez(\"log.npz\", t=t, q=q) "
      "writes them so that they can be read");
  // Of a column-major array that ends early whole rows are not there.
  CHECK(refusal("(3, 2)", 47, true, true).starts_with("has 47 of the 48"));
  CHECK(refusal("(3, 2)", 15, true).starts_with("has 15 of the 48"));
}

TEST_CASE("Whole rows of data that end early are read where that is allowed") {
  const std::string file = NpyOf("'<f8'", "(3, 2)", Raw({1.0, 2.0, 3.0, 4.0, 5.0}));
  const NpyContents contents = ReadNpy(file, "", true);
  CHECK(contents.columns[0].values == Eigen::Matrix2d{{1.0, 2.0}, {3.0, 4.0}});
  CHECK(contents.columns[0].shape == std::vector<std::size_t>{2, 2});
}

TEST_CASE("A header that describes very many columns is refused before they are named") {
  std::string type = "[";
  for (int k = 0; k < 11; ++k) type += "('f" + std::to_string(k) + "', '|u1', (1000,)), ";
  const NpyHeader header = ParseNpyHeader(NpyBytes(NpyOf(type + "]", "(5,)")));
  CHECK(RefusalOf([&] { ContentsOf(header, ""); }) == "has more than 10000 columns in its fields");
}

}  // namespace
}  // namespace idbench
