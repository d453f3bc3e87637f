// Puts the page together: the fragment decides which question is open.

let data;

function openLinked() {
  const linked = findLinked(location.hash);
  const trouble = byId("trouble");
  trouble.hidden = true;
  if (!linked) {
    if (location.hash.startsWith("#q/")) {
      trouble.textContent = "There is no question with the id that the address names.";
      trouble.hidden = false;
    }
    state.open = null;
    byId("browser").classList.remove("open");
    markOpen();
    return;
  }
  const inList = byId("list").contains(document.activeElement);
  if (linked.group !== state.group) {
    chooseGroup(linked.group);
    state.open = linked.index;
    applyFilters();
  }
  state.open = linked.index;
  showQuestion(linked.group, linked.index);
  byId("browser").classList.add("open");
  const place = placeOfOpen();
  if (place >= 0) scrollToPlace(place);
  markOpen();
  const row = shownRows.get(place);
  if (inList && row && row.offsetParent) row.firstChild.focus({ preventScroll: true });
  else {
    byId("question").scrollIntoView({ block: "start" });
    byId("question-heading").focus({ preventScroll: true });
  }
}

function closeQuestion() {
  const place = Math.max(0, placeOfOpen());
  history.replaceState(null, "", "#questions");
  state.open = null;
  byId("browser").classList.remove("open");
  markOpen();
  scrollToPlace(place);
  const row = shownRows.get(place);
  if (row) row.firstChild.focus();
}

function onKey(event) {
  const target = event.target;
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.key === "Escape") {
    if (target.id === "search" && target.value) return;
    event.preventDefault();
    closeQuestion();
    return;
  }
  const typing = target.matches("input[type=search], select, textarea");
  const inList = byId("list").contains(target);
  const moves = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 };
  if (inList && (event.key in moves || event.key === "Home" || event.key === "End")) {
    event.preventDefault();
    const last = state.found.length - 1;
    const place = event.key === "Home" ? 0 : event.key === "End" ? last : Math.min(last, Math.max(0, placeOfOpen() + moves[event.key]));
    goTo(place);
    return;
  }
  if (typing || !byId("letters").checked) return;
  if (event.key === "/") {
    event.preventDefault();
    byId("search").focus();
  } else if (event.key === "j") step(1);
  else if (event.key === "k") step(-1);
}

function chooseTheme() {
  const themes = ["system", "light", "dark"];
  const button = byId("theme");
  button.hidden = false;
  button.addEventListener("click", () => {
    const root = document.documentElement;
    const next = themes[(themes.indexOf(root.dataset.theme || "system") + 1) % themes.length];
    root.dataset.theme = next;
    button.textContent = `Theme: ${next}`;
    followSystem();
  });
  // The style sheet has its dark colours once, under a name that is set here.
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const followSystem = () => {
    const root = document.documentElement;
    if (!root.dataset.theme) root.dataset.theme = "system";
    root.classList.toggle("dark", root.dataset.theme === "dark" || (root.dataset.theme === "system" && dark.matches));
  };
  dark.addEventListener("change", followSystem);
  followSystem();
}

function startBrowser() {
  const select = byId("group");
  select.replaceChildren(...data.groups.map((group) => el("option", { value: group.name }, group.title)));
  byId("group-label").hidden = data.groups.length < 2;
  const form = byId("filters");
  form.hidden = byId("browser").hidden = false;
  let waiting;
  const onChoice = (event) => {
    const chosen = event.target;
    if (chosen.id === "group" && chosen.value !== state.group.name) {
      chooseGroup(data.groups.find((group) => group.name === chosen.value));
      state.open = null;
    }
    clearTimeout(waiting);
    waiting = setTimeout(applyFilters, chosen.id === "search" ? 150 : 0);
  };
  form.addEventListener("input", onChoice);
  form.addEventListener("change", onChoice); // not every choice is an input, as by a driver
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(() => {
    byId("group").value = state.group.name;
    applyFilters();
  }));
  let drawing;
  byId("list").addEventListener("scroll", () => {
    cancelAnimationFrame(drawing);
    drawing = requestAnimationFrame(drawRows);
  });
  window.addEventListener("resize", drawRows);
  window.addEventListener("hashchange", openLinked);
  document.addEventListener("keydown", onKey);
  chooseGroup(data.groups[0]);
  applyFilters();
  openLinked();
}

chooseTheme();
unpack(byId("data").textContent)
  .then((unpacked) => {
    data = unpacked;
    if (data.groups.length) startBrowser();
    document.documentElement.dataset.ready = "true";
  })
  .catch((error) => {
    byId("trouble").textContent = `The questions cannot be shown: ${error.message}`;
    byId("trouble").hidden = false;
    throw error;
  });
