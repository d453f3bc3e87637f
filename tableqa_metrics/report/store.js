// The data of the page, and what is said about them in words.
//
// Shape: {causes: {cause: title}, contexts: [[block]], groups: [group]}
//   group:    {name, title, runs: [label], metrics: {name: title}, main: [metric],
//              facets: [[name, value…]], questions: [question]}
//   question: {id, text, facets: [[name, value…]], notes: [[name, text]], reference,
//              scale, context: index or null, split: models disagree,
//              answers: [answer or null, one a run], grids: [[row]],
//              readings: {text of a cell: what it is read as by value}}
//   answer:   {outcome, causes: {cause: share}, rule, reason, scores: {metric: score},
//              split: metrics disagree, prediction, scale, response,
//              values: [[text, reading, partner] …] of both sides, official: [text, text],
//              tables: {metric: {grids: [index, index], cells: [rows, rows], transposed}},
//              context: index or null, only where the run was shown another one}
//   cell:     0 or [status, earned, counts, partner's row, partner's column]
//   block:    {table: [row], rows: [index of evidence]} or {text, evidence}; of a proof
//             also {proof: where it stands, of: what it proves}
//
// Texts come from data sets and models: they enter the page as text, never as HTML.

const OUTCOMES = {
  right: ["✓", "right"],
  partly: ["◐", "partly right"],
  wrong: ["✗", "wrong"],
  no_answer: ["∅", "no answer"],
};
// Sign, class, and meaning of what became of a cell, by the start of its status.
const KINDS = [
  ["match", "✓", "match", "matches"],
  ["partial", "≈", "partial", "matches in part"],
  ["other_name", "≈", "partial", "matches under another name"],
  ["wrong", "✗", "wrong", "wrong"],
  ["missing", "−", "missing", "missing in the prediction"],
  ["extra", "+", "extra", "not in the reference"],
];

async function unpack(packed) {
  if (typeof DecompressionStream === "undefined") {
    throw new Error("this browser is too old: it has no DecompressionStream");
  }
  const bytes = Uint8Array.from(atob(packed), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}

function el(tag, attributes, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name === "class") node.className = value ?? "";
    else if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value != null) node.setAttribute(name, value);
  }
  node.append(...children.flat().filter((child) => child != null));
  return node;
}

const byId = (id) => document.getElementById(id);
const unseen = (text) => el("span", { class: "unseen" }, text);
const kindOf = (status) => KINDS.find(([start]) => status.startsWith(start));

function causeTitle(status) {
  const kind = kindOf(status);
  return status === "match" ? "match" : data.causes[status] || (kind ? kind[3] : status);
}

function mark(answer, label) {
  if (!answer) {
    return el("span", { class: "mark absent" }, "–", unseen(` ${label}: not asked. `));
  }
  const [sign, word] = OUTCOMES[answer.outcome];
  return el(
    "span",
    { class: `mark ${answer.outcome}`, title: `${label}: ${word}` },
    el("span", { "aria-hidden": "true" }, sign),
    unseen(` ${label}: ${word}. `),
  );
}

// All texts of a question in lower case, for the search; made when it is first needed.
const haystacks = new WeakMap();
const contextHaystacks = [];

function haystack(question) {
  if (!haystacks.has(question)) {
    const parts = [question.id, question.text, question.reference];
    for (const note of question.notes) parts.push(note[1]);
    for (const answer of question.answers) {
      if (answer) parts.push(answer.response || "", answer.prediction, contextHaystack(answer.context ?? null));
    }
    haystacks.set(question, parts.join("\n").toLowerCase());
  }
  return haystacks.get(question);
}

function contextHaystack(index) {
  if (index === null) return "";
  contextHaystacks[index] ??= data.contexts[index]
    .map((block) => [block.proof, block.text ?? block.table.map((row) => row.join("\t")).join("\n")].join("\n"))
    .join("\n")
    .toLowerCase();
  return contextHaystacks[index];
}

function linkTo(group, question) {
  return `#q/${encodeURIComponent(group.name)}/${encodeURIComponent(question.id)}`;
}

// The group and question that a fragment names, if it names any.
function findLinked(fragment) {
  let parts;
  try {
    parts = fragment.replace(/^#/, "").split("/").map(decodeURIComponent);
  } catch {
    return null;
  }
  const [kind, name, ...rest] = parts;
  const group = data.groups.find((g) => g.name === name);
  if (kind !== "q" || !group) return null;
  const id = rest.join("/");
  const index = group.questions.findIndex((question) => question.id === id);
  return index < 0 ? null : { group, index };
}
