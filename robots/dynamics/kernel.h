#pragma once

#include <cstddef>

/// The hot path, in plain data: no Eigen, no containers, so that the files which are compiled for
/// one instruction set cannot leak an inline function of theirs into the rest of the program.
///
/// Everything works on packs of eight samples. A matrix of packs is lane-interleaved: its entry k
/// is the eight doubles at 8·k, one for each sample.
namespace idbench {

inline constexpr int kLanes = 8;
/// Up to so many samples a pack costs less than a whole one.
inline constexpr int kFewLanes = 2;
inline constexpr int kGramTile = 4;

/// Where a link's z axis points in its parent's axes; there it stays. kOther: along none of them.
enum class ZAxis { kX, kY, kZ, kMinusX, kMinusY, kMinusZ, kOther };

/// A link as the kernel sees it, with φ = sense·q + offset + quarter_turns·π/2:
///   R_PL = R_const + sin φ·R_sin + cos φ·R_cos,  p_PL_P = p_const + sin φ·p_sin + cos φ·p_cos
/// for a revolute joint, and R_PL = R_const, p_PL_P = p_const + (q + offset)·p_sin for a prismatic
/// one. The joint's twist in link axes at the link's origin is (z, v0)·q̇, constant.
///
/// Axes are a link's own in cyclic order, such that a joint axis along one of them is the last one:
/// then most of the numbers above are 0 or ±1, and `z_axis`, `turns_about_z`, `moves_origin` and
/// `origin` say which.
struct KernelLink {
  int parent;        ///< −1 for the base.
  int subtree_size;  ///< Links i … i + size − 1 move with joint i.
  int order[10];     ///< The kernel's parameter k is standard parameter order[k] of the link.
  ZAxis z_axis;      ///< Unless kOther, R_PL turns by φ about z after R_const + R_cos.
  bool prismatic;
  bool turns_about_z;  ///< z = (0, 0, ±1), v0 = 0
  bool moves_origin;   ///< v0 ≠ 0
  bool branches;       ///< It carries more than one link.
  /// Of the links from the base to this one, the last one whose origin is not at its parent's
  /// for all q; −1 if there is none.
  int origin;
  double sense, offset, quarter_turns;
  double R_const[9], R_sin[9], R_cos[9];  ///< Row-major.
  double p_const[3], p_sin[3], p_cos[3];
  double z[3], v0[3];
};

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
  /// Lanes that are wanted, the first ones; what is written to the others is not defined. A lane's
  /// bits do not depend on it.
  int count;
};

/// Entry points, once per instruction set. Nothing allocates; buffers are 64-byte aligned.
struct Kernel {
  const char* name;

  /// Newton-Euler. @param pi 10·(dofs + 1) standard parameters, base first.
  /// @param[out] tau joint j's pack goes to tau + tau_stride·j. @param[out] wrench six packs
  /// (force,
  ///        moment of the ground on the base, at the base's origin, in base axes), or nullptr.
  void (*inverse_dynamics)(const KernelModel&, const double* pi, const KernelSamples&,
                           double* scratch, double* tau, std::ptrdiff_t tau_stride, double* wrench);

  /// Entries of the regressor that can differ from zero: for each joint row r the ten packs of each
  /// link r … r + subtree_size − 1 in turn, in the kernel's order; then, if `base_rows`, for each
  /// of the six wrench rows the ten packs of the base and of every link. Pack k of these is written
  /// to to[k] + at.
  void (*regressor)(const KernelModel&, const KernelSamples&, bool base_rows, double* scratch,
                    double* const* to, std::ptrdiff_t at);

  /// gram(a, b) += Σ_packs Σ_lanes column_a·column_b for a ≤ b; column a is the `packs` packs at
  /// columns + 8·packs_stride·a. gram is count × count, row-major; only its upper triangle counts.
  /// `count` is a multiple of kGramTile: fill up with columns of zeros.
  void (*gram)(const double* columns, int count, int packs, int packs_stride, double* gram);
};

/// Doubles of scratch that the two dynamics functions need.
inline constexpr std::size_t KernelScratchSize(int dofs) {
  return static_cast<std::size_t>(kLanes) * 44 * (static_cast<std::size_t>(dofs) + 1);
}

const Kernel& BaselineKernel();
#if defined(__x86_64__)
const Kernel& Avx2Kernel();
const Kernel& Avx512Kernel();
#endif

/// The kernel for the instruction set `isa` (baseline, avx2, avx512), or for nullptr the widest
/// that this processor runs. AVX2 and AVX-512 give the same bits.
/// @throws std::invalid_argument if `isa` names none, or one that this processor lacks.
const Kernel& SelectKernel(const char* isa);

/// SelectKernel() of the environment variable IDBENCH_ISA, read once.
const Kernel& ActiveKernel();

}  // namespace idbench
