#!/usr/bin/env python3
"""Makes the bags in this folder, and what is in them as CSV.

Needs rosbags 0.11.9, mcap 1.6.0 and lz4 4.4.5 from PyPI; rosbags serialises all messages:

    python3 -m venv /tmp/bags && /tmp/bags/bin/pip install rosbags==0.11.9 mcap==1.6.0 lz4==4.4.5
    /tmp/bags/bin/python hw/ros2/testdata/make.py

robots.*               one log in all formats: two arms whose joints change their order, a gripper that
                       publishes on the same topic, a wrench, an IMU, and a topic of another type.
                       Written by rosbags (robots.db3, robots_rosbags.mcap, robots_rosbags_zstd.mcap,
                       message/, file/) and by mcap (the others); the order in the files is not that of
                       time.
split/                 the same log as a bag of two files.
arm.*                  a log for identification: planar2 with links 1.3 times as heavy as its file says
                       (rosbags wrote arm.db3, mcap arm.mcap), and what moves in it as arm.csv.
robots_<topic>.csv     what is to come out of it: number of the message, time of header and of
                       reception [ns], and the numbers.
controller_*.mcap      three states of a trajectory controller in each version of their type, and
                       what is to come out.
"""

import math
import random
import shutil
import sqlite3
import tempfile
from pathlib import Path

import numpy as np
from mcap.writer import CompressionType, IndexType, Writer as McapWriter
from rosbags.rosbag2 import CompressionFormat, CompressionMode, StoragePlugin, Writer
from rosbags.typesys import Stores, get_typestore, get_types_from_msg

HERE = Path(__file__).parent
STORE = get_typestore(Stores.ROS2_HUMBLE)
NAN = math.nan
FIRST_NS = 1_700_000_000_000_000_000

JOINT_STATE = "sensor_msgs/msg/JointState"
WRENCH = "geometry_msgs/msg/WrenchStamped"
IMU = "sensor_msgs/msg/Imu"
STRING = "std_msgs/msg/String"
STATE = "control_msgs/msg/JointTrajectoryControllerState"


def make(store, name, *fields):
    return store.types[name](*fields)


