#include "scenarios/options/bound_member.h"

namespace idbench::binding_internal {

template struct ErasedBinding<bool>;
template struct ErasedBinding<int>;
template struct ErasedBinding<std::int64_t>;
template struct ErasedBinding<std::uint64_t>;
template struct ErasedBinding<double>;
template struct ErasedBinding<std::string>;
template struct ErasedBinding<PerJoint>;
template struct ErasedBinding<std::optional<std::int64_t>>;
template struct ErasedBinding<std::optional<double>>;
template struct ErasedBinding<std::optional<std::string>>;
template struct ErasedBinding<std::optional<PerJoint>>;
template struct ErasedBinding<std::optional<std::vector<double>>>;
template struct ErasedBinding<std::vector<double>>;
template struct ErasedBinding<std::vector<std::string>>;
template struct ErasedBinding<Labelled<std::string>>;

}  // namespace idbench::binding_internal
