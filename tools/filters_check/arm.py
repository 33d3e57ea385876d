"""An arm of two joints, what is assumed of it, and its torques in closed form."""

import numpy as np

from planted import unless_planted

REAL = np.longdouble  # what everything is computed in

GRAVITY = 9.81
ELBOW = (0.06, -0.4)  # origin of the lower link in axes of the upper one, x and z [m]
TOOL = (0.03, -0.25, 0.4)  # of the tool in axes of the lower link, x and z [m]; its pitch [rad]
PAYLOAD = (0.02, -0.3)  # centre of mass of the payload in axes of the lower link, x and z [m]
BODIES = {  # mass [kg], centre of mass [m], inertia about it: xx, yy, zz, xy, xz, yz [kg·m²]
    "upper": (3.0, (0.05, 0.01, -0.2), (0.05, 0.06, 0.01, 0.001, -0.002, 0.0015)),
    "lower": (2.0, (-0.03, 0.005, -0.15), (0.03, 0.035, 0.006, 0.0003, 0.0004, -0.0002)),
}
TOOL_BODY = (0.4, (0.02, 0.01, -0.1), (0.004, 0.005, 0.002, 0.0, 0.0003, 0.0))
JOINTS = ("shoulder", "elbow")
INERTIAL = ("m", "mcx", "mcy", "mcz", "Ixx", "Ixy", "Iyy", "Ixz", "Iyz", "Izz")
FRICTION = ("fv", "fc", "fo", "ia")
COULOMB_WIDTH = 0.2  # [rad/s]
# Standard deviation of the prior by kind of unknown, in its unit; of moments of inertia the last.
PRIOR_SIGMA = {"m": 0.5, "mcx": 0.1, "mcy": 0.1, "mcz": 0.1, "fv": 0.3, "fc": 0.3, "fo": 0.3, "ia": 0.05}
MOMENT_SIGMA = 0.04


def unknowns_of(bodies):
    return [f"{body}.{kind}" for body in bodies for kind in INERTIAL]


JOINT_UNKNOWNS = [f"{joint}.{kind}" for joint in JOINTS for kind in FRICTION]
ARM = unknowns_of(BODIES) + JOINT_UNKNOWNS
PAYLOAD_UNKNOWNS = ["payload.m", "payload.Ixx", "payload.Iyy", "payload.Izz"]


def model_text():
    def inertial(name):
        mass, com, moments = BODIES[name]
        words = (" ".join(map(repr, values)) for values in (com, moments))
        return '<inertial mass="{}" pos="{}" fullinertia="{}"/>'.format(mass, *words)

    joint = '<joint name="{}" axis="0 1 0" range="-3 3"/>'
    return (
        '<mujoco model="arm"><compiler angle="radian" autolimits="true"/>'
        f'<option gravity="0 0 {-GRAVITY}" timestep="0.00025" integrator="implicitfast"/><worldbody>'
        f'<body name="upper" pos="0.1 0 1">{inertial("upper")}{joint.format("shoulder")}'
        f'<body name="lower" pos="{ELBOW[0]} 0.02 {ELBOW[1]}">{inertial("lower")}{joint.format("elbow")}'
        "</body></body></worldbody></mujoco>")


def standard_parameters(body):
    """m, m·c and the inertia about the origin, I = I_c + m·(|c|²·1 − c·cᵀ)."""
    mass, com, moments = body
    mass, c = REAL(mass), np.array(com, REAL)
    xx, yy, zz, xy, xz, yz = moments
    about = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]], REAL)
    about += mass * (c @ c * np.eye(3, dtype=REAL) - np.outer(c, c))
    h = mass * c
    places = ((0, 0), (0, 1), (1, 1), (0, 2), (1, 2), (2, 2))
    return dict(zip(INERTIAL, [mass, *h, *(about[place] for place in places)]))


class Motion:
    """Joint angles [rad] and their derivatives, samples × 2 each."""

    def __init__(self, t, q, qd, qdd):
        self.t, self.q, self.qd, self.qdd = (np.asarray(values, REAL) for values in (t, q, qd, qdd))

    def at(self, rows):
        return Motion(self.t[rows], self.q[rows], self.qd[rows], self.qdd[rows])


def turned(angle, x, z):
    """(x, z) turned by an angle about y."""
    return np.cos(angle) * x + np.sin(angle) * z, -np.sin(angle) * x + np.cos(angle) * z


