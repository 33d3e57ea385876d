"""The filters, from their equations, with the options of idbench.

H: samples × rows × unknowns; y: samples × rows, NaN where a row is missing; t: samples [s].
"""

import numpy as np

from arm import REAL
from planted import unless_planted


def solve(A, B):
    """A⁻¹·B by elimination with pivots; numpy solves in double precision only."""
    A, B = A.copy(), B.copy()
    size = len(A)
    for k in range(size):
        pivot = k + np.argmax(np.abs(A[k:, k]))
        if pivot != k:
            A[[k, pivot]], B[[k, pivot]] = A[[pivot, k]], B[[pivot, k]]
        factors = A[k + 1:, k] / A[k, k]
        A[k + 1:, k:] -= np.outer(factors, A[k, k:])
        B[k + 1:] -= np.multiply.outer(factors, B[k])
    for k in reversed(range(size)):
        B[k] = (B[k] - A[k, k + 1:] @ B[k + 1:]) / A[k, k]
    return B


def inverse(A):
    return solve(A, np.eye(len(A), dtype=REAL))


class Regression:
    def __init__(self, H, y, t, variance, y0=0):
        self.H, self.t, self.variance = H, t, np.array(variance, REAL)
        self.y = y - y0

    def __iter__(self):
        """t, H, y and R of the rows of each sample that are there."""
        for t, H, y in zip(self.t, self.H, self.y):
            there = ~np.isnan(y)
            yield t, H[there], y[there], np.diag(self.variance[there])

    def weights(self):
        """1/σ² of each row, 0 where it is missing."""
        return np.where(np.isnan(self.y), 0, 1 / self.variance)

    def information(self):
        return np.einsum("tri,tr,trj->ij", self.H, self.weights(), self.H)


class Innovations:
    """Mean of νᵀ S⁻¹ ν over rows."""

    def __init__(self):
        self.sum, self.rows = REAL(0), 0

    def add(self, nu, S):
        if len(nu) == 0:
            return
        self.sum += nu @ solve(S, nu)
        self.rows += len(nu)

    def nis(self):
        return self.sum / self.rows


class Expected:
    """What a method should give: x, its covariance P, and a statistic of its residuals.

    P0 is the covariance that it started from, states_sigma whether it states P."""

    def __init__(self, x, P, P0, statistic, diagnostic="normalised_innovation_squared", states_sigma=True):
        self.x, self.P, self.statistic = x, P, statistic
        self.diagnostic, self.states_sigma = diagnostic, states_sigma
        self.prior_sigma = np.sqrt(np.diag(P0))

    def magnification(self):
        """κ: the greatest ratio of a direction's variance in P₀ to that in P."""
        scaled = self.P / np.multiply.outer(self.prior_sigma, self.prior_sigma)
        return 1 / np.min(np.linalg.eigvalsh(scaled.astype(float)))


def corrected(P, H, R):
    """Gain, and covariance in Joseph's form."""
    S = H @ P @ H.T + R
    K = solve(S, H @ P).T
    rest = np.eye(len(P), dtype=REAL) - K @ H
    return K, rest @ P @ rest.T + K @ R @ K.T, S


class Walk:
    """Process noise Q = (per sample + per second·Δt)·e^(−t/decay)·P₀ before each sample, t from the
    first one."""

    def __init__(self, P0, process_noise=0, process_noise_per_s=0, process_noise_decay_s=None):
        self.P0 = P0 * unless_planted("process noise", 1, 1 + REAL(1e-9))
        self.a_sample, self.a_second = REAL(process_noise), REAL(process_noise_per_s)
        self.decay_s, self.first_s, self.last_s = process_noise_decay_s, None, None

    def __call__(self, t):
        if self.first_s is None:
            self.first_s = self.last_s = t
        fraction = self.a_sample + self.a_second * (t - self.last_s)
        self.last_s = t
        if self.decay_s is not None:
            fraction = fraction * np.exp(-(t - self.first_s) / REAL(self.decay_s))
        return self.P0 * fraction


