#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/options/binding.h"

namespace idbench {

/// A member of an option struct with the binding of its type, which it does not show.
///
/// It refers to the member and must not outlive it.
class BoundMember {
 public:
  template <class T>
  static BoundMember Of(T& member);

  void Read(const Json& json, const std::string& pointer, const FieldInfo& info,
            std::vector<Issue>& issues) const {
    functions_->read(json, pointer, info, member_, issues);
  }
  /// Null for an absent optional.
  void Write(Json& json) const { functions_->write(member_, json); }
  /// JSON Schema of the value alone, without its description.
  void Schema(const FieldInfo& info, Json& schema) const {
    functions_->schema(info, member_, schema);
  }

  /// Binding<T> of a T that is known by its address alone.
  struct Functions {
    void (*read)(const Json&, const std::string& pointer, const FieldInfo&, void* member,
                 std::vector<Issue>&);
    void (*write)(const void* member, Json&);
    void (*schema)(const FieldInfo&, const void* member, Json& schema);
  };

 private:
  BoundMember(void* member, const Functions& functions) : member_(member), functions_(&functions) {}

  void* member_;
  const Functions* functions_;
};

namespace binding_internal {

template <class T>
struct ErasedBinding {
  static void Read(const Json& json, const std::string& pointer, const FieldInfo& info,
                   void* member, std::vector<Issue>& issues) {
    Binding<T>::Read(json, pointer, info, *static_cast<T*>(member), issues);
  }
  static void Write(const void* member, Json& json) {
    Binding<T>::Write(*static_cast<const T*>(member), json);
  }
  static void Schema(const FieldInfo& info, const void* member, Json& schema) {
    Binding<T>::Schema(info, *static_cast<const T*>(member), schema);
  }

  static const BoundMember::Functions kFunctions;
};

template <class T>
const BoundMember::Functions ErasedBinding<T>::kFunctions = {&Read, &Write, &Schema};

// Nearly every option is one of these: they are compiled once, in bound_member.cc.
extern template struct ErasedBinding<bool>;
extern template struct ErasedBinding<int>;
extern template struct ErasedBinding<std::int64_t>;
extern template struct ErasedBinding<std::uint64_t>;
extern template struct ErasedBinding<double>;
extern template struct ErasedBinding<std::string>;
extern template struct ErasedBinding<PerJoint>;
extern template struct ErasedBinding<std::optional<std::int64_t>>;
extern template struct ErasedBinding<std::optional<double>>;
extern template struct ErasedBinding<std::optional<std::string>>;
extern template struct ErasedBinding<std::optional<PerJoint>>;
extern template struct ErasedBinding<std::optional<std::vector<double>>>;
extern template struct ErasedBinding<std::vector<double>>;
extern template struct ErasedBinding<std::vector<std::string>>;
extern template struct ErasedBinding<Labelled<std::string>>;

}  // namespace binding_internal

template <class T>
BoundMember BoundMember::Of(T& member) {
  return {&member, binding_internal::ErasedBinding<T>::kFunctions};
}

}  // namespace idbench
