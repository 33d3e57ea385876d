#include "hw/files/npy_header.h"

#include <doctest/doctest.h>

#include <string>

#include "hw/files/npy_writer_test.h"

namespace idbench {
namespace {

using Shape = std::vector<std::size_t>;

NpyHeader HeaderOf(const std::string& file) { return ParseNpyHeader(NpyBytes(file)); }

std::string HeaderRefusal(const std::string& file) {
  return RefusalOf([&] { HeaderOf(file); });
}

TEST_CASE("A header tells type, order and shape, in each version of NumPy's format") {
  const std::string text = "{'descr': '<f8', 'fortran_order': True, 'shape': (3, 2), }      \n";
  for (const int version : {1, 2, 3}) {
    const NpyHeader header = HeaderOf(NpyFile(text, "data", version));
    CHECK(header.size == text.size() + (version == 1 ? 10 : 12));
    CHECK(header.shape == Shape{3, 2});
    CHECK(header.fortran_order);
    CHECK(header.item_size == 8);
    REQUIRE(header.parts.size() == 1);
    CHECK(header.parts[0].field.empty());
    CHECK(header.parts[0].number.kind == 'f');
    CHECK(header.parts[0].number.size == 8);
    CHECK_FALSE(header.parts[0].number.big_endian);
    CHECK(header.others.empty());
  }
  CHECK(HeaderOf(NpyOf("'>i2'", "()")).shape.empty());
  CHECK(HeaderOf(NpyOf("'>i2'", "(7,)")).parts[0].number.big_endian);
  CHECK(HeaderOf(NpyOf("'|b1'", "(7L,)")).shape == Shape{7});  // written by Python 2
}

TEST_CASE("The fields of a structured array lie where NumPy puts them") {
  const NpyHeader header = HeaderOf(
      NpyOf("[('mode', '|i1'), ('', '|V7'), ('q', '<f8', (2,)), (('time [s]', 't'), '<f4'), "
            "('pose', [('x', '<i2'), ('y', '>i4')]), ('state', '<U4'), ('end', '|u1')]",
            "(5,)"));
  CHECK(header.item_size == 1 + 7 + 16 + 4 + 6 + 16 + 1);
  std::string fields;
  for (const NpyPart& part : header.parts) {
    fields += part.field + "@" + std::to_string(part.offset) + " ";
  }
  CHECK(fields == "mode@0 q@8 t@24 pose.x@28 pose.y@30 end@50 ");
  CHECK(header.parts[1].shape == Shape{2});
  REQUIRE(header.others.size() == 1);
  CHECK(header.others[0].field == "state");
  CHECK(header.others[0].why == "holds text (<U4)");
}

TEST_CASE("Structures in a row count with their size, and are no numbers by name") {
  const NpyHeader header =
      HeaderOf(NpyOf("[('legs', [('x', '<f8'), ('y', '<f8')], (3,)), ('t', '<f8')]", "(5,)"));
  CHECK(header.item_size == 56);
  REQUIRE(header.parts.size() == 1);
  CHECK(header.parts[0].offset == 48);
  REQUIRE(header.others.size() == 1);
  CHECK(header.others[0].field == "legs");
  CHECK(header.others[0].why == "holds several structures an item");
}

TEST_CASE("Names of fields are read as Python and the version write them") {
  const auto name = [](const std::string& literal, int version) {
    return HeaderOf(NpyFile("{'descr': [(" + literal +
                                ", '<f8')], 'fortran_order': False, 'shape': (1,)}",
                            "", version))
        .parts.at(0)
        .field;
  };
  CHECK(name("'\xE9'", 1) == "\xC3\xA9");  // Latin-1
  CHECK(name("'\xC3\xA9'", 3) == "\xC3\xA9");
  CHECK(name(R"('\xe9\u03b8\\\n')", 1) == "\xC3\xA9\xCE\xB8\\\n");
  CHECK(name(R"('\U0001f916')", 2) == "\xF0\x9F\xA4\x96");
  CHECK(name(R"("it's")", 1) == "it's");
  CHECK(name("'\xFF'", 3) == "\xEF\xBF\xBD");  // not UTF-8
}

TEST_CASE("What holds no numbers says so, and how seconds are had of dates") {
  const auto other = [](const std::string& type) {
    const NpyHeader header = HeaderOf(NpyOf(type, "(5,)"));
    CHECK(header.parts.empty());
    return header.others.at(0).why + "|" + header.others.at(0).cure;
  };
  CHECK(other("'|S3'") == "holds text (|S3)|");
  CHECK(other("[('pad', '|V8')]") == "holds bytes (|V8)|");
  CHECK(other("'<c16'") == "holds complex numbers (<c16)|");
  CHECK(other("'<M8[ns]'") ==
        "holds dates (<M8[ns])|save seconds: (t - t[0]) / np.timedelta64(1, \"s\")");
  CHECK(other("'<m8[ns]'") ==
        "holds differences of time (<m8[ns])|save seconds: t / np.timedelta64(1, \"s\")");
  CHECK(other("'<f16'") ==
        "holds numbers of another size than idbench reads (<f16)|save them .astype(float)");
}

TEST_CASE(
    "An array with Python objects anywhere is a pickle, and has no numbers that can be read") {
  for (const char* type : {"'|O'", "[('t', '<f8'), ('robot', '|O')]",
                           "[('t', '<f8'), ('legs', [('x', 'O')], (2,))]"}) {
    const NpyHeader header = HeaderOf(NpyOf(type, "(5,)"));
    CHECK(header.parts.empty());
    REQUIRE(header.others.size() == 1);
    CHECK(header.others[0].why == "holds Python objects, which are pickled");
    CHECK(header.others[0].cure ==
          "save numbers: np.save(..., allow_pickle=False) refuses all else; of a dictionary "
          "np.savez(\"log.npz\", **data) saves the arrays");
  }
}

TEST_CASE("What is no array, or cut off, is refused") {
  CHECK(HeaderRefusal("t,q1,q2\n") ==
        "is no array in NumPy's format\n  np.save and np.savez write such files; of others, "
        "/recording/format says how they are written");
  CHECK(HeaderRefusal("").starts_with("is no array"));
  const std::string whole = NpyOf("'<f8'", "(3,)");
  for (std::size_t size = 6; size < whole.size(); ++size) {
    CHECK(HeaderRefusal(whole.substr(0, size)) ==
          "ends within its header\n  was it cut off? copy it again");
  }
  CHECK(HeaderRefusal(whole) == "no error");
  CHECK(HeaderRefusal(NpyFile("{}", "", 4)) ==
        "is of version 4.0 of NumPy's format\n  1.0, 2.0 and 3.0 are accepted: load it with NumPy "
        "and save it again");
  CHECK(HeaderRefusal(std::string("\x93NUMPY\x02\0\xFF\xFF\xFF\x7F", 12)) ==
        "claims a header of 2147483647 bytes");
}

TEST_CASE("A header that describes no array is refused") {
  const std::string nothing = "has a header that does not describe an array";
  for (const char* header :
       {"", "{", "None", "[]", "{'descr': '<f8', 'fortran_order': False}",
        "{'descr': '<f8', 'fortran_order': 1, 'shape': (3,)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': 3}",
        "{'descr': '<f8', 'descr': '<f4', 'fortran_order': False, 'shape': (3,)}",
        "{'descr': '<f8, 'fortran_order': False, 'shape': (3,)}", "__import__('os')"}) {
    CHECK(HeaderRefusal(NpyFile(header)) == nothing);
  }
  CHECK(HeaderRefusal(NpyOf("'<f8'", "(-3,)")) == "has a shape that is not one of counts");
  CHECK(HeaderRefusal(NpyOf("'<f8'", "(2.5,)")) == "has a shape that is not one of counts");
  const std::string unknown = "has a type that idbench does not know: ";
  CHECK(HeaderRefusal(NpyOf("'<q8'", "(3,)")) == unknown + "\"<q8\"");
  CHECK(HeaderRefusal(NpyOf("'<f'", "(3,)")) == unknown + "\"<f\"");
  CHECK(HeaderRefusal(NpyOf("8", "(3,)")) == unknown + "8");
  CHECK(HeaderRefusal(NpyOf("[('t',)]", "(3,)")) == unknown + "[\"t\"]");
  std::string deep = "'<f8'";
  for (int i = 0; i < 20; ++i) deep = "[('a', " + deep + ")]";
  CHECK(HeaderRefusal(NpyOf(deep, "(3,)")).starts_with(unknown));
}

TEST_CASE("Claims of more bytes than can be counted are refused") {
  const std::string refused = "claims more bytes than can be counted";
  CHECK(HeaderRefusal(NpyOf("'<f8'", "(4294967296, 4294967296)")) == refused);
  CHECK(HeaderRefusal(NpyOf("'<U9223372036854775807'", "(2,)")) == refused);
  CHECK(HeaderRefusal(NpyOf("[('a', '|V18446744073709551615'), ('b', '<f8')]", "(1,)")) == refused);
  CHECK(HeaderRefusal(NpyOf("[('a', '<f8', (9223372036854775807, 2))]", "(1,)")) == refused);
}

}  // namespace
}  // namespace idbench
