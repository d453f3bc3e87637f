// Puts the page together.

let data;

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
  const onChoice = ({ target, type }) => {
    if (target.id === "group" && target.value !== state.group.name) {
      chooseGroup(data.groups.find((group) => group.name === target.value));
      applyFilters();
      showNone();
      writeAddressSoon();
    }
    // While words are typed, the search waits for the next letter.
    if (target.id === "search" && type === "input") filterSoon(150);
    else if (target.id !== "search") applyFilters();
    else applyPendingFilters();
  };
  form.addEventListener("input", onChoice);
  form.addEventListener("change", onChoice); // not every choice is an input, as by a driver
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    applyPendingFilters();
  });
  form.addEventListener("reset", () => filterSoon(0)); // once the fields are reset
  const list = byId("list");
  let drawing;
  list.addEventListener("scroll", () => {
    cancelAnimationFrame(drawing);
    drawing = requestAnimationFrame(drawRows);
  });
  // A row that is pressed would take the focus from the list.
  list.addEventListener("focusin", (event) => {
    if (event.target !== list) list.focus({ preventScroll: true });
  });
  list.addEventListener("click", (event) => {
    const row = event.target.closest("[role=option]");
    if (!row || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    openQuestion(Number(row.id.slice("row-".length)), { visit: true, soon: true });
    if (narrow.matches) focusQuestion();
  });
  window.addEventListener("resize", drawRows);
  window.addEventListener("hashchange", followAddress);
  document.addEventListener("keydown", onKey);
  chooseGroup(data.groups[0]);
  applyFilters();
  followAddress();
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