def header(store, stamp_ns, frame=""):
    time = make(store, "builtin_interfaces/msg/Time", stamp_ns // 10**9, stamp_ns % 10**9)
    return make(store, "std_msgs/msg/Header", time, frame)


def array(numbers):
    return np.array(numbers, dtype=np.float64)


def vector(x, y, z):
    return make(STORE, "geometry_msgs/msg/Vector3", x, y, z)


class Log:
    """Messages in the order in which they are stored, each with what is to come out of it."""

    def __init__(self):
        self.entries = []  # ((topic, type, received_ns, bytes), (received_ns, stamp_ns, numbers))

    @property
    def messages(self):
        return [message for message, _ in self.entries]

    def rows(self, topic):
        return [row for message, row in self.entries if message[0] == topic]

    def add(self, topic, kind, message, received_ns, stamp_ns, numbers, big=False, padding=b""):
        data = bytes(STORE.serialize_cdr(message, kind, little_endian=not big)) + padding
        self.entries.append(((topic, kind, received_ns, data), (received_ns, stamp_ns, numbers)))

    def joints(self, topic, received_ns, stamp_ns, states, velocity=True, effort=True, **options):
        """states: {joint: (position, velocity, effort)}"""
        message = make(
            STORE, JOINT_STATE, header(STORE, stamp_ns, "base"), list(states),
            array([s[0] for s in states.values()]),
            array([s[1] for s in states.values()] if velocity else []),
            array([s[2] for s in states.values()] if effort else []),
        )
        numbers = {}
        for joint, (q, qd, tau) in states.items():
            numbers[f"{topic}/{joint}/position_rad"] = q
            numbers[f"{topic}/{joint}/velocity_rad_s"] = qd if velocity else NAN
            numbers[f"{topic}/{joint}/effort_nm"] = tau if effort else NAN
        self.add(topic, JOINT_STATE, message, received_ns, stamp_ns, numbers, **options)

    def wrench(self, topic, received_ns, stamp_ns, numbers):
        message = make(
            STORE, WRENCH, header(STORE, stamp_ns, "tool0"),
            make(STORE, "geometry_msgs/msg/Wrench", vector(*numbers[:3]), vector(*numbers[3:])),
        )
        names = [f"force/{axis}_n" for axis in "xyz"] + [f"torque/{axis}_nm" for axis in "xyz"]
        self.add(topic, WRENCH, message, received_ns, stamp_ns,
                 {f"{topic}/{name}": number for name, number in zip(names, numbers)})

    def imu(self, topic, received_ns, stamp_ns, numbers, has_acceleration):
        covariance = [0.01, 0, 0, 0, 0.01, 0, 0, 0, 0.01]
        absent = [-1.0] + 8 * [0.0]
        message = make(
            STORE, IMU, header(STORE, stamp_ns, "imu"),
            make(STORE, "geometry_msgs/msg/Quaternion", 0.5, 0.5, 0.5, 0.5), array(absent),
            vector(*numbers[:3]), array(covariance),
            vector(*numbers[3:]), array(covariance if has_acceleration else absent),
        )
        kept = numbers[:3] + (numbers[3:] if has_acceleration else 3 * [NAN])
        names = [f"angular_velocity/{axis}_rad_s" for axis in "xyz"]
        names += [f"linear_acceleration/{axis}_m_s2" for axis in "xyz"]
        self.add(topic, IMU, message, received_ns, stamp_ns,
                 {f"{topic}/{name}": number for name, number in zip(names, kept)})


def robots():
    draw = random.Random(1)
    log = Log()
    joints = ["left/elbow", "left/wrist", "right/elbow", "right/wrist"]
    for k in range(10):
        stamp = FIRST_NS + 8_000_000 * k - (9_000_000 if k == 6 else 0)  # once it goes back
        received = FIRST_NS + 8_000_000 * k + draw.randrange(1_000_000)
        order = joints if k < 2 else draw.sample(joints, 4 if k != 4 else 3)
        states = {j: (draw.gauss(0, 1), draw.gauss(0, 1), draw.gauss(0, 9)) for j in order}
        if k == 3:
            states = {j: (q, qd, NAN) for j, (q, qd, _) in states.items()}
        log.joints("/joint_states", received, stamp, states, velocity=k != 5, big=k == 7,
                   padding=b"\0\0" if k == 8 else b"")
        if k % 3 == 0:  # received at the same time as the arms' once
            fingers = {"finger": (draw.random(), 0.0, 0.0)}
            log.joints("/joint_states", received if k == 3 else received + 1000, stamp, fingers,
                       velocity=False, effort=False)
        if k % 3 == 1:
            log.wrench("/ft", received + 2000, stamp, [draw.gauss(0, 30) for _ in range(6)])
        if k % 3 == 2:
            log.imu("/imu", received + 3000, stamp, [draw.gauss(0, 1) for _ in range(6)], k != 5)
    note = make(STORE, STRING, "no numbers here")
    log.entries.append((("/note", STRING, FIRST_NS, bytes(STORE.serialize_cdr(note, STRING))), None))
    draw.shuffle(log.entries)
    return log


def arm_motion(t):
    """q, q̇, q̈ of both joints [rad, s]."""
    q, qd, qdd = np.zeros(2), np.zeros(2), np.zeros(2)
    for j, terms in enumerate([((0.8, 3.0), (0.5, 4.7)), ((0.7, 4.1), (0.6, 2.3))]):
        for amplitude, w in terms:
            q[j] += amplitude * math.sin(w * t + j)
            qd[j] += amplitude * w * math.cos(w * t + j)
            qdd[j] -= amplitude * w * w * math.sin(w * t + j)
    return q, qd, qdd


def arm_torque(q, qd, qdd):
    """Newton's and Euler's laws in the vertical plane, whose points are x + i·z [m]: turning by q
    about y is a factor exp(−i·q)."""
    mass, com, inertia = [5.2, 3.9], [0.018 - 0.235j, -0.014 - 0.205j], [0.1115, 0.0675]
    elbow, gravity = -0.5j, -9.81j
    angle, rate, change = np.cumsum(q), np.cumsum(qd), np.cumsum(qdd)

    def acceleration(point, link):  # of a point that turns about its joint
        turned = point * np.exp(-1j * angle[link])
        return turned * (-1j * change[link] - rate[link] ** 2), turned

    joint_acceleration, lever = acceleration(elbow, 0)
    tau, force, moment = np.zeros(2), 0.0, 0.0
    for link in [1, 0]:
        turning, arm = acceleration(com[link], link)
        start = joint_acceleration if link == 1 else 0.0
        own = mass[link] * (start + turning - gravity)
        # (r × F) along y is z·Fx − x·Fz = Im(r·conj(F)).
        moment += inertia[link] * change[link] + (arm * own.conjugate()).imag
        if link == 0:
            moment += (lever * force.conjugate()).imag
        force = force + own
        tau[link] = moment + 0.4 * qd[link] + 0.3 * np.sign(qd[link])
    return tau


def arm():
    """The log, and its CSV: positions of 16 bits a turn, torques with noise, all digits of a double.
    Joints change their order, and a gripper publishes on the same topic."""
    draw = random.Random(2)
    log, lines = Log(), ["t_s,q1_rad,q2_rad,tau1_nm,tau2_nm"]
    for k in range(400):
        stamp = FIRST_NS + 20_000_000 * k
        received = stamp + draw.randrange(1_000_000, 3_000_000)
        q, qd, qdd = arm_motion(0.02 * k)
        step = 2 * math.pi / 2**16
        measured = [step * round(float(each) / step) for each in q]
        tau = [float(each) + draw.gauss(0, 0.02) for each in arm_torque(q, qd, qdd)]
        names = ["joint2", "joint1"] if k == 0 or draw.random() < 0.5 else ["joint1", "joint2"]
        states = {name: (measured[int(name[-1]) - 1], 0.0, tau[int(name[-1]) - 1]) for name in names}
        log.joints("/joint_states", received, stamp, states, velocity=False)
        if k % 100 == 50:
            log.joints("/joint_states", received + 1000, stamp + 10_000_000,
                       {"finger": (draw.random(), 0.0, 0.0)}, velocity=False)
        lines.append(",".join(map(repr, [(stamp - FIRST_NS) / 10**9, *measured, *tau])))
    draw.shuffle(log.entries)
    return log, "\n".join(lines) + "\n"


def text(number):
    return "" if math.isnan(number) else repr(float(number))


def write_rows(path, rows):
    """rows: [(received_ns, stamp_ns, {column: number})] in the order of the file, which is that of
    messages that were received at the same time."""
    rows = sorted(rows, key=lambda row: row[0])
    columns = list(dict.fromkeys(name for _, _, numbers in rows for name in numbers))
    columns = [c for c in columns if any(not math.isnan(r[2].get(c, NAN)) for r in rows)]
    lines = [",".join(["message", "header_ns", "received_ns", *columns])]
    for i, (received, stamp, numbers) in enumerate(rows, 1):
        if all(math.isnan(numbers.get(c, NAN)) for c in columns):
            continue
        lines.append(",".join([str(i), str(stamp), str(received),
                               *(text(numbers.get(c, NAN)) for c in columns)]))
    path.write_text("\n".join(lines) + "\n")


def rosbag(folder, messages, plugin, mode=None, store=STORE):
    writer = Writer(folder, version=9, storage_plugin=plugin)
    if mode:
        writer.set_compression(mode, CompressionFormat.ZSTD)
    with writer:
        topics = {}
        for topic, kind, received, data in messages:
            if topic not in topics:
                topics[topic] = writer.add_connection(topic, kind, typestore=store)
            writer.write(topics[topic], received, data)
    return folder


def vacuumed(file):
    """SQLite's default page of 4 kB would make the file four times as large."""
    database = sqlite3.connect(file)
    database.execute("PRAGMA page_size = 512")
    database.execute("VACUUM")
    database.close()


def mcap(path, messages, store=STORE, **options):
    with path.open("wb") as stream:
        writer = McapWriter(stream, **options)
        writer.start("ros2", "make.py")
        schemas, channels = {}, {}
        for topic, kind, received, data in messages:
            if kind not in schemas:
                definition, _ = store.generate_msgdef(kind, ros_version=2)
                schemas[kind] = writer.register_schema(kind, "ros2msg", definition.encode())
            if topic not in channels:
                channels[topic] = writer.register_channel(topic, "cdr", schemas[kind])
            writer.add_message(channels[topic], received, data, received - 500)
        writer.finish()


POINT = "trajectory_msgs/JointTrajectoryPoint"
MULTI = "trajectory_msgs/MultiDOFJointTrajectoryPoint"
VERSIONS = {
    "3": (["desired", "actual", "error"], 0, False),
    "4_0": (["desired", "actual", "error"], 3, False),
    "4_4": (["reference", "feedback", "error", "output", "desired", "actual"], 6, False),
    "5_0": (["reference", "feedback", "error", "output"], 4, False),
    "5_3": (["reference", "feedback", "error", "output"], 4, True),
}


def controller_store(points, multi, scaling):
    lines = ["# State of a controller", "std_msgs/Header header", "string[] joint_names"]
    lines += [f"{POINT} {name}  # of each joint" for name in points]
    if multi:
        lines += ["string[] multi_dof_joint_names"]
        lines += [f"{MULTI} multi_dof_{name}" for name in points]
    if scaling:
        lines += ["float64 speed_scaling_factor"]
    store = get_typestore(Stores.ROS2_HUMBLE)
    store.register(get_types_from_msg("\n".join(lines), STATE))
    return store


def controller(name, points, multi, scaling):
    draw = random.Random(name)
    store = controller_store(points, multi, scaling)
    joints = ["shoulder", "elbow"]
    duration = make(store, "builtin_interfaces/msg/Duration", 0, 8_000_000)
    quantities = ["position_rad", "velocity_rad_s", "acceleration_rad_s2", "effort_nm"]
    messages, rows = [], []
    for k in range(3):
        stamp = FIRST_NS + 8_000_000 * k
        fields = [header(store, stamp), joints]
        numbers = {f"/controller/{j}/{p}/{q}": NAN
                   for j in joints
                   for p in ["reference", "feedback", "desired", "actual", "error", "output"]
                   for q in quantities}
        for point in points:
            values = []
            for quantity in quantities:
                absent = quantity == "effort_nm" and point != "output"
                values.append([] if absent else [draw.gauss(0, 1) for _ in joints])
                for joint, value in zip(joints, values[-1]):
                    numbers[f"/controller/{joint}/{point}/{quantity}"] = value
            fields.append(make(store, POINT.replace("/", "/msg/"), *map(array, values), duration))
        if multi:
            transform = make(store, "geometry_msgs/msg/Transform", vector(1.0, 2.0, 3.0),
                             make(store, "geometry_msgs/msg/Quaternion", 0.0, 0.0, 0.0, 1.0))
            twist = make(store, "geometry_msgs/msg/Twist", vector(1.0, 2.0, 3.0),
                         vector(4.0, 5.0, 6.0))
            empty = make(store, MULTI.replace("/", "/msg/"), [], [], [], duration)
            full = make(store, MULTI.replace("/", "/msg/"), [transform], [twist], [twist], duration)
            fields += [["base"] if k == 1 else [], *(multi * [full if k == 1 else empty])]
        if scaling:
            fields.append(0.75)
        data = bytes(store.serialize_cdr(make(store, STATE, *fields), STATE))
        messages.append(("/controller", STATE, stamp + 100, data))
        rows.append((stamp + 100, stamp, numbers))
    mcap(HERE / f"controller_{name}.mcap", messages, store, use_chunking=False,
         index_types=IndexType.NONE, use_statistics=False, use_summary_offsets=False,
         repeat_channels=False, repeat_schemas=False)
    write_rows(HERE / f"controller_{name}.csv", rows)


def main():
    for old in [*HERE.glob("*.mcap"), *HERE.glob("*.csv"), *HERE.glob("*.db3")]:
        old.unlink()
    for folder in ["message", "file", "split"]:
        shutil.rmtree(HERE / folder, ignore_errors=True)

    log = robots()
    for topic in ["/joint_states", "/ft", "/imu"]:
        write_rows(HERE / f"robots_{topic[1:]}.csv", log.rows(topic))

    with tempfile.TemporaryDirectory() as temporary:
        scratch = Path(temporary)
        bag = rosbag(scratch / "robots", log.messages, StoragePlugin.SQLITE3)
        vacuumed(bag / "robots.db3")
        shutil.copy(bag / "robots.db3", HERE / "robots.db3")
        bag = rosbag(scratch / "plain", log.messages, StoragePlugin.MCAP)
        shutil.copy(bag / "plain.mcap", HERE / "robots_rosbags.mcap")
        bag = rosbag(scratch / "zstd", log.messages, StoragePlugin.MCAP, CompressionMode.STORAGE)
        shutil.copy(bag / "zstd.mcap", HERE / "robots_rosbags_zstd.mcap")
    rosbag(HERE / "message", log.messages, StoragePlugin.SQLITE3, CompressionMode.MESSAGE)
    vacuumed(HERE / "message" / "message.db3")
    rosbag(HERE / "file", log.messages, StoragePlugin.SQLITE3, CompressionMode.FILE)

    (HERE / "split").mkdir()
    half = len(log.messages) // 2
    mcap(HERE / "split" / "split_0.mcap", log.messages[:half], compression=CompressionType.ZSTD)
    mcap(HERE / "split" / "split_1.mcap", log.messages[half:], compression=CompressionType.LZ4)
    (HERE / "split" / "metadata.yaml").write_text(
        "rosbag2_bagfile_information:\n  version: 9\n  storage_identifier: mcap\n"
        "  relative_file_paths:\n    - split_0.mcap\n    - split_1.mcap\n"
        "  compression_format: ''\n  compression_mode: ''\n")

    small = 1500  # bytes of a chunk, so that there are several
    mcap(HERE / "robots_none.mcap", log.messages, compression=CompressionType.NONE, chunk_size=small)
    mcap(HERE / "robots_zstd.mcap", log.messages, compression=CompressionType.ZSTD, chunk_size=small)
    mcap(HERE / "robots_lz4.mcap", log.messages, compression=CompressionType.LZ4, chunk_size=small)
    mcap(HERE / "robots_unchunked.mcap", log.messages, use_chunking=False)
    for name, version in VERSIONS.items():
        controller(name, *version)

    log, lines = arm()
    (HERE / "arm.csv").write_text(lines)
    with tempfile.TemporaryDirectory() as temporary:
        bag = rosbag(Path(temporary) / "arm", log.messages, StoragePlugin.SQLITE3)
        vacuumed(bag / "arm.db3")
        shutil.copy(bag / "arm.db3", HERE / "arm.db3")
    mcap(HERE / "arm.mcap", log.messages, compression=CompressionType.ZSTD)


if __name__ == "__main__":
    main()
