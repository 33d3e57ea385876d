#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scenarios/options/binding.h"
#include "scenarios/options/bound_member.h"
#include "scenarios/options/config_error.h"
#include "scenarios/options/json_fwd.h"

/// Option structs and their tables of fields.
///
/// Every part of idbench that has options declares a plain struct of defaults and one function
///
///     FieldTable Visit(GaussianNoiseOptions& options);
///
/// beside it. Reader, writer, JSON Schema and error texts work on that table alone.
namespace idbench {

/// One named option.
struct Field {
  std::string name;
  FieldInfo info;
  BoundMember member;
};

/// The fields of one option struct, and the checks that concern several of them.
///
/// It refers to the struct it was made from and must not outlive it.
class FieldTable {
 public:
  // All that a table does itself is defined in fields.cc: nearly every source has a table.
  FieldTable();
  FieldTable(const FieldTable&);
  FieldTable(FieldTable&&) noexcept;
  FieldTable& operator=(const FieldTable&);
  FieldTable& operator=(FieldTable&&) noexcept;
  ~FieldTable();

  template <class T>
  FieldTable& Add(std::string_view name, T& member, const FieldInfo& info) {
    return AddField(name, info, BoundMember::Of(member));
  }

  /// Adds a check that runs after all fields were read without an issue.
  /// It appends an issue, its `where` relative to the struct ("" or "/member"), for what is wrong.
  FieldTable& Check(std::function<void(std::vector<Issue>&)> check);

  /// Words the refusal of a key that is no field but has a meaning elsewhere.
  FieldTable& Refuse(std::string_view name, std::string_view why);

  const std::vector<Field>& fields() const { return fields_; }
  const std::vector<std::function<void(std::vector<Issue>&)>>& checks() const { return checks_; }
  std::vector<std::string> Names() const;
  /// Returns why a key is refused: "unknown key" unless Refuse() says more.
  std::string WhyRefused(std::string_view name) const;

 private:
  FieldTable& AddField(std::string_view name, const FieldInfo& info, BoundMember member);

  std::vector<Field> fields_;
  std::vector<std::function<void(std::vector<Issue>&)>> checks_;
  std::vector<std::pair<std::string, std::string>> refused_;  ///< Keys, and why.
};

/// Reads an object into the struct behind `table`; keys that are absent keep their defaults. A
/// former key counts where the present one is absent.
///
/// @param extra_key  one further key that is accepted and ignored here (the `type` of a choice).
/// Appends an issue for each unknown key, missing required key, wrong type or value out of range.
void ReadFields(const FieldTable& table, const Json& json, const std::string& pointer,
                std::vector<Issue>& issues, std::string_view extra_key = "");

/// All fields with their present values, in the table's order; ReadFields() restores them, whatever
/// the defaults are by then: absent optionals are null.
Json WriteFields(const FieldTable& table);
void WriteFields(const FieldTable& table, Json& object);

/// JSON Schema (2020-12) of the object that ReadFields() accepts, as far as one can say it: checks
/// and a default that hangs on a label are not in it.
Json SchemaOf(const FieldTable& table);
void SchemaOf(const FieldTable& table, Json& schema);

}  // namespace idbench