def columns_of(motion):
    """Torque of both joints, samples × 2, for 1 of each unknown, by name."""
    gravity = REAL(GRAVITY) * unless_planted("gravity", 1, 1 + REAL(1e-11))
    angle = np.cumsum(motion.q, axis=1)
    rate, acceleration = np.cumsum(motion.qd, axis=1), np.cumsum(motion.qdd, axis=1)
    columns = {}

    def add_body(name, link, pitch, places):
        """`places`: vectors from joint to joint and to the body's origin, each in axes of a link."""
        arms = [turned(angle[:, k], *np.array(place, REAL)) for k, place in enumerate(places)]
        # Acceleration of the origin less gravity: ẍ = α × r − ω²·r, summed over the arms.
        a_x = sum(acceleration[:, k] * z - rate[:, k] ** 2 * x for k, (x, z) in enumerate(arms))
        a_z = sum(-acceleration[:, k] * x - rate[:, k] ** 2 * z for k, (x, z) in enumerate(arms))
        a_z = a_z + gravity
        body_angle = angle[:, link] + REAL(pitch)
        w2, alpha = rate[:, link] ** 2, acceleration[:, link]
        zero = np.zeros_like(w2)
        for kind in INERTIAL:
            m = 1 if kind == "m" else 0
            h_x, h_z = turned(body_angle, REAL(kind == "mcx"), REAL(kind == "mcz"))
            # f = m·a + α × h − ω²·h,  moment about the origin: I·α + h × a
            f_x = m * a_x + alpha * h_z - w2 * h_x
            f_z = m * a_z - alpha * h_x - w2 * h_z
            moment = h_z * a_x - h_x * a_z + (alpha if kind == "Iyy" else 0)
            torques = []
            for joint in range(2):
                r = [sum((arm[axis] for arm in arms[joint:]), zero) for axis in (0, 1)]
                torques.append(moment + r[1] * f_x - r[0] * f_z if joint <= link else zero)
            columns[f"{name}.{kind}"] = np.stack(torques, axis=1) + np.zeros_like(motion.q)

    add_body("upper", 0, 0, [])
    add_body("lower", 1, 0, [ELBOW])
    add_body("tool", 1, TOOL[2], [ELBOW, TOOL[:2]])
    for joint, name in enumerate(JOINTS):
        own = np.zeros((2, 1), REAL)
        own[joint] = 1
        for kind, values in (
            ("fv", motion.qd), ("fc", np.tanh(motion.qd / REAL(COULOMB_WIDTH))),
            ("fo", np.ones_like(motion.q)), ("ia", motion.qdd)
        ):
            columns[f"{name}.{kind}"] = values * own.T
    # The payload: a body whose centre of mass is known.
    c_x = REAL(PAYLOAD[0]) + unless_planted("payload", 0, REAL(1e-10))
    c_z = REAL(PAYLOAD[1])
    columns["payload.m"] = (
        columns["lower.m"] + c_x * columns["lower.mcx"] + c_z * columns["lower.mcz"]
        + (c_x**2 + c_z**2) * columns["lower.Iyy"])
    for kind in ("Ixx", "Iyy", "Izz"):
        columns[f"payload.{kind}"] = columns[f"lower.{kind}"]
    return columns


PARAMETERS = {name: standard_parameters(body) for name, body in {**BODIES, "tool": TOOL_BODY}.items()}


def known_value(name):
    """Value in the model; 0 of what joints have."""
    body, kind = name.split(".")
    return PARAMETERS[body][kind] if body in PARAMETERS else REAL(0)


class Prior:
    """Mean, bounds and covariance of unknowns: σ = share·a·b/(a + b) with the distances a and b from
    the mean to the bounds, which is what std_of_bounds stands for."""

    def __init__(self, names, mean, lower, upper, share=0.5):
        self.names, self.share = names, share
        self.mean, self.lower, self.upper = (np.array(values, REAL) for values in (mean, lower, upper))
        below, above = self.mean - self.lower, self.upper - self.mean
        self.sigma = REAL(share) * below * above / (below + above)
        self.covariance = np.diag(self.sigma**2)

    def draw(self, random):
        """A truth near the mean."""
        return self.mean + self.sigma * random.uniform(-0.8, 0.8, len(self.names))

    def problem(self, parametrisation):
        return {"parametrisation": parametrisation, "prior": {"std_of_bounds": self.share}}


def arm_prior(names=ARM):
    """Of bodies and joints, and the problem that states it."""
    mean = [known_value(name) for name in names]
    sigma = [PRIOR_SIGMA.get(name.split(".")[1], MOMENT_SIGMA) for name in names]
    lower = [float(value) - 3 * size for value, size in zip(mean, sigma)]
    upper = [float(value) + 6 * size for value, size in zip(mean, sigma)]
    prior = Prior(names, mean, lower, upper)
    return prior, prior.problem({
        "type": "standard", "friction": ["viscous", "coulomb", "offset"], "rotor_inertia": True,
        "coulomb_width_rad_s": COULOMB_WIDTH,
        "bounds": {name: list(bounds) for name, *bounds in zip(names, lower, upper)}})


def payload_prior():
    """Of a payload of 0 to 4 kg, 5 % of the way between the bounds, and the problem that states it."""
    upper = np.array([4.0, 0.2, 0.2, 0.2]).astype(REAL)
    prior = Prior(PAYLOAD_UNKNOWNS, upper * REAL(0.05), np.zeros(4), upper, share=0.8)
    return prior, prior.problem({"type": "payload", "payload": {
        "com_m": [PAYLOAD[0], 0.01, PAYLOAD[1]], "mass_bounds_kg": [0, 4], "moment_bounds_kgm2": [0, 0.2],
        "prior_range_fraction": 0.05}})
