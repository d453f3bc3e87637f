// Which question is open, where the focus is, and what the address says.
//
// A key or click changes the state and the focus at once, and the address after that.
// Were a question opened by the event of a changed address, a key that is pressed before
// the event comes would act on the question before, and the event would take the focus
// from where that key has put it.

const narrow = window.matchMedia("(max-width: 800px)"); // list or question, not both
let address = ""; // the fragment as last written or followed
let writing; // the timer of an address that is still to be written
let drawing = null; // the frame in which the open question is to be drawn

// `soon` is for keys that may be held down: of all questions that they open before the
// next frame only the last is drawn.
function showOpen(index, { soon = false } = {}) {
  state.open = state.active = index;
  byId("trouble").hidden = true;
  byId("browser").classList.add("open");
  if (soon) {
    cancelAnimationFrame(drawing);
    drawing = requestAnimationFrame(() => {
      drawOpen();
      showTop();
    });
  } else drawOpen();
  showActive();
}

function drawOpen() {
  cancelAnimationFrame(drawing);
  drawing = null;
  showQuestion(state.group, state.open);
  markRows();
}

// The question before may have been read to its end.
function showTop() {
  const { top } = byId("question").getBoundingClientRect();
  if (top < 0 || top > window.innerHeight) byId("question").scrollIntoView({ block: "start" });
}

function showNone() {
  cancelAnimationFrame(drawing);
  drawing = null;
  state.open = null;
  byId("browser").classList.remove("open");
  byId("question").replaceChildren(el("p", { class: "quiet" }, "Choose a question."));
  showActive();
}

function focusQuestion() {
  if (drawing !== null) drawOpen();
  byId("question").scrollIntoView({ block: "start" });
  byId("question-heading").focus({ preventScroll: true });
}

// Opens a question because the reader asked for it. `visit` makes it a step in the
// history, as does the first question that is opened. `soon`: see `showOpen`.
function openQuestion(index, { visit = false, soon = false } = {}) {
  if (index === state.open) return;
  const step = visit || state.open === null;
  if (step) writeAddress();
  showOpen(index, { soon });
  if (step) writeAddress({ step });
  else writeAddressSoon();
}

// For the buttons and letters, which work wherever the focus is.
function openNeighbour(by) {
  const index = neighbour(by);
  if (index === undefined) return;
  const from = document.activeElement;
  if (from === byId("list") && !narrow.matches) {
    openQuestion(index, { soon: true });
    return;
  }
  openQuestion(index);
  if (from.matches("#previous, #next") && !byId(from.id).disabled) byId(from.id).focus();
  else focusQuestion();
}

function moveInList(place) {
  const index = state.found[Math.max(0, Math.min(place, state.found.length - 1))];
  if (index === undefined) return;
  if (narrow.matches) {
    state.active = index;
    showActive();
  } else openQuestion(index, { soon: true });
}

function enterActive() {
  if (state.active === null) return;
  openQuestion(state.active, { visit: true });
  focusQuestion();
}

function backToList() {
  if (narrow.matches && state.open !== null) {
    showNone();
    writeAddressSoon();
  }
  byId("list").focus();
}

// Browsers refuse to change the address some hundred times in a few seconds, as a key that
// is held down would.
function writeAddressSoon() {
  clearTimeout(writing);
  writing = setTimeout(writeAddress, 200);
}

function writeAddress({ step = false } = {}) {
  clearTimeout(writing);
  const { group, open } = state;
  const wanted = open === null ? "#questions" : linkTo(group, group.questions[open]);
  if (wanted === address || (open === null && !address.startsWith("#q/"))) return;
  if (step) history.pushState(null, "", wanted);
  else history.replaceState(null, "", wanted);
  address = location.hash;
}

function followAddress() {
  address = location.hash;
  const linked = findLinked(address);
  const from = document.activeElement;
  byId("trouble").hidden = true;
  if (linked) {
    if (linked.group !== state.group) {
      chooseGroup(linked.group);
      applyFilters();
    }
    if (linked.index !== state.open) showOpen(linked.index);
    if (!isUsable(from)) focusQuestion();
  } else if (address.startsWith("#q/") || ["", "#questions"].includes(address)) {
    if (address.startsWith("#q/")) {
      byId("trouble").textContent = "There is no question with the id that the address names.";
      byId("trouble").hidden = false;
    }
    if (state.open === null) return;
    showNone();
    if (!isUsable(from)) byId("list").focus();
  }
}

// Whether the focus can stay where it is when another question is opened or closed.
function isUsable(focused) {
  return (focused === byId("list") || byId("filters").contains(focused)) && focused.offsetParent !== null;
}

function onKey(event) {
  const { key, target } = event;
  if (key === "Tab" && drawing !== null) drawOpen(); // what it goes to must be there
  if (event.defaultPrevented || event.isComposing) return;
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  const act = (target === byId("list") && !event.shiftKey && LIST_KEYS[key]) || keyAnywhere(event);
  if (!act) return;
  event.preventDefault();
  act();
}

const page = () => Math.max(1, Math.floor(byId("list").clientHeight / ROW) - 1);
const LIST_KEYS = {
  ArrowDown: () => moveInList(activePlace() + 1),
  ArrowUp: () => moveInList(activePlace() - 1),
  PageDown: () => moveInList(activePlace() + page()),
  PageUp: () => moveInList(activePlace() - page()),
  Home: () => moveInList(0),
  End: () => moveInList(state.found.length - 1),
  Enter: enterActive,
  " ": enterActive,
};

function keyAnywhere({ key, target, shiftKey }) {
  const search = byId("search");
  if (key === "Escape") {
    if (target === search && search.value) return clearSearch;
    const here = target === search || byId("question").contains(target) || (target === document.body && state.open !== null);
    return here ? backToList : null;
  }
  if (target.matches("input[type=search], select, textarea") || !byId("letters").checked) return null;
  if (key === "/") return startSearch;
  if (key === "j" && !shiftKey) return () => openNeighbour(1);
  if (key === "k" && !shiftKey) return () => openNeighbour(-1);
  return null;
}

function startSearch() {
  byId("search").focus();
  byId("search").select();
}

function clearSearch() {
  byId("search").value = "";
  applyFilters();
}
