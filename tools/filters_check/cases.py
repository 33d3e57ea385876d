"""The cases: each lets idbench identify, and computes what it should find.

A case is a function of Runs that returns comparisons: a run of idbench; the names of the unknowns, or
a function that makes of x by name what is compared; and a function that yields labels of estimators
and what is expected of each, computed anew at each call.
"""

import numpy as np

from arm import (ARM, BODIES, ELBOW, JOINT_UNKNOWNS, PAYLOAD, PAYLOAD_UNKNOWNS, REAL, TOOL, TOOL_BODY,
                 Motion, arm_prior, known_value, payload_prior, unknowns_of)
from filters import Expected, Regression, estimates, inverse
from lowpass import COLOURED_METHODS, ColouredNoise, autocovariance, butterworth
from planted import unless_planted
from runs import ROW_SIGMA, STEP_S, design, full_log, log_text, measured, recorded, simulated, swing

ESTIMATORS = {
    "ekf": {},
    "ekf, steady noise": {"type": "ekf", "process_noise": 1e-3},
    "ekf, fading noise": {"type": "ekf", "process_noise": 1e-4, "process_noise_decay_s": 2},
    "ekf, noise a second": {"type": "ekf", "process_noise_per_s": 0.02, "process_noise_decay_s": 0.5},
    "rls": {},
    "rls, 0.7 s": {"type": "rls", "forgetting_time_s": 0.7},
    "map": {},
    "sigmoid_ekf": {"process_noise": 1e-4, "process_noise_decay_s": 2},
    "sigmoid_ekf, P0 = 1": {"type": "sigmoid_ekf", "p0": "identity", "slope": 0.5, "clamp": 4, "process_noise": 1e-4},
    "sigmoid_ekf, narrow": {"type": "sigmoid_ekf", "clamp": 1.0, "process_noise": 1e-3, "process_noise_decay_s": 2},
}


def variance_of_rows():
    return np.array(ROW_SIGMA, REAL)**2


def plain(runs):
    (prior, problem), random = arm_prior(), np.random.default_rng(1)
    motion = swing(np.arange(200) * STEP_S)
    torque = measured(design(motion, ARM) @ prior.draw(random), random)
    estimators = {**ESTIMATORS, "ekf, P0 = 1": {"type": "ekf", "p0": "identity"}}
    content = recorded(problem, estimators, {"log": {}})
    run = runs.run("plain", content, {"log.csv": full_log(motion, torque)})

    def expected():
        regression = Regression(design(motion, ARM), torque, motion.t, variance_of_rows())
        return estimates(estimators, regression, prior)

    return [(run, ARM, expected)]


