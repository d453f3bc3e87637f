// Two tables side by side, each cell coloured by what a metric made of it.

const BESIDE = 5; // columns of tables that have room beside each other
const LONG = 60; // characters of a cell that would make a high pile in a narrow column
const CELL_KEYS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

function pairOfTables(question, match, label) {
  const hint = el("p", { class: "quiet hint", role: "status" }, "Point at a cell, tap it, or go to it with the arrow keys, to see what it was paired with.");
  const sides = [0, 1].map((side) => table(question, match, side));
  const light = (cell) => {
    for (const old of pair.querySelectorAll(".lit")) old.classList.remove("lit", "here");
    if (!cell) return;
    cell.classList.add("lit", "here");
    hint.textContent = cell.dataset.say ?? `${cell.textContent || "Empty cell"}: does not count.`;
    const { side, partner } = cell.dataset;
    if (!partner) return;
    const other = sides[1 - side].querySelector(`[data-place="${partner}"]`);
    if (other) other.classList.add("lit");
  };
  const lightTarget = (event) => light(event.target.closest("td, th"));
  const lightNext = (event) => {
    const grid = event.target.querySelector("table");
    const step = CELL_KEYS[event.key];
    if (!grid || !step || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const here = grid.querySelector(".here");
    const [i, j] = here ? here.dataset.place.split(",").map((n, axis) => Number(n) + step[axis]) : [0, 0];
    const row = grid.rows[Math.max(0, Math.min(i, grid.rows.length - 1))];
    const cell = row?.cells[Math.max(0, Math.min(j, row.cells.length - 1))];
    if (!cell) return;
    light(cell);
    cell.scrollIntoView({ block: "nearest", inline: "nearest" });
  };
  const [reference, prediction] = sides.map((grid, side) => {
    const title = side ? "Prediction" : "Reference";
    return el("div", {}, el("h5", {}, title), el("div", { class: "wide", tabindex: "0", role: "region", "aria-label": `${title}, ${label}` }, grid));
  });
  const columns = Math.max(...match.grids.map((grid) => question.grids[grid][0]?.length ?? 0));
  const pair = el("div", { class: columns > BESIDE ? "pair stacked" : "pair", onmouseover: lightTarget, onclick: lightTarget, onkeydown: lightNext }, reference, prediction);
  const turned = match.transposed ? el("p", { class: "quiet" }, "The prediction is read with its rows as columns.") : null;
  return [pair, hint, turned].filter(Boolean);
}

function table(question, match, side) {
  const row = (texts, i) =>
    el("tr", {}, texts.map((text, j) => {
      const node = el(i ? "td" : "th", { "data-place": `${i},${j}`, "data-side": side, class: text.length > LONG ? "long" : null, scope: i ? null : "col" }, text);
      paint(node, match.cells[side][i][j], text, question.readings[text]);
      return node;
    }));
  const [header, ...body] = question.grids[match.grids[side]].map(row);
  return el("table", { class: "cells" }, el("thead", {}, header || []), el("tbody", {}, body));
}

function paint(node, cell, text, reading) {
  const kind = cell && kindOf(cell[0]);
  if (!kind) return;
  const [status, earned, counts, ...partner] = cell;
  const [, sign, css, meaning] = kind;
  node.classList.add(css);
  if (!counts) node.classList.add("name");
  node.dataset.status = status;
  const place = partner.length ? `, paired with row ${partner[0]}, column ${partner[1] + 1}` : "";
  const worth = earned > 0 && earned < 1 ? `, worth ${earned}` : "";
  if (partner.length) node.dataset.partner = partner.join(",");
  const read = reading ? ` (read as ${reading})` : "";
  const uncounted = counts ? "" : "; does not count itself";
  node.dataset.say = `${text || "Empty cell"}${read}: ${causeTitle(status).toLowerCase()}${worth}${place}${uncounted}.`;
  node.prepend(el("span", { class: "sign", "aria-hidden": "true" }, sign));
  node.append(unseen(` (${meaning}${worth})`));
}
