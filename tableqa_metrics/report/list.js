// The list of questions: filters, search, and only those rows in the page that are seen.
//
// It is a listbox: the focus stays on the list, which is never taken out of the page, and
// `aria-activedescendant` names the row that its keys are on. A row that had the focus
// itself would lose it to nothing whenever it is drawn anew or scrolled out of the page.

const ROW = 68; // pixels; as in the style sheet
const SPARE = 8; // rows kept above and below the seen ones

// Questions are named by their places in the group; `found` is in ascending order.
// `active` is the one that the keys of the list are on; null only where nothing is found.
const state = { group: null, found: [], open: null, active: null };
const shownRows = new Map(); // by place in the list

function fillSelect(select, any, options) {
  select.replaceChildren(el("option", { value: "" }, any), ...options.map(([value, text]) => el("option", { value }, text)));
  // Not every answer has a cause or a rule; all have an outcome, and all questions a facet.
  select.closest("label").hidden = options.length < (["cause", "rule"].includes(select.id) ? 1 : 2);
}

function chooseGroup(group) {
  Object.assign(state, { group, found: [], open: null, active: null });
  const answers = group.questions.flatMap((question) => question.answers.filter(Boolean));
  const seen = (of) => [...new Set(answers.flatMap(of))].filter(Boolean).sort();
  fillSelect(byId("run"), "any model", group.runs.map((label, i) => [String(i), label]));
  const outcomes = new Set(answers.map((answer) => answer.outcome));
  fillSelect(byId("outcome"), "any outcome", Object.keys(OUTCOMES).filter((o) => outcomes.has(o)).map((o) => [o, OUTCOMES[o][1]]));
  const causes = new Set(answers.flatMap((answer) => Object.keys(answer.causes)));
  fillSelect(byId("cause"), "anything", Object.keys(data.causes).filter((c) => causes.has(c)).map((c) => [c, data.causes[c]]));
  fillSelect(byId("rule"), "any rule", seen((answer) => answer.rule).map((rule) => [rule, rule]));
  byId("facets").replaceChildren(...group.facets.map(([name, ...values]) => {
    const select = el("select", { "data-facet": name });
    const label = el("label", {}, name, " ", select);
    fillSelect(select, "any", values.map((value) => [value, value]));
    return label;
  }));
  byId("metrics-split-text").textContent = `${group.main.join(" and ")} disagree`;
  byId("metrics-split").closest("label").hidden = group.main.length < 2;
  byId("runs-split").closest("label").hidden = group.runs.length < 2;
}

let filtering = null; // the timer of filters that are still to be applied

function filterSoon(milliseconds) {
  clearTimeout(filtering);
  filtering = setTimeout(applyFilters, milliseconds);
  byId("list").setAttribute("aria-busy", "true");
}

function applyPendingFilters() {
  if (filtering !== null) applyFilters();
}

function applyFilters() {
  clearTimeout(filtering);
  filtering = null;
  const group = state.group;
  const value = (id) => byId(id).value;
  byId("group").value = group.name; // which a reset does not change
  const run = value("run");
  const facets = [...byId("facets").querySelectorAll("select")].filter((s) => s.value).map((s) => [s.dataset.facet, s.value]);
  const words = value("search").toLowerCase().split(/\s+/).filter(Boolean);
  const metricsSplit = byId("metrics-split").checked;
  const runsSplit = byId("runs-split").checked;
  const fits = (answer) =>
    answer &&
    (!value("outcome") || answer.outcome === value("outcome")) &&
    (!value("cause") || answer.causes[value("cause")] > 0) &&
    (!value("rule") || answer.rule === value("rule")) &&
    (!metricsSplit || answer.split);
  const asked = value("outcome") || value("cause") || value("rule") || metricsSplit || run;
  state.found = group.questions.flatMap((question, i) => {
    if (runsSplit && !question.split) return [];
    if (!facets.every(([name, wanted]) => question.facets.some((f) => f[0] === name && f.includes(wanted, 1)))) return [];
    const answers = run ? [question.answers[Number(run)]] : question.answers;
    if (asked && !answers.some(fits)) return [];
    if (!words.every((word) => haystack(question).includes(word) || contextHaystack(question.context).includes(word))) return [];
    return [i];
  });
  const from = state.open ?? state.active ?? 0;
  state.active = state.found.find((index) => index >= from) ?? state.found.at(-1) ?? null;
  byId("count").textContent = `${state.found.length} of ${group.questions.length} questions`;
  byId("rows").replaceChildren();
  shownRows.clear();
  byId("rows").style.height = `${state.found.length * ROW}px`;
  byId("list").scrollTop = Math.max(0, activePlace() * ROW - byId("list").clientHeight / 2);
  drawRows();
  byId("list").setAttribute("aria-busy", "false");
}

const activePlace = () => (state.active === null ? -1 : state.found.indexOf(state.active));

// Draws the rows that are seen, and the active one, which `aria-activedescendant` names.
function drawRows() {
  const list = byId("list");
  const first = Math.max(0, Math.floor(list.scrollTop / ROW) - SPARE);
  const last = Math.min(state.found.length, Math.ceil((list.scrollTop + list.clientHeight) / ROW) + SPARE);
  const wanted = new Set(Array.from({ length: Math.max(0, last - first) }, (_, i) => first + i));
  if (state.active !== null) wanted.add(activePlace());
  for (const [place, row] of shownRows) {
    if (wanted.has(place)) continue;
    row.remove();
    shownRows.delete(place);
  }
  // Rows stand in the page in the order of the list, for those who read it in that order.
  let next = null;
  for (const place of [...wanted].sort((a, b) => b - a)) {
    if (!shownRows.has(place)) {
      shownRows.set(place, listRow(place));
      byId("rows").insertBefore(shownRows.get(place), next);
    }
    next = shownRows.get(place);
  }
  markRows();
}

// A row is a link, too, so that it can be copied and opened in another tab.
function listRow(place) {
  const { group, found } = state;
  const question = group.questions[found[place]];
  const row = el(
    "a",
    { id: `row-${found[place]}`, role: "option", href: linkTo(group, question), tabindex: "-1", "aria-posinset": place + 1, "aria-setsize": found.length },
    el("span", { class: "ask" }, question.text || question.id),
    el("span", { class: "marks" }, question.answers.map((answer, run) => mark(answer, group.runs[run])), el("span", { class: "name" }, question.id)),
  );
  row.style.top = `${place * ROW}px`;
  return row;
}

function markRows() {
  const { found, open, active } = state;
  for (const [place, row] of shownRows) {
    row.setAttribute("aria-selected", String(found[place] === open));
    row.classList.toggle("active", found[place] === active);
  }
  if (active === null) byId("list").removeAttribute("aria-activedescendant");
  else byId("list").setAttribute("aria-activedescendant", `row-${active}`);
  if (byId("next")) {
    byId("previous").disabled = neighbour(-1) === undefined;
    byId("next").disabled = neighbour(1) === undefined;
  }
}

// The question found before or after the open one, which need not be found itself.
function neighbour(by) {
  const { found, open, active } = state;
  if (open === null) return active ?? undefined;
  return by > 0 ? found.find((index) => index > open) : found.findLast((index) => index < open);
}

function showActive() {
  const list = byId("list");
  const top = activePlace() * ROW;
  if (top >= 0 && top < list.scrollTop) list.scrollTop = top;
  else if (top + ROW > list.scrollTop + list.clientHeight) list.scrollTop = top + ROW - list.clientHeight;
  drawRows();
}
