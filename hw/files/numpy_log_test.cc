#include "hw/files/numpy_log.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <string>

#include "hw/files/npy_writer_test.h"
#include "hw/files/zip_directory_test.h"
#include "robots/temporary_folder_test.h"
#include "scenarios/options/config_error.h"

namespace idbench {
namespace {

using Names = std::vector<std::string>;

std::string NumpyFile(const std::string& name) {
  return std::string(IDBENCH_FILES_TESTDATA "/") + name;
}

std::string LogRefusal(const std::string& file, const Names& wanted) {
  try {
    ReadLog(file, NumpyFormat{}, wanted);
  } catch (const ConfigError& error) {
    return WithoutFolder(error.what(), file);
  }
  return "no error";
}

/// Writes 5 × 2 numbers as an array; returns its path.
std::string WriteArray(const TemporaryFolder& folder, const Eigen::Matrix<double, 2, 5>& rows) {
  std::string data(sizeof(double) * 10, '\0');
  std::memcpy(data.data(), rows.data(), data.size());
  return folder.Write("a.npy", NpyOf("'<f8'", "(5, 2)", data));
}

TEST_CASE("Arrays of an archive become columns, a table for each number of rows") {
  for (const char* name : {"log.npz", "log_deflated.npz"}) {
    const Log log = ReadLog(NumpyFile(name), NumpyFormat{}, {});
    CHECK(log.source == NumpyFile(name));
    REQUIRE(log.tables.size() == 2);
    CHECK(log.tables[0].name == "arrays of 5 rows");
    CHECK(log.tables[0].columns == Names{"t", "q[0]", "q[1]", "tau[0]", "tau[1]"});
    CHECK(log.tables[1].name == "arrays of 3 rows");
    CHECK(log.tables[1].columns == Names{"grip"});
    CHECK(log.others == Names{"'rate_hz' is a single item", "'names' holds text (<U8)"});
    const LogTable& table = log.tables[0];
    const Eigen::VectorXd i = Eigen::VectorXd::LinSpaced(5, 0.0, 4.0);
    CHECK(table.values.col(0) == 0.125 * i);
    CHECK(table.values.col(1) == (i.array() + 0.5).matrix());
    CHECK(table.values.col(2) == -i);
    CHECK(table.values.col(3) == 100.0 * i);
    CHECK(table.values.col(4) == (100.0 * i.array() + 0.25).matrix());
    CHECK(table.stamps_ns.empty());
    CHECK(table.row == "row");
    CHECK(table.places == std::vector<std::int64_t>{1, 2, 3, 4, 5});
  }
}

TEST_CASE("Only arrays with wanted columns are read, and a single table has no name") {
  const Log log = ReadLog(NumpyFile("log.npz"), NumpyFormat{}, {"tau[1]", "t"});
  REQUIRE(log.tables.size() == 1);
  CHECK(log.tables[0].name.empty());
  CHECK(log.tables[0].columns == Names{"t", "tau[0]", "tau[1]"});
  const TemporaryFolder folder;
  std::string damaged = ReadText(NumpyFile("log.npz"));
  SetNumber(damaged, EntryOf(damaged, 1) + kCrcOfEntry, 4, 0);
  const std::string file = folder.Write("log.npz", damaged);
  CHECK(ReadLog(file, NumpyFormat{}, {"t"}).tables[0].values.rows() == 5);
  CHECK(LogRefusal(file, {"q[0]"}) ==
        "log.npz: array 'q' is damaged: CRC error\n  copy the file again");
}

TEST_CASE("An array alone is one table, by its indices or its fields") {
  const Log plain = ReadLog(NumpyFile("plain.npy"), NumpyFormat{}, {"[2]", "[0]"});
  CHECK(plain.tables.at(0).columns == Names{"[0]", "[1]", "[2]"});
  CHECK(plain.tables.at(0).values(4, 2) == 42.0);
  const Log records = ReadLog(NumpyFile("records.npy"), NumpyFormat{}, {"t_ms", "q[1]", "pose.y"});
  CHECK(records.tables.at(0).values.col(records.tables[0].Find("pose.y"))[4] == 280000.0);
}

TEST_CASE("A missing column is refused by those that there are, or by why it is none") {
  CHECK(LogRefusal(NumpyFile("log.npz"), {"q[2]"}) ==
        "log.npz: no column 'q[2]'\n  did you mean 'q[0]'?\n"
        "  the columns: t, q[0], q[1], tau[0], tau[1], grip");
  CHECK(LogRefusal(NumpyFile("log.npz"), {"t", "rate_hz"}) ==
        "log.npz: rate_hz: 'rate_hz' is a single item");
  CHECK(LogRefusal(NumpyFile("log.npz"), {"names[0]"}) ==
        "log.npz: names[0]: 'names' holds text (<U8)");
}

TEST_CASE("A file without any columns says what it holds, and the cure") {
  CHECK(LogRefusal(NumpyFile("dictionary.npy"), {}) ==
        "dictionary.npy: holds no columns of numbers\n  the array holds Python objects, which are "
        "pickled\n  save numbers: np.save(..., allow_pickle=False) refuses all else; of a "
        "dictionary np.savez(\"log.npz\", **data) saves the arrays");
  CHECK(LogRefusal(NumpyFile("dates.npy"), {"[0]"}) ==
        "dates.npy: [0]: the array holds dates (<M8[ns])\n  save seconds: (t - t[0]) / "
        "np.timedelta64(1, \"s\")");
}

TEST_CASE("A wanted column holds a finite number in each row between the first and the last") {
  const double nan = std::nan("");
  const TemporaryFolder folder;
  const std::string file = WriteArray(folder, Eigen::Matrix<double, 2, 5>{{nan, 1, 2, 3, nan},  //
                                                                          {9, 8, nan, 6, nan}});
  const LogTable first = ReadLog(file, NumpyFormat{}, {"[0]"}).tables.at(0);
  CHECK(first.places == std::vector<std::int64_t>{2, 3, 4});
  CHECK(first.values.col(0) == Eigen::Vector3d(1.0, 2.0, 3.0));
  const LogTable all = ReadLog(file, NumpyFormat{}, {}).tables.at(0);
  CHECK(all.places == std::vector<std::int64_t>{1, 2, 3, 4});
  CHECK(std::isnan(all.values(2, 1)));
  const std::string what =
      "is not a finite number\n  leave such rows out before you save the arrays";
  CHECK(LogRefusal(file, {"[1]"}) == "a.npy: row 3, column '[1]': " + what);
  CHECK(LogRefusal(file, {"[0]", "[1]"}) ==
        "a.npy: row 1, column '[0]': " + what + "\na.npy: row 3, column '[1]': " + what);
  const std::string end =
      WriteArray(folder, Eigen::Matrix<double, 2, 5>{{1, 2, 3, 4, 5}, {6, 7, 8, 9, nan}});
  CHECK(LogRefusal(end, {"[0]", "[1]"}) == "a.npy: row 5, column '[1]': " + what);
  const std::string empty =
      WriteArray(folder, Eigen::Matrix<double, 2, 5>{{nan, nan, nan, nan, nan}, {1, 2, 3, 4, 5}});
  CHECK(ReadLog(empty, NumpyFormat{}, {}).tables.at(0).values.rows() == 5);
  CHECK(LogRefusal(empty, {"[0]"}) == "a.npy: holds no finite number in a wanted column");
}

TEST_CASE("Of a file without any finite number there is no table") {
  const TemporaryFolder folder;
  const Eigen::Matrix<double, 2, 5> nothing = Eigen::Matrix<double, 2, 5>::Constant(HUGE_VAL);
  CHECK(ReadLog(WriteArray(folder, nothing), NumpyFormat{}, {}).tables.empty());
}

TEST_CASE("An array whose file ends early is read as far as its rows are whole") {
  const TemporaryFolder folder;
  const std::string whole = ReadText(NumpyFile("plain.npy"));
  const std::string file = folder.Write("a.npy", whole.substr(0, whole.size() - 30));
  const LogTable table = ReadLog(file, NumpyFormat{}, {"[1]"}).tables.at(0);
  CHECK(table.values.rows() == 3);
  CHECK(table.values(2, 2) == 22.0);
  CHECK(LogRefusal(folder.Write("b.npy", whole.substr(0, 130)), {}) ==
        "b.npy: has 2 of the 120 bytes that its header claims\n  was it cut off? copy it again");
}

TEST_CASE("Files that are none of NumPy's are refused, and columns of one name") {
  const TemporaryFolder folder;
  CHECK(
      LogRefusal(folder.Write("a.csv", "t,q\n"), {}).starts_with("a.csv: is no array in NumPy's"));
  CHECK(LogRefusal(folder.Write("a.npy", ""), {}).starts_with("a.npy: is no array in NumPy's"));
  CHECK(LogRefusal("/none/a.npy", {}) ==
        "a.npy: cannot be read\n  is it a file that you may read?");
  CHECK(LogRefusal(folder.path().string(), {}).find(": cannot be read") != std::string::npos);
  const std::string twice =
      NpyOf("[('a', [('b', '<f8')]), ('a.b', '<f8')]", "(1,)", std::string(16, '\0'));
  CHECK(LogRefusal(folder.Write("b.npy", twice), {}) ==
        "b.npy: has two columns 'a.b'\n  give its arrays and fields other names");
}

}  // namespace
}  // namespace idbench
