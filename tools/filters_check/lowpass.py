"""The causal low-pass, what it makes of white noise, and filters that know."""

import numpy as np

from arm import REAL
from filters import Expected, Innovations, Walk, corrected, inverse, kept
from planted import unless_planted


def butterworth(order, cutoff_hz, rate_hz, signals):
    """Butterworth low-pass from the steady state of the first sample, pole by pole.

    Poles of the prototype, s_k = Ω_c·e^(jπ(2k + n − 1)/2n), go to z_k = (1 + s_k)/(1 − s_k); each gives
    a section (1 − z_k)/2·(1 + z⁻¹)/(1 − z_k·z⁻¹)."""
    pi = np.arccos(REAL(-1))
    cutoff = REAL(cutoff_hz) * unless_planted("cut-off", 1, 1 + REAL(1e-10))
    omega = np.tan(pi * cutoff / REAL(rate_hz))
    values = signals.astype(np.clongdouble)
    for k in range(1, order + 1):
        angle = pi * (2 * k + order - 1) / (2 * order)
        s = omega * (np.cos(angle) + np.clongdouble(1j) * np.sin(angle))
        z = (1 + s) / (1 - s)
        last_in = last_out = values[0].copy()
        for i in range(len(values)):
            here = values[i].copy()
            last_out = z * last_out + (1 - z) / 2 * (here + last_in)
            values[i], last_in = last_out, here
    return values.real


def autocovariance(order, cutoff_hz, rate_hz):
    """γ_k = Σ_i h_i·h_{i+k} of white noise of variance 1 behind the low-pass, h its response."""
    size = 400
    impulse = np.zeros((2 * size, 1), REAL)
    impulse[1] = 1  # the first sample would be the steady state
    h = butterworth(order, cutoff_hz, rate_hz, impulse)[1:size + 1, 0]
    return np.array([h[:size - k] @ h[k:] for k in range(size)])


class ColouredNoise:
    """Noise of rows as estimators are to take it: white of the density at frequency 0, and γ_k."""

    def __init__(self, shape, sigma):
        sample, density = shape[0], 2 * np.sum(shape) - shape[0]
        self.variance = density * np.array(sigma, REAL)**2  # of each row
        last = np.flatnonzero(np.abs(shape / sample) >= 1e-5)[-1]
        last -= unless_planted("lag", 0, 1)
        self.gamma = np.multiply.outer(np.array(sigma, REAL)**2, shape[:last + 1])

    def toeplitz(self, row, size):
        full = np.concatenate([self.gamma[row], np.zeros(max(0, size - self.gamma.shape[1]), REAL)])
        return full[np.abs(np.subtract.outer(np.arange(size), np.arange(size)))]


def coloured_least_squares(regression, noise, prior, forgetting_time_s=None):
    """Gains are those of white noise of variance σ², and with them the error before a row is
      e = P·(f_0·P₀⁻¹·e₀ + Σ_k f_k·h_kᵀ·v_k/σ_k²)
    over all rows before it, f what forgetting leaves of each; so its innovation has the variance of
    v − h·e under the noise's whole covariance."""
    size, rows, _ = regression.H.shape
    covariance = [noise.toeplitz(row, size) for row in range(rows)]
    H = regression.H * regression.weights()[:, :, None]  # h/σ², 0 where missing
    own = inverse(prior.covariance)
    x, P, innovations, last_s = prior.mean, prior.covariance, Innovations(), None
    of_prior, taken = REAL(1), np.zeros((size, rows), REAL)  # f_0, f_k
    for k, t in enumerate(regression.t):
        left, last_s = kept(t, last_s, forgetting_time_s), t
        P, of_prior, taken = P / left, of_prior * left, taken * left
        for row in np.flatnonzero(~np.isnan(regression.y[k])):
            h = regression.H[k, row]
            a = P @ h
            parts = taken * (H @ a)  # of each v in h·e
            s = of_prior**2 * (a @ own @ a) + covariance[row][k, k]
            s += sum(parts[:, j] @ covariance[j] @ parts[:, j] for j in range(rows))
            s -= 2 * covariance[row][k] @ parts[:, row]
            nu = regression.y[k, row] - h @ x
            innovations.add(np.array([nu]), np.array([[s]]))
            K, P, _ = corrected(P, h[None, :], np.array([[regression.variance[row]]]))
            x = x + K[:, 0] * nu
            taken[k, row] = 1
    G = [taken[:, [j]] * H[:, j] for j in range(rows)]
    error = of_prior**2 * own + sum(G[j].T @ covariance[j] @ G[j] for j in range(rows))
    return Expected(x, P @ error @ P, prior.covariance, innovations.nis(),
                    states_sigma=forgetting_time_s is None)


def coloured_kalman(regression, noise, prior, **process_noise):
    """Without process noise as least squares. With it the correlation of e to v is taken to be P·z,
    z = Σ_k γ_k·h_{t−k}ᵀ/σ², as without; the error's covariance C follows in Joseph's form."""
    if not process_noise:
        return coloured_least_squares(regression, noise, prior)
    size, _, unknowns = regression.H.shape
    H = regression.H * regression.weights()[:, :, None]
    x, P, C = prior.mean, prior.covariance, prior.covariance
    walk, innovations = Walk(P, **process_noise), Innovations()
    for k in range(size):
        Q = walk(regression.t[k])
        P, C = P + Q, C + Q
        for row in np.flatnonzero(~np.isnan(regression.y[k])):
            gamma = noise.gamma[row]
            lags = min(k, len(gamma) - 1)
            z = gamma[1:lags + 1] @ H[k - lags:k, row][::-1] if lags else np.zeros(unknowns, REAL)
            h = regression.H[k, row][None, :]
            with_v = (P @ z)[:, None]
            nu = regression.y[k, [row]] - h @ x
            innovations.add(nu, h @ C @ h.T + gamma[0] - 2 * h @ with_v)
            K, P, _ = corrected(P, h, np.array([[regression.variance[row]]]))
            rest = np.eye(unknowns, dtype=REAL) - K @ h
            both = rest @ with_v @ K.T
            C = rest @ C @ rest.T + gamma[0] * K @ K.T + both + both.T
            x = x + K @ nu
    return Expected(x, C, prior.covariance, innovations.nis())


COLOURED_METHODS = {"ekf": coloured_kalman, "rls": coloured_least_squares}
