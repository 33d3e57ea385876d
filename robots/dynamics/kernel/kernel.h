#pragma once

#include <cstddef>

/// Hot path in plain data: no Eigen, no containers. So the files that are compiled for one
/// instruction set cannot leak their inline functions into the rest of the program.
///
/// All functions work on packs of eight samples. A matrix of packs is lane-interleaved: its entry k
/// is the eight doubles from 8·k on, one per sample.
namespace idbench {

inline constexpr int kLanes = 8;
/// Up to this number of samples a pack costs less than a full one.
inline constexpr int kFewLanes = 2;
/// The number of columns in Kernel::gram is a multiple of this.
inline constexpr int kGramTile = 4;

/// Direction of a link's z axis in its parent's axes, which is constant. kOther:
/// along none of them.
enum class ZAxis { kX, kY, kZ, kMinusX, kMinusY, kMinusZ, kOther };

/// Link in the kernel's form, with φ = sense·q + offset + quarter_turns·π/2:
///   R_PL = R_const + sin φ·R_sin + cos φ·R_cos,  p_PL_P = p_const + sin φ·p_sin + cos φ·p_cos
/// for a revolute joint, and R_PL = R_const, p_PL_P = p_const + (q + offset)·p_sin for a prismatic
/// one. The joint's twist at the link's origin, in link axes, is (z, v0)·q̇ with constant z and v0.
///
/// The axes are the link's own in cyclic order, chosen so that a joint axis along one of them
/// becomes the last one. Most of the numbers above are then 0 or ±1; `z_axis`, `turns_about_z`,
/// `moves_origin` and `origin` say which.
struct KernelLink {
  int parent;        ///< −1 for the base.
  int subtree_size;  ///< Links i … i + size − 1 move with joint i.
  int order[10];     ///< Parameter k of the kernel is standard parameter order[k].
  ZAxis z_axis;      ///< Unless kOther, R_PL turns by φ about z after R_const + R_cos.
  bool prismatic;
  bool turns_about_z;  ///< z = (0, 0, ±1), v0 = 0
  bool moves_origin;   ///< v0 ≠ 0
  bool branches;       ///< The link carries more than one link.
  /// Among the links from the base to this one, the last one whose origin differs from its parent's
  /// for some q; −1 if there is none.
  int origin;
  double sense, offset, quarter_turns;
  double R_const[9], R_sin[9], R_cos[9];  ///< Row-major.
  double p_const[3], p_sin[3], p_cos[3];
  double z[3], v0[3];
};

/// Robot in the kernel's form.
struct KernelModel {
  int dofs;
  const KernelLink* links;
  double gravity[3];
};

/// Eight samples: joint j of lane k is q[j·stride + k], likewise q̇ and q̈. Any alignment.
struct KernelSamples {
  const double* q;
  const double* qd;
  const double* qdd;
  std::ptrdiff_t stride;
  /// Number of valid lanes, from the first; outputs of the others are undefined. The bits of a lane
  /// do not depend on it.
  int count;
};

/// Cut through the tree at a frame fixed to a link, and the six rows of the wrench that what lies
/// beyond gets there: force, then moment. Row k is the power of that wrench in the twist (z, v)[k].
struct KernelCut {
  int link;  ///< Its subtree lies beyond, the link included; −1: the base and all links.
  bool through_origin;  ///< The moments are about the link's origin: v = 0 in the last three rows.
  double z[6][3], v[6][3];  ///< Twist of each row at the link's origin, in its kernel axes.
  std::ptrdiff_t first;     ///< Its first pack goes to to[first] + at, see Kernel::regressor.
};

/// Cuts whose rows are requested.
struct KernelCuts {
  const KernelCut* cuts;
  int count;
};

/// Computes the derivatives of f = Σ g·entry, over the entries that Kernel::regressor computes, in
/// q, q̇ and q̈ of each sample, by one pass backward.
/// @param from  factors: that of pack k of the regressor's order is from[k] + at.
/// @param[out] gradient  3·dofs packs: of all joints' q, then of q̇, then of q̈.
using KernelGradient = void(const KernelModel&, const KernelSamples&, const KernelCuts&,
                            double* scratch, const double* const* from, std::ptrdiff_t at,
                            double* gradient);

/// Entry points of one instruction set. They allocate nothing; buffers are 64-byte aligned.
struct Kernel {
  const char* name;

  /// Computes torques and the wrench at a cut by Newton-Euler recursion, without joint terms.
  /// @param pi  10·(dofs + 1) standard parameters, base first.
  /// @param[out] tau  joint j's pack goes to tau + tau_stride·j.
  /// @param cut  nullptr: no wrench.
  /// @param[out] wrench  six packs.
  void (*inverse_dynamics)(const KernelModel&, const double* pi, const KernelSamples&,
                           double* scratch, double* tau, std::ptrdiff_t tau_stride,
                           const KernelCut* cut, double* wrench);

  /// Computes the entries of the regressor that can differ from zero. For each joint row r: the ten
  /// packs of each link r … r + subtree_size − 1 in turn, in the kernel's order. Pack k of all
  /// these goes to to[k] + at. Then for each cut, from its `first` on, and for each of its six
  /// rows: the ten packs of its link and of those behind it.
  void (*regressor)(const KernelModel&, const KernelSamples&, const KernelCuts&, double* scratch,
                    double* const* to, std::ptrdiff_t at);

  KernelGradient* gradient;

  /// Computes gram(a, b) += Σ_packs Σ_lanes column_a·column_b for a ≤ b; column a is the `packs`
  /// packs at columns + 8·packs_stride·a. `gram` is count × count, row-major; only its upper
  /// triangle is valid. `count` must be a multiple of kGramTile: append columns of zeros.
  void (*gram)(const double* columns, int count, int packs, int packs_stride, double* gram);
};

/// Returns the number of doubles of scratch that each of the functions of dynamics needs.
inline constexpr std::size_t KernelScratchSize(int dofs) {
  return static_cast<std::size_t>(kLanes) * 74 * (static_cast<std::size_t>(dofs) + 1);
}

/// Return the kernels, one per instruction set, and their gradients, which are compiled by
/// themselves: beside another user of the same functions the compiler would no longer merge these
/// into the regressor.
const Kernel& BaselineKernel();
KernelGradient BaselineGradient;
#if defined(__x86_64__)
const Kernel& Avx2Kernel();
KernelGradient Avx2Gradient;
const Kernel& Avx512Kernel();
KernelGradient Avx512Gradient;
#endif

/// Returns the kernel for instruction set `isa` (baseline, avx2, avx512), or for nullptr the widest
/// that this processor supports. AVX2 and AVX-512 give the same bits.
/// @throws std::invalid_argument if `isa` is none of these, or this processor lacks it.
const Kernel& SelectKernel(const char* isa);

/// Returns SelectKernel() of the environment variable IDBENCH_ISA, which is read once.
const Kernel& ActiveKernel();

}  // namespace idbench
