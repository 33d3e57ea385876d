"""Logs and scenarios, and what idbench makes of them."""

import json
import subprocess

import numpy as np

from arm import REAL, Motion, columns_of, model_text

ROW_SIGMA = [0.5, 0.3]  # σ of the torques [N·m]
STEP_S = 0.01

CHANNELS = {"joint_position": "q{}_rad", "joint_velocity": "qd{}_rad_s",
            "joint_acceleration": "qdd{}_rad_s2", "joint_torque": "tau{}_nm"}


def swing(t, phase=0.0):
    """Angles that are sums of two sines, with derivatives."""
    waves = [[(0.8, 4.1, 0.0), (0.5, 9.3, 1.0)], [(0.9, 5.7, 0.5), (0.4, 12.1, 2.0)]]
    motion = np.zeros((3, len(t), 2))
    for joint, parts in enumerate(waves):
        for size, rate, shift in parts:
            at = rate * t + shift + phase
            motion[0, :, joint] += size * np.sin(at)
            motion[1, :, joint] += size * rate * np.cos(at)
            motion[2, :, joint] -= size * rate**2 * np.sin(at)
    return Motion(t, *motion)


def design(motion, names):
    """Columns of the unknowns, samples × rows × unknowns."""
    columns = columns_of(motion)
    return np.stack([columns[name] for name in names], axis=2)


def measured(clean, random):
    """Torques with noise, in double precision as a log holds them."""
    return np.array(clean + random.normal(size=clean.shape) * ROW_SIGMA, float).astype(REAL)


def log_text(t, **channels):
    header, values = ["t_s"], [t[:, None]]
    for name, samples in channels.items():
        header += [CHANNELS[name].format(joint) for joint in (1, 2)]
        values.append(samples)
    rows = np.concatenate(values, axis=1).astype(float)
    lines = [",".join(header)] + [",".join(repr(float(value)) for value in row) for row in rows]
    return "\n".join(lines) + "\n"


def full_log(motion, torque):
    return log_text(motion.t, joint_position=motion.q, joint_velocity=motion.qd,
                    joint_acceleration=motion.qdd, joint_torque=torque)


def read_log(path):
    table = np.genfromtxt(path, delimiter=",", names=True)
    channels = {name: np.stack([table[column.format(joint)] for joint in (1, 2)], axis=1)
                for name, column in CHANNELS.items()}
    return (Motion(table["t_s"], channels["joint_position"], channels["joint_velocity"],
                   channels["joint_acceleration"]), channels["joint_torque"].astype(REAL))


def scenario(problem, estimators, **more):
    return {"name": "filters_check", "robot": {"model": "arm.xml"}, "problem": problem,
            "estimators": estimators, "timing_trials": 0, "metrics": ["nis"], **more}


def recorded(problem, estimators, logs, channels=tuple(CHANNELS), **more):
    """`logs`: options of an experiment by the name of its file."""
    return scenario(problem, estimators, scoring={"smoothing": "none"}, recording={
        "root": ".", "declared_sigma": {"joint_torque_nm": ROW_SIGMA},
        "columns": {"time": "t_s", **{name: CHANNELS[name].format("{1..2}") for name in channels}},
    }, experiments={name: {"file": name + ".csv", **options} for name, options in logs.items()}, **more)


def simulated(problem, estimators, experiment, **more):
    return scenario(
        problem, estimators, control={"type": "exact_replay"}, trials=1,
        sensors={"rate_hz": 100, "joint_torque": {"noise_std_nm": ROW_SIGMA}},
        experiments={"log": {"role": "identification", "motion": {
            "type": "fourier", "base_frequency_hz": 0.5, "duration_s": 2, "design": None,
            "velocity_limits": False, "acceleration_limits": False}, **experiment}},
        **more)


class Runs:
    """Runs of IDBENCH in a folder."""

    def __init__(self, idbench, folder):
        self.idbench, self.folder = idbench, folder

    def run(self, name, content, files):
        """The folder of a run."""
        place = self.folder / name
        place.mkdir(parents=True)
        own = {"arm.xml": model_text(), "scenario.json": json.dumps(content, indent=1)}
        for file, text in {**own, **files}.items():
            (place / file).write_text(text)
        result = subprocess.run([self.idbench, "run", "scenario.json", "--out", "run", "--jobs", "1"],
                                cwd=place, capture_output=True, text=True)
        if result.returncode != 0:
            raise RuntimeError(f"{name}: idbench exits with {result.returncode}\n{result.stderr}")
        return place / "run"

    @staticmethod
    def series(run):
        return read_log(run / "series" / "cell0_log_trial0.csv")


def records_of(run):
    """The records by estimator, and the names of the unknowns."""
    lines = (run / "records.jsonl").read_text().splitlines()
    identified = json.loads((run / "identified.json").read_text())
    names = [entry["name"] for entry in identified["cells"][0]["estimators"][0]["parameters"]]
    return {record["estimator"]: record for record in map(json.loads, lines)}, names
