// The robot's motion as a stick figure, moved by a slider and turned by dragging.

const kSteps = 250;  // of the slider
const kSpeeds = [0.25, 0.5, 1, 2, 5];

function svgElement(parent, name, css, attributes = {}) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  element.setAttribute("class", css);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  parent.append(element);
  return element;
}

function pathOf(points) {
  return points.map(([x, y], k) => `${k ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");
}

class MotionFigure {
  constructor(figure, data) {
    this.svg = figure.querySelector("svg");
    this.readings = figure.querySelector("dl");
    this.slider = figure.querySelector("input");
    this.output = figure.querySelector("output");
    this.button = figure.querySelector(".play");
    this.scale = figure.querySelector(".scale");
    this.speed = figure.querySelector(".transport select");
    this.camera = new Camera();
    for (const speed of kSpeeds) this.speed.add(new Option(`${speed}×`, speed));
    this.speed.value = 1;
    Object.assign(this.slider, {min: 0, max: kSteps, step: 1});
    this.choice = new ViewChoice(
        figure.querySelector(".choices"), data.choices, data.views, () => this.show());
    this.slider.addEventListener(
        "input", () => this.seek(this.motion.timeAt(this.slider.value / kSteps)));
    this.button.addEventListener("click", () => this.playing ? this.pause() : this.play());
    figure.querySelector(".reset").addEventListener("click", () => this.turnHome());
    this.addTurning();
    this.show();
    figure.hidden = false;
  }

  addTurning() {
    this.svg.addEventListener("pointerdown", (event) => {
      this.svg.setPointerCapture(event.pointerId);
      this.from = [event.clientX, event.clientY];
    });
    this.svg.addEventListener("pointermove", (event) => {
      if (!this.svg.hasPointerCapture(event.pointerId)) return;
      const [x, y] = [event.clientX - this.from[0], event.clientY - this.from[1]];
      this.from = [event.clientX, event.clientY];
      this.turn(-0.008 * x, 0.008 * y);
    });
    const turns = {
      ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, 0.1], ArrowDown: [0, -0.1],
    };
    this.svg.addEventListener("keydown", (event) => {
      if (event.key === "Home") this.turnHome();
      else if (turns[event.key]) this.turn(...turns[event.key]);
      else return;
      event.preventDefault();
    });
  }

  turn(azimuth, elevation) {
    this.camera.turn(azimuth, elevation);
    this.draw();
  }

  turnHome() {
    this.camera.reset();
    this.draw();
  }

  // The motion that is chosen, from its beginning.
  show() {
    this.pause();
    this.motion = new Motion(this.choice.view());
    this.build();
    this.seek(this.motion.timeAt(0));
  }

  // The elements that draw() moves.
  build() {
    const {view, ends} = this.motion;
    this.svg.replaceChildren();
    const add = (name, css) => svgElement(this.svg, name, css);
    this.ground = add("path", "ground");
    this.shadow = add("path", "shadow");
    this.axes = ["x", "y", "z"].map((name) => {
      const text = add("text", "axis");
      text.textContent = name;
      return {line: add("path", "axis"), text};
    });
    this.traces = ends.map((end) => {
      return {end, whole: add("path", "trace whole"), past: add("path", "trace")};
    });
    this.solid = svgElement(this.svg, "g", "robot");
    this.links = view.parents.map(
        (parent) => svgElement(this.solid, "path", parent < 0 ? "link fixed" : "link"));
    this.base = svgElement(this.solid, "path", "base");
    this.joints = view.frames.map((name, i) => this.addJoint(name, view.joints[i]));
    this.scale.textContent = `squares of ${Number(this.motion.square.toPrecision(1))} m`;
    this.readings.replaceChildren();
    this.values = view.joints.map((name) => {
      const [term, value] = [document.createElement("dt"), document.createElement("dd")];
      term.textContent = name;
      this.readings.append(term, value);
      return value;
    });
  }

  // The mark of a frame: of a joint, a square if that slides, or of an end.
  addJoint(frame, joint) {
    const sliding = this.motion.view.units[joint] === "m";
    const mark = sliding
        ? svgElement(this.solid, "rect", "joint", {x: -6, y: -6, width: 12, height: 12})
        : svgElement(this.solid, "circle", joint ? "joint" : "joint end", {r: joint ? 6 : 5});
    svgElement(mark, "title", "").textContent = joint ? `${joint} of ${frame}` : frame;
    return mark;
  }

  seek(t) {
    const [first, last] = [this.motion.timeAt(0), this.motion.timeAt(1)];
    this.t = Math.max(first, Math.min(last, t));
    this.slider.value = last > first ? Math.round(kSteps * (this.t - first) / (last - first)) : 0;
    this.output.textContent = `${this.t.toFixed(2)} s`;
    this.slider.setAttribute("aria-valuetext", this.output.textContent);
    this.draw();
  }

  draw() {
    const {motion} = this;
    const at = motion.place(this.t);
    const pose = motion.points[at.low].map((p, i) => mixed(p, motion.points[at.high][i], at.part));
    const project = this.camera.projection(motion);
    this.drawGround(project, pose);
    for (const {end, whole, past} of this.traces) {
      const way = motion.points.map((instant) => project(instant[end]));
      whole.setAttribute("d", pathOf(way));
      past.setAttribute("d", pathOf([...way.slice(0, at.low + 1), project(pose[end])]));
    }
    this.drawRobot(project, pose);
    this.read(at);
  }

  drawGround(project, pose) {
    const {motion} = this;
    const shadowOf = ([x, y]) => project([x, y, 0]);
    const from = (i) => motion.view.parents[i] < 0 ? [0, 0, 0] : pose[motion.view.parents[i]];
    this.ground.setAttribute("d", motion.grid().map((line) => pathOf(line.map(project))).join(""));
    this.shadow.setAttribute("d", pose.map((p, i) => pathOf([from(i), p].map(shadowOf))).join(""));
    // A base axis has its own coordinates in each axis of the scene.
    this.axes.forEach(({line, text}, i) => {
      const tip = motion.axes.map((axis) => 0.9 * motion.square * axis[i]);
      line.setAttribute("d", pathOf([[0, 0, 0], tip].map(project)));
      const [x, y] = project(scaled(tip, 1.2));
      text.setAttribute("x", x.toFixed(1));
      text.setAttribute("y", (y + 4).toFixed(1));
    });
  }

  // Nearer links cover farther ones, and each joint the links that meet there.
  drawRobot(project, pose) {
    const {parents} = this.motion.view;
    const base = project([0, 0, 0]);
    const places = pose.map(project);
    const depths = places.map((place) => place[2]);
    const layers = [[base[2], this.base]];
    this.base.setAttribute("d", pathOf([[base[0] - 9, base[1]], [base[0] + 9, base[1]]]));
    places.forEach((place, i) => {
      const from = parents[i] < 0 ? base : places[parents[i]];
      const depth = (from[2] + place[2]) / 2;
      depths[i] = Math.max(depths[i], depth);
      if (parents[i] >= 0) depths[parents[i]] = Math.max(depths[parents[i]], depth);
      this.links[i].setAttribute("d", pathOf([from, place]));
      layers.push([depth, this.links[i]]);
    });
    places.forEach(([x, y], i) => {
      this.joints[i].setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
      layers.push([depths[i], this.joints[i]]);
    });
    this.solid.append(...layers.sort((a, b) => a[0] - b[0]).map(([, element]) => element));
  }

  read(at) {
    const {view} = this.motion;
    const q = mixed(view.q[at.low], view.q[at.high], at.part);
    this.values.forEach((value, i) => {
      value.textContent = view.units[view.joints[i]] === "m"
          ? `${q[i].toFixed(3)} m`
          : `${q[i].toFixed(3)} rad, ${(q[i] * 180 / Math.PI).toFixed(1)}°`;
    });
  }

  play() {
    if (this.t >= this.motion.timeAt(1)) this.seek(this.motion.timeAt(0));
    this.playing = true;
    this.button.textContent = "Pause";
    let before = performance.now();
    const step = (now) => {
      // A page that was in the background goes on where it was.
      const passed = Math.max(0, Math.min(0.2, (now - before) / 1000));
      this.seek(this.t + passed * Number(this.speed.value));
      before = now;
      if (this.t >= this.motion.timeAt(1)) this.pause();
      else this.frame = requestAnimationFrame(step);
    };
    this.frame = requestAnimationFrame(step);
  }

  pause() {
    this.playing = false;
    cancelAnimationFrame(this.frame);
    this.button.textContent = "Play";
  }
}

if (document.getElementById("motion-data")) {
  new MotionFigure(document.getElementById("motion-figure"),
                   JSON.parse(document.getElementById("motion-data").textContent));
}