def missing(runs):
    (prior, problem), random = arm_prior(), np.random.default_rng(2)
    zones = np.array([2.0, 1.5])
    t = np.arange(260) * STEP_S
    keep = (random.uniform(size=len(t)) > 0.1) & ((t < 1.0) | (t > 1.6))
    motion = swing(t[keep])
    torque = measured(design(motion, ARM) @ prior.draw(random), random)
    results = []
    for of in ("row", "sample"):
        problem["equations"] = [
            {"type": "joint_torque", "dead_zone_rad_s": list(zones), "dead_zone_of": of}]
        content = recorded(problem, ESTIMATORS, {"log": {}})
        run = runs.run(f"missing {of}", content, {"log.csv": full_log(motion, torque)})

        def expected(of=of):
            there = np.abs(motion.qd) >= zones
            if of == "sample":
                there[:] = there.all(axis=1, keepdims=True)
            out = np.argwhere(~there)
            assert 0.2 < len(out) / there.size < 0.8
            there[tuple(out[len(out) // 2])] = unless_planted("row", False, True)
            t = motion.t.copy()
            t[t > 1.3] -= unless_planted("gap", 0, REAL(0.6))
            y = np.where(there, torque, np.nan)
            regression = Regression(design(motion, ARM), y, t, variance_of_rows())
            return estimates(ESTIMATORS, regression, prior)

        results.append((run, ARM, expected))
    return results


# Base parameters of the arm: what of a link's mass the joint before it sees is that of the link
# before, at the joint.
BASE = [f"{body}.{kind}" for body in BODIES for kind in ("mcx", "mcz", "Iyy")]


def base_parameters(x):
    """Base parameters and those of the joints, from x by name."""
    x_e, z_e, m = REAL(ELBOW[0]), REAL(ELBOW[1]), x["lower.m"]
    moved = {"upper.mcx": m * x_e, "upper.mcz": m * z_e, "upper.Iyy": m * (x_e**2 + z_e**2)}
    # Rotors turn with the first joint alone as the upper link does.
    beta = {name: x[name] + moved.get(name, 0) for name in BASE + JOINT_UNKNOWNS}
    beta["upper.Iyy"] += beta.pop("shoulder.ia")
    return np.array(list(beta.values()))


def no_prior(runs):
    (prior, problem), random = arm_prior(), np.random.default_rng(3)
    motion = swing(np.arange(150) * STEP_S)
    torque = measured(design(motion, ARM) @ prior.draw(random), random)
    zones = np.array([1.0, 0.6])
    problem["prior"] = {}
    del problem["parametrisation"]["bounds"]
    problem["equations"] = [{"type": "joint_torque", "dead_zone_rad_s": list(zones)}]
    content = recorded(problem, {"rls": {}}, {"log": {}})
    run = runs.run("no prior", content, {"log.csv": full_log(motion, torque)})

    def expected():
        """Σ ν²/s over all rows that earlier ones predict is the sum of squares of the fit."""
        names = [name for name in BASE + JOINT_UNKNOWNS if name != "shoulder.ia"]
        y = np.where(np.abs(motion.qd) >= zones, torque, np.nan)
        regression = Regression(design(motion, names), y, motion.t, variance_of_rows())
        A, weights = regression.information(), regression.weights()
        P = inverse(A)
        beta = P @ np.einsum("tri,tr,tr->i", regression.H, weights, np.nan_to_num(y))
        squares = np.sum(weights * np.nan_to_num(y - regression.H @ beta)**2)
        rows = np.count_nonzero(weights) - len(names) + unless_planted("rank", 0, 1)
        yield "rls", Expected(beta, P, np.diag(np.diag(P)), squares / rows, states_sigma=False)

    return [(run, base_parameters, expected)]


def causal(runs):
    (prior, problem), random = arm_prior(), np.random.default_rng(4)
    order, cutoff_hz, half_width, drop_s = 3, 14.0, 2, 0.2
    motion = swing(np.arange(260) * STEP_S)
    torque = measured(design(motion, ARM) @ prior.draw(random), random)
    q = np.array(motion.q + 1e-4 * random.normal(size=motion.q.shape), float).astype(REAL)
    content = recorded(
        problem, ESTIMATORS, {"log": {}}, ("joint_position", "joint_torque"),
        processing={"causal": True, "lowpass": {"cutoff_hz": cutoff_hz, "order": order, "drop_edges_s": drop_s},
                    "differentiate": ["joint_velocity", "joint_acceleration"],
                    "difference_half_width": half_width})
    run = runs.run("causal", content, {"log.csv": log_text(motion.t, joint_position=q, joint_torque=torque)})

    def expected():
        t, w = motion.t, half_width
        smooth = butterworth(order, cutoff_hz, 1 / STEP_S, np.concatenate([q, torque], axis=1))
        before, here, after = smooth[:-2 * w, :2], smooth[w:-w, :2], smooth[2 * w:, :2]
        first, second = (t[w:-w] - t[:-2 * w])[:, None], (t[2 * w:] - t[w:-w])[:, None]
        slopes = (here - before) / first, (after - here) / second
        # The parabola through the three, in the middle: its slope and its second derivative.
        qd = (second * slopes[0] + first * slopes[1]) / (first + second)
        qdd = 2 * (slopes[1] - slopes[0]) / (first + second)
        late = w - unless_planted("delay", 0, 1)
        stamps = t[2 * w:]  # everything of the middle is known then
        left = stamps >= stamps[0] + REAL(drop_s) - REAL(1e-9)
        delayed = smooth[late:late + len(stamps), 2:]
        seen = Motion(stamps, here, qd, qdd).at(left)
        regression = Regression(design(seen, ARM), delayed[left], seen.t, variance_of_rows())
        return estimates(ESTIMATORS, regression, prior)

    return [(run, ARM, expected)]


def coloured_by_filter(runs):
    prior, problem = arm_prior()
    order, cutoff_hz, drop_s = 2, 12.0, 0.2
    estimators = {
        "ekf": {}, **{name: ESTIMATORS[name] for name in ("ekf, steady noise", "ekf, fading noise", "ekf, noise a second")},
        "rls": {}, "rls, 0.3 s": {"type": "rls", "forgetting_time_s": 0.3}}
    problem["equations"] = [{"type": "joint_torque", "dead_zone_rad_s": 0.5}]
    lowpass = {"causal": True, "lowpass": {"cutoff_hz": cutoff_hz, "order": order, "drop_edges_s": drop_s}}
    truth = {"mass_scale": 1.1, "inertia_scale": 0.9}
    contents = [simulated(problem, estimators, {}, processing=processing) for processing in ({}, lowpass)]
    for content in contents:
        content["robot"]["truth"] = truth
    raw, run = (runs.run(f"coloured {k}", content, {}) for k, content in enumerate(contents))
    motion, torque = runs.series(raw)
    shown, shown_torque = runs.series(run)

    def expected():
        signals = np.concatenate([motion.q, motion.qd, motion.qdd, torque], axis=1)
        smooth = butterworth(order, cutoff_hz, 100, signals)
        left = motion.t >= motion.t[0] + REAL(drop_s) - REAL(1e-9)
        seen = Motion(motion.t, smooth[:, :2], smooth[:, 2:4], smooth[:, 4:6]).at(left)
        y = smooth[left, 6:]
        noise = ColouredNoise(autocovariance(order, cutoff_hz, 100), ROW_SIGMA)
        there = np.abs(seen.qd) >= 0.5
        assert 0.05 < np.mean(~there) < 0.8
        regression = Regression(design(seen, ARM), np.where(there, y, np.nan), seen.t, noise.variance)
        own = np.concatenate([seen.q, seen.qd, seen.qdd, y], axis=1)
        theirs = np.concatenate([shown.q, shown.qd, shown.qdd, shown_torque], axis=1)
        yield "low-pass", np.max(np.abs(own - theirs) / np.max(np.abs(own), axis=0))
        yield from estimates(estimators, regression, noise, prior, methods=COLOURED_METHODS)

    return [(run, ARM, expected)]


def told(runs):
    names = unknowns_of(BODIES) + unknowns_of(["tool"]) + JOINT_UNKNOWNS
    (prior, problem), random = arm_prior(names), np.random.default_rng(5)
    motions = [swing(np.arange(120) * STEP_S), swing(np.arange(120) * STEP_S, 1.3)]
    truth = prior.draw(random)
    H = [design(motion, names) for motion in motions]
    H[0][:, :, [name.startswith("tool.") for name in names]] = 0
    torques = [measured(columns @ truth, random) for columns in H]
    mass, com, moments = TOOL_BODY
    content = recorded(
        problem, ESTIMATORS, {"bare": {}, "loaded": {"configuration": "loaded"}},
        attached={"tool": {"link": "lower", "p_LB_L_m": [TOOL[0], 0.0, TOOL[1]], "rpy_rad": [0.0, TOOL[2], 0.0],
                           "prior": {"mass_kg": mass, "com_m": list(com), "inertia_com_kgm2": list(moments)}}},
        configurations={"loaded": {"attached": ["tool"]}})
    files = {name + ".csv": full_log(motion, torque)
             for name, motion, torque in zip(("bare", "loaded"), motions, torques)}
    run = runs.run("told", content, files)

    def expected():
        columns = [unless_planted("tool", H[0], design(motions[0], names)), H[1]]
        # The second log begins when the first one ends.
        t = np.concatenate([motions[0].t, motions[0].t[-1] + motions[1].t])
        regression = Regression(np.concatenate(columns), np.concatenate(torques), t, variance_of_rows())
        return estimates(ESTIMATORS, regression, prior)

    return [(run, names, expected)]


FOLLOWING = {
    "ekf": {"process_noise_per_s": 5},
    "sigmoid_ekf": {"process_noise": 0.01},
    "rls, 0.1 s": {"type": "rls", "forgetting_time_s": 0.1},
}


def known_torque(motion):
    bodies = unknowns_of(BODIES)
    return design(motion, bodies) @ np.array([known_value(name) for name in bodies])


def following(motion, torque, prior):
    columns, known = design(motion, PAYLOAD_UNKNOWNS), known_torque(motion)
    regression = Regression(columns, torque, motion.t, variance_of_rows(), known)
    return estimates(FOLLOWING, regression, prior)


def untold(runs):
    (prior, problem), random = payload_prior(), np.random.default_rng(6)
    motion = swing(np.arange(250) * STEP_S)
    payload = np.where(motion.t[:, None] < 1, 0, [1.5, 0.03, 0.04, 0.05])
    of_payload = np.einsum("trk,tk->tr", design(motion, PAYLOAD_UNKNOWNS), payload)
    torque = measured(known_torque(motion) + of_payload, random)
    content = recorded(problem, FOLLOWING, {"log": {}})
    run = runs.run("untold", content, {"log.csv": full_log(motion, torque)})
    return [(run, PAYLOAD_UNKNOWNS, lambda: following(motion, torque, prior))]


def simulated_events(runs):
    prior, problem = payload_prior()
    payload = {"payload": "box", "mass_kg": 1.5, "com_m": [PAYLOAD[0], 0.01, PAYLOAD[1]],
               "inertia_kgm2": [0.03, 0.04, 0.05]}
    events = [{"type": "attach", "at_s": 0.6, **payload},
              {"type": "ramp", "payload": "box", "from_s": 1.2, "to_s": 1.5, "mass_kg": 0.7}]
    run = runs.run("simulated", simulated(problem, FOLLOWING, {"events": events}), {})
    motion, torque = runs.series(run)
    return [(run, PAYLOAD_UNKNOWNS, lambda: following(motion, torque, prior))]


CASES = {"plain": plain, "missing rows": missing, "no prior": no_prior, "causal": causal,
         "coloured": coloured_by_filter, "told": told, "untold": untold, "simulated": simulated_events}
