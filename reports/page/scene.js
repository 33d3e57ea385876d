// Where the points of a moving robot are seen: axes of the scene, its motion, and a camera.

const kScene = {width: 640, height: 420, margin: 14};
const kHome = {azimuth: -0.95, elevation: 0.38};  // of the camera, in rad

function dot(a, b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
function scaled(a, factor) { return a.map((x) => factor * x); }
function cross(a, b) {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}
function distance(a, b) { return Math.hypot(...a.map((x, i) => x - b[i])); }
function mixed(a, b, part) { return a.map((x, i) => x + part * (b[i] - x)); }

// Axes of the scene in those of the base: the third one is up, against gravity.
function sceneAxes(gravity) {
  const g = Math.hypot(...gravity);
  const up = g > 0 ? scaled(gravity, -1 / g) : [0, 0, 1];
  const ahead = Math.abs(up[0]) < 0.9 ? [1, 0, 0] : [0, 1, 0];
  const level = ahead.map((x, i) => x - dot(ahead, up) * up[i]);
  const first = scaled(level, 1 / Math.hypot(...level));
  return [first, cross(up, first), up];
}

// 1, 2 or 5 times a power of ten, not below x.
function roundUp(x) {
  const power = 10 ** Math.floor(Math.log10(x));
  return power * [1, 2, 5, 10].find((digit) => digit * power >= x * (1 - 1e-9));
}

// One motion in axes of the scene, with what surrounds it.
class Motion {
  constructor(view) {
    this.view = view;
    this.axes = sceneAxes(view.gravity);
    this.times = view.t_s;
    const turned = (point) => this.axes.map((axis) => dot(axis, point));
    this.points = view.points.map((instant) => instant.map(turned));
    this.ends = view.frames.map((name, i) => i).filter((i) => !view.parents.includes(i));
    const all = this.points.flat();
    const height = Math.max(...all.map((point) => Math.abs(point[2])));
    this.ground = Math.max(1e-3, 0.4 * height, ...all.map(([x, y]) => Math.hypot(x, y)));
    this.square = roundUp(this.ground / 5);
    all.push([this.ground, this.ground, 0], [-this.ground, -this.ground, 0]);
    const lower = [0, 1, 2].map((i) => Math.min(...all.map((point) => point[i])));
    const upper = [0, 1, 2].map((i) => Math.max(...all.map((point) => point[i])));
    this.centre = mixed(lower, upper, 0.5);
    this.radius = Math.max(...this.points.flat().map((point) => distance(point, this.centre)),
                           Math.hypot(this.ground, this.centre[2]));
  }

  // The lines of a round piece of a grid, each as its two ends.
  grid() {
    const lines = [];
    const squares = Math.floor(this.ground / this.square);
    for (let k = -squares; k <= squares; ++k) {
      const at = k * this.square;
      const far = Math.sqrt(Math.max(0, this.ground ** 2 - at ** 2));
      lines.push([[at, -far, 0], [at, far, 0]], [[-far, at, 0], [far, at, 0]]);
    }
    return lines;
  }

  // The time at a part of the motion, between its first instant, 0, and its last one, 1.
  timeAt(part) {
    const [first, last] = [this.times[0], this.times.at(-1)];
    return part < 1 ? first + part * (last - first) : last;
  }

  // The instant at or before t, and the part of the way to the next one.
  place(t) {
    let low = 0, high = this.times.length - 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.times[middle] <= t) low = middle;
      else high = middle;
    }
    const span = this.times[high] - this.times[low];
    return {low, high, part: span > 0 ? (t - this.times[low]) / span : 0};
  }
}

class Camera {
  constructor() { this.reset(); }
  reset() { Object.assign(this, kHome); }
  turn(azimuth, elevation) {
    this.azimuth += azimuth;
    this.elevation = Math.max(-1.5, Math.min(1.5, this.elevation + elevation));
  }

  // The function from a point to its place in the picture [x, y] and its depth, nearer is larger.
  projection(motion) {
    const [sa, ca] = [Math.sin(this.azimuth), Math.cos(this.azimuth)];
    const [se, ce] = [Math.sin(this.elevation), Math.cos(this.elevation)];
    const right = [-sa, ca, 0], up = [-se * ca, -se * sa, ce], near = [ce * ca, ce * sa, se];
    const far = 6 * motion.radius;
    const half = Math.min(kScene.width, kScene.height) / 2 - kScene.margin;
    return (point) => {
      const from = point.map((x, i) => x - motion.centre[i]);
      const depth = dot(near, from);
      const scale = half / motion.radius * far / (far - depth);
      const [x, y] = [scale * dot(right, from), scale * dot(up, from)];
      return [kScene.width / 2 + x, kScene.height / 2 - y, depth];
    };
  }
}