def kalman(regression, prior, p0="prior", **noise):
    x, P0 = prior.mean, prior.covariance
    if p0 == "identity":
        P0 = np.eye(len(x), dtype=REAL)
    P, walk, innovations = P0, Walk(P0, **noise), Innovations()
    for t, H, y, R in regression:
        P = P + walk(t)
        nu = y - H @ x
        K, P, S = corrected(P, H, R)
        innovations.add(nu, S)
        x = x + K @ nu
    return Expected(x, P, P0, innovations.nis())


def sigmoid_kalman(regression, prior, slope=1.0, clamp=5.0, p0="prior", **noise):
    """x = lower + (upper − lower)/(1 + e^(−c·ξ)); the filter's state is ξ."""
    span, c = prior.upper - prior.lower, REAL(slope)
    limit = REAL(clamp) * unless_planted("sigmoid", 1, 1 + REAL(1e-9)) / c

    def physical(xi):
        fraction = 1 / (1 + np.exp(-c * xi))
        return prior.lower + span * fraction, np.diag(c * span * fraction * (1 - fraction))

    xi = (np.log(prior.mean - prior.lower) - np.log(prior.upper - prior.mean)) / c
    x, J = physical(xi)
    P0 = J @ J if p0 == "identity" else prior.covariance
    P = solve(J, solve(J, P0).T)
    walk, innovations = Walk(P, **noise), Innovations()
    for t, H, y, R in regression:
        P = P + walk(t)
        nu = y - H @ x
        K, P, S = corrected(P, H @ J, R)
        innovations.add(nu, S)
        xi = np.clip(xi + K @ nu, -limit, limit)
        x, J = physical(xi)
    return Expected(x, J @ P @ J, P0, innovations.nis())


def kept(t, last_s, forgetting_time_s):
    """Part e^(−Δt/T) that counts of what counted one sample before."""
    if forgetting_time_s is None or last_s is None:
        return REAL(1)
    return np.exp(-(t - last_s) / (REAL(forgetting_time_s) * unless_planted("forgetting", 1, 1 + REAL(1e-9))))


def recursive_least_squares(regression, prior, forgetting_time_s=None):
    x, P, innovations, last_s = prior.mean, prior.covariance, Innovations(), None
    for t, H, y, R in regression:
        P, last_s = P / kept(t, last_s, forgetting_time_s), t
        nu = y - H @ x
        K, P, S = corrected(P, H, R)
        innovations.add(nu, S)
        x = x + K @ nu
    return Expected(x, P, prior.covariance, innovations.nis(), states_sigma=forgetting_time_s is None)


def most_probable(regression, prior):
    """(P₀⁻¹ + Σ Hᵀ R⁻¹ H)·(x − x₀) = Σ Hᵀ R⁻¹ (y − H x₀)"""
    x0, P0 = prior.mean, prior.covariance
    weights, e0 = regression.weights(), np.nan_to_num(regression.y - regression.H @ x0)
    A = inverse(P0) + regression.information()
    x = x0 + solve(A, np.einsum("tri,tr,tr->i", regression.H, weights, e0))
    e = np.nan_to_num(regression.y - regression.H @ x)
    variance = regression.variance * unless_planted("residual", 1, np.array([1, 1 + REAL(2e-11)]))
    squares = np.sum(np.where(weights > 0, e**2 / variance, 0))
    return Expected(x, inverse(A), P0, squares / np.count_nonzero(weights), "normalised_residual_squared")


METHODS = {"ekf": kalman, "sigmoid_ekf": sigmoid_kalman, "rls": recursive_least_squares, "map": most_probable}


def estimates(estimators, *known, methods=METHODS):
    """Yields label and result of each of the `estimators` of a scenario."""
    for label, options in estimators.items():
        options = {"type": label, **options}
        yield label, methods[options.pop("type")](*known, **options)
