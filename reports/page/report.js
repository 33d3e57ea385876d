// Behaviour of a report's page: theme, sorting, charts. Nothing is ever requested from a network.
"use strict";

const root = document.documentElement;

function isDark() {
  const chosen = root.dataset.theme;
  return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

function setUpTheme() {
  const button = document.getElementById("theme");
  const tell = () => { button.textContent = isDark() ? "Light theme" : "Dark theme"; };
  button.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    tell();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", tell);
  button.hidden = false;
  tell();
}

// The key of a cell: its number or its text; null, which goes last, where there is neither.
function sortKey(row, column) {
  const cell = row.cells[column];
  if (cell.dataset.v !== undefined) return Number(cell.dataset.v);
  if (!cell.classList.contains("text") && column > 0) return null;
  return cell.textContent;
}

function compareKeys(a, b, sign) {
  if (a === null || b === null) return (a === null) - (b === null);
  if (typeof a === "number" && typeof b === "number") return sign * (a - b);
  return sign * String(a).localeCompare(String(b), "en", {numeric: true});
}

// A click sorts upwards, another one downwards, a third restores the order of the report.
function setUpSorting(table) {
  const body = table.tBodies[0];
  const original = [...body.rows];
  const headers = [...table.tHead.rows[0].cells];
  headers.forEach((header, column) => {
    header.querySelector("button").addEventListener("click", () => {
      const next = {none: "ascending", ascending: "descending", descending: "none"};
      const order = next[header.getAttribute("aria-sort") || "none"];
      headers.forEach((other) => other.removeAttribute("aria-sort"));
      const rows = [...original];
      if (order !== "none") {
        header.setAttribute("aria-sort", order);
        const sign = order === "ascending" ? 1 : -1;
        rows.sort((a, b) => compareKeys(sortKey(a, column), sortKey(b, column), sign));
      }
      body.append(...rows);
    });
  });
}

// RFC 7396.
function mergePatch(target, patch) {
  if (patch === null || typeof patch !== "object" || Array.isArray(patch)) return patch;
  const merged = target && typeof target === "object" && !Array.isArray(target) ? {...target} : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete merged[key];
    else merged[key] = mergePatch(merged[key], value);
  }
  return merged;
}

// The value with its shared lists put back; see shared_lists.h.
function withLists(value, lists) {
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map((item) => withLists(item, lists));
  if ("$list" in value) return lists[value.$list];
  return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, withLists(item, lists)]));
}

// As many columns as the labels of estimators leave room for.
function legendColumns(width, estimators) {
  const longest = Math.max(...estimators.map((label) => label.length));
  return Math.max(1, Math.min(estimators.length, Math.floor(width / (34 + 6.6 * longest))));
}

function saveSvg(view, name) {
  view.toSVG().then((svg) => {
    const plain = svg.replace(/var\(--chart-\w+, (#[0-9a-f]{6})\)/g, "$1");
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([plain], {type: "image/svg+xml"}));
    link.download = `${name}.svg`;
    link.click();
    URL.revokeObjectURL(link.href);
  });
}

// Selects for the choices of which views have several labels.
class ViewChoice {
  constructor(container, choices, views, changed) {
    this.views = views;
    this.labels = [...views[0].labels];
    choices.forEach((choice, i) => {
      const labels = [...new Set(views.map((view) => view.labels[i]))];
      if (labels.length < 2) return;
      const select = document.createElement("select");
      for (const label of labels) select.add(new Option(label));
      select.addEventListener("change", () => {
        this.labels[i] = select.value;
        changed();
      });
      const label = document.createElement("label");
      label.append(`${choice} `, select);
      container.append(label);
    });
  }

  // The chosen view; where there is none of these labels, one with as many of them as possible.
  view() {
    const agreement = (view) => view.labels.filter((label, i) => label === this.labels[i]).length;
    return this.views.reduce((best, view) => agreement(view) > agreement(best) ? view : best);
  }
}

class ChartFigure {
  constructor(figure, chart, data) {
    this.plot = figure.querySelector(".plot");
    this.chart = chart;
    this.data = data;
    this.choice = new ViewChoice(
        figure.querySelector(".choices"), chart.choices, chart.views, () => this.draw());
    const save = figure.querySelector("button");
    save.hidden = false;
    save.addEventListener("click", () => saveSvg(this.result.view, chart.name));
  }

  async draw() {
    const {lists} = this.data;
    const spec = mergePatch(
        withLists(this.chart.spec, lists), withLists(this.choice.view().patch, lists));
    const columns = legendColumns(this.plot.clientWidth, this.data.estimators);
    spec.width = "container";
    spec.config = mergePatch(this.data.config, {legend: {columns}});
    if (this.result) this.result.finalize();
    this.result = await vegaEmbed(this.plot, spec, {actions: false, renderer: "svg"});
  }
}

async function setUpCharts() {
  const data = JSON.parse(document.getElementById("chart-data").textContent);
  for (const chart of data.charts) {
    await new ChartFigure(document.getElementById(`chart-${chart.name}`), chart, data).draw();
  }
  root.dataset.charts = "drawn";
}

setUpTheme();
document.querySelectorAll("table.sortable").forEach(setUpSorting);
if (window.vegaEmbed && document.getElementById("chart-data")) setUpCharts();
