// The list of questions: filters, search, and only those rows in the page that are seen.

const ROW = 68; // pixels; as in the style sheet
const SPARE = 8; // rows kept above and below the seen ones

const state = { group: null, found: [], open: null };
const shownRows = new Map(); // by place in the list

const choices = ["run", "outcome", "cause", "rule"];

function fillSelect(select, any, options) {
  select.replaceChildren(el("option", { value: "" }, any), ...options.map(([value, text]) => el("option", { value }, text)));
  select.closest("label").hidden = options.length < (select.id === "run" ? 2 : 1);
}

function chooseGroup(group) {
  state.group = group;
  byId("group").value = group.name;
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

function applyFilters() {
  const group = state.group;
  const value = (id) => byId(id).value;
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
  byId("count").textContent = `${state.found.length} of ${group.questions.length} questions`;
  byId("rows").replaceChildren();
  shownRows.clear();
  byId("rows").style.height = `${state.found.length * ROW}px`;
  byId("list").scrollTop = Math.max(0, placeOfOpen() * ROW - byId("list").clientHeight / 2);
  drawRows();
  markOpen();
}

function drawRows() {
  const list = byId("list");
  const first = Math.max(0, Math.floor(list.scrollTop / ROW) - SPARE);
  const last = Math.min(state.found.length, Math.ceil((list.scrollTop + list.clientHeight) / ROW) + SPARE);
  for (const [place, row] of shownRows) {
    if (place < first || place >= last) {
      row.remove();
      shownRows.delete(place);
    }
  }
  // Rows stand in the page in the order of the list, for those who read it in that order.
  for (let place = first; place < last; place++) {
    if (shownRows.has(place)) continue;
    const row = listRow(place);
    shownRows.set(place, row);
    let before = place + 1;
    while (before < last && !shownRows.has(before)) before++;
    byId("rows").insertBefore(row, shownRows.get(before) ?? null);
  }
}

function listRow(place) {
  const { group, found, open } = state;
  const question = group.questions[found[place]];
  const link = el(
    "a",
    { href: linkTo(group, question), tabindex: place === Math.max(0, placeOfOpen()) ? "0" : "-1", "aria-current": found[place] === open ? "true" : null },
    el("span", { class: "ask" }, question.text || question.id),
    el("span", { class: "marks" }, question.answers.map((answer, run) => mark(answer, group.runs[run])), el("span", { class: "name" }, question.id)),
  );
  const row = el("li", { "aria-posinset": place + 1, "aria-setsize": found.length }, link);
  row.style.top = `${place * ROW}px`;
  return row;
}

const placeOfOpen = () => (state.open === null ? -1 : state.found.indexOf(state.open));

function markOpen() {
  const open = placeOfOpen();
  for (const [place, row] of shownRows) {
    const link = row.firstChild;
    if (place === open) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
    link.tabIndex = place === Math.max(0, open) ? 0 : -1;
  }
  const previous = byId("previous");
  if (previous) {
    previous.disabled = open <= 0;
    byId("next").disabled = open < 0 ? state.found.length === 0 : open + 1 >= state.found.length;
  }
}

function scrollToPlace(place) {
  const list = byId("list");
  const top = place * ROW;
  if (top < list.scrollTop) list.scrollTop = top;
  else if (top + ROW > list.scrollTop + list.clientHeight) list.scrollTop = top + ROW - list.clientHeight;
  drawRows();
}

// Opens the question that is so many places further, without a step in the history.
function step(by) {
  goTo(Math.max(0, placeOfOpen() + by));
}

function goTo(place) {
  const index = state.found[place];
  if (index === undefined) return;
  location.replace(linkTo(state.group, state.group.questions[index]));
}
