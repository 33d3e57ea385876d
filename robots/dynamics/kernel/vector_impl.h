#pragma once

// Included only by the kernel_<instruction set>.cc files. See kernel.h.

namespace idbench {

/// Vector and matrix of numbers of type P, for KernelImpl.
template <class P>
struct Vector3 {
  P x, y, z;
};
template <class P>
struct Matrix3 {
  Vector3<P> row[3];
};

/// Returns a + b.
template <class P>
Vector3<P> Add(const Vector3<P>& a, const Vector3<P>& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}

template <class P>
P Dot(const Vector3<P>& a, const Vector3<P>& b) {
  return Fma(a.z, b.z, Fma(a.y, b.y, a.x * b.x));
}

template <class P>
Vector3<P> Scale(const P& s, const Vector3<P>& a) {
  return {s * a.x, s * a.y, s * a.z};
}

/// Returns c + s·a.
template <class P>
Vector3<P> AddScaled(const P& s, const Vector3<P>& a, const Vector3<P>& c) {
  return {Fma(s, a.x, c.x), Fma(s, a.y, c.y), Fma(s, a.z, c.z)};
}

template <class P>
Vector3<P> Cross(const Vector3<P>& a, const Vector3<P>& b) {
  return {Fnma(a.z, b.y, a.y * b.z), Fnma(a.x, b.z, a.z * b.x), Fnma(a.y, b.x, a.x * b.y)};
}

/// Returns c + a × b.
template <class P>
Vector3<P> AddCross(const Vector3<P>& a, const Vector3<P>& b, const Vector3<P>& c) {
  return {Fnma(a.z, b.y, Fma(a.y, b.z, c.x)), Fnma(a.x, b.z, Fma(a.z, b.x, c.y)),
          Fnma(a.y, b.x, Fma(a.x, b.y, c.z))};
}

/// Returns R·a.
template <class P>
Vector3<P> Rotate(const Matrix3<P>& R, const Vector3<P>& a) {
  return {Dot(R.row[0], a), Dot(R.row[1], a), Dot(R.row[2], a)};
}

/// Returns c + M·a.
template <class P>
Vector3<P> AddRotated(const Matrix3<P>& M, const Vector3<P>& a, const Vector3<P>& c) {
  return {Fma(M.row[0].z, a.z, Fma(M.row[0].y, a.y, Fma(M.row[0].x, a.x, c.x))),
          Fma(M.row[1].z, a.z, Fma(M.row[1].y, a.y, Fma(M.row[1].x, a.x, c.y))),
          Fma(M.row[2].z, a.z, Fma(M.row[2].y, a.y, Fma(M.row[2].x, a.x, c.z)))};
}

/// Returns Rᵀ·a.
template <class P>
Vector3<P> RotateBack(const Matrix3<P>& R, const Vector3<P>& a) {
  return AddScaled(a.z, R.row[2], AddScaled(a.y, R.row[1], Scale(a.x, R.row[0])));
}

// Rotations from a link's axes L to its parent's P: Out() returns R_PL·v, Back() returns R_PLᵀ·v.

/// R_PL as a full matrix.
template <class P>
struct AnyTurn {
  const Matrix3<P>& R;

  Vector3<P> Back(const Vector3<P>& v) const { return RotateBack(R, v); }
  Vector3<P> Out(const Vector3<P>& v) const { return Rotate(R, v); }
};

/// R_PL = S·Rot(z, φ), where S maps (x, y, z) to the parent's axes (K + 1, K + 2, K) or, with the
/// opposite z, to (K + 2, K + 1, −K).
template <class P, int K, bool kOpposite>
struct AxisTurn {
  P sine, cosine;

  static constexpr int kFirst = (K + (kOpposite ? 2 : 1)) % 3;
  static constexpr int kSecond = (K + (kOpposite ? 1 : 2)) % 3;

  template <int I, class V>
  static auto& At(V& v) {
    if constexpr (I == 0) return v.x;
    if constexpr (I == 1) return v.y;
    if constexpr (I == 2) return v.z;
  }
  static P Along(const P& z) {
    if constexpr (kOpposite) return P::Fill(0.0) - z;
    return z;
  }

  Vector3<P> Back(const Vector3<P>& v) const {
    const P& x = At<kFirst>(v);
    const P& y = At<kSecond>(v);
    return {Fma(cosine, x, sine * y), Fnma(sine, x, cosine * y), Along(At<K>(v))};
  }
  Vector3<P> Out(const Vector3<P>& v) const {
    Vector3<P> out;
    At<kFirst>(out) = Fnma(sine, v.y, cosine * v.x);
    At<kSecond>(out) = Fma(sine, v.x, cosine * v.y);
    At<K>(out) = Along(v.z);
    return out;
  }
};

}  // namespace idbench
