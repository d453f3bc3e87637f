// The open question: what was asked, the reference, and what each run made of it.

let shownMetric = "value_f1"; // whose pairing of cells is shown

function showQuestion(group, index) {
  const question = group.questions[index];
  const heading = el("h3", { id: "question-heading", tabindex: "-1" }, question.text || question.id);
  const article = byId("question");
  article.setAttribute("aria-labelledby", "question-heading");
  const parts = [
    bar(group, question),
    heading,
    tags(group, question),
    referenceBox(question),
    answersBox(group, question),
    contextBox(question),
  ];
  article.replaceChildren(...parts.filter(Boolean));
}

function bar(group, question) {
  const here = el("a", { href: linkTo(group, question) }, "Link to this question");
  return el(
    "div",
    { class: "bar" },
    el("button", { type: "button", class: "back", onclick: backToList }, "Back to the list"),
    el("button", { type: "button", id: "previous", onclick: () => openNeighbour(-1) }, "Previous"),
    el("button", { type: "button", id: "next", onclick: () => openNeighbour(1) }, "Next"),
    here,
  );
}

// What is the same for all questions says nothing of this one.
function tags(group, question) {
  const telling = new Set(group.facets.filter(([, ...values]) => values.length > 1).map(([name]) => name));
  const items = question.facets.flatMap(([name, ...values]) =>
    telling.has(name) ? values.map((value) => el("li", {}, `${name}: ${value}`)) : [],
  );
  return el("ul", { class: "tags" }, el("li", {}, question.id), items);
}

function referenceBox(question) {
  const facts = [];
  const add = (name, text) => facts.push(el("dt", {}, name), el("dd", {}, text));
  if (question.grids.length === 0) {
    add("Reference", el("strong", {}, question.reference || "not in the file"));
    if (question.scale) add("Scale", question.scale);
  }
  for (const [name, text] of question.notes) add(name, el("code", {}, text));
  return facts.length ? el("div", { class: "box" }, el("dl", { class: "facts" }, facts)) : null;
}

function answersBox(group, question) {
  const tables = question.answers.some((answer) => answer && answer.tables);
  const runs = el("div", { class: tables ? "runs tables" : "runs" });
  const draw = () =>
    runs.replaceChildren(
      ...question.answers.map((answer, run) => answerBox(group, question, answer, run)),
    );
  draw();
  if (!tables) return runs;
  return el("div", {}, metricChoice(group, draw), legend(), runs);
}

function metricChoice(group, draw) {
  const shown = ["value_f1", "rms_f1", "f1"];
  const labels = shown.map((name) => {
    const box = el("input", { type: "radio", name: "metric", value: name });
    box.checked = name === shownMetric;
    box.addEventListener("change", () => {
      shownMetric = name;
      draw();
    });
    return el("label", {}, box, PAIRINGS[name]);
  });
  return el("fieldset", { class: "choice" }, el("legend", {}, "Cells coloured as paired by"), labels);
}

const PAIRINGS = {
  value_f1: "F1 by value",
  rms_f1: "RMS F1, official",
  f1: "Cell F1, recipe",
};

function legend() {
  const kinds = [["match", "match"], ["partial", "partial"], ["wrong", "wrong"], ["missing", "missing"], ["extra", "extra"]];
  return el(
    "ul",
    { class: "legend", "aria-label": "Colours" },
    kinds.map(([status, css]) => {
      const [, sign, , meaning] = kindOf(status);
      return el("li", { class: css }, `${sign} ${meaning}`);
    }),
  );
}

function answerBox(group, question, answer, run) {
  const label = group.runs[run];
  const box = el("section", { class: "box", "aria-label": label }, el("h4", {}, mark(answer, label), " ", label));
  if (!answer) {
    box.append(el("p", { class: "quiet" }, "This run has no answer to the question."));
    return box;
  }
  box.append(verdict(answer));
  const match = answer.tables && (answer.tables[shownMetric] || answer.tables.value_f1);
  if (match) box.append(...pairOfTables(question, match, label));
  else if (answer.values) box.append(pairOfValues(answer));
  else box.append(plainPair(question, answer));
  if (answer.official) {
    const [wanted, given] = answer.official;
    box.append(
      el("p", { class: "quiet" }, "The official scorer compares ", el("code", {}, wanted), " with ", el("code", {}, given), "."),
    );
  }
  box.append(scoresOf(group, answer), rawResponse(answer), ownContext(answer) ?? "");
  return box;
}

function verdict(answer) {
  const causes = Object.entries(answer.causes).sort((a, b) => b[1] - a[1]);
  const parts = causes.map(([cause, share]) => {
    const title = causeTitle(cause).toLowerCase();
    return answer.tables ? `${title} (${(100 * share).toFixed(1)} points)` : title;
  });
  const outcome = OUTCOMES[answer.outcome][1];
  // "wrong sign" says that it is wrong.
  if (!parts.length || !parts[0].startsWith(outcome)) parts.unshift(outcome);
  const said = [];
  if (answer.rule) said.push(`Found by rule ${answer.rule}.`);
  if (answer.scale) said.push(`Scale: ${answer.scale}.`);
  if (answer.reason) said.push(`Reason: ${answer.reason}.`);
  return el(
    "p",
    {},
    el("span", { class: `verdict ${answer.outcome}` }, parts.join("; ")),
    " ",
    el("span", { class: "quiet" }, said.join(" ")),
  );
}

function plainPair(question, answer) {
  const side = (title, text) => el("div", {}, el("h5", {}, title), el("pre", {}, text || "nothing"));
  return el("div", { class: "pair" }, side("Reference", question.reference), side("Prediction", answer.prediction));
}

// The values of both sides, each coloured by whether it has a partner.
function pairOfValues(answer) {
  const side = (title, values, absent) =>
    el(
      "div",
      {},
      el("h5", {}, title),
      el(
        "table",
        { class: "cells", "aria-label": title },
        el("tbody", {}, values.map(([text, reading, partner]) => {
          const status = partner === null ? absent : "match";
          const [, sign, css, meaning] = kindOf(status);
          return el("tr", {}, el("td", { class: css, "data-status": status },
            el("span", { class: "sign", "aria-hidden": "true" }, sign), text,
            unseen(` (${meaning})`),
            el("span", { class: "read" }, `read as ${reading}`)));
        })),
      ),
    );
  const [wanted, given] = answer.values;
  const one = wanted.length === 1 && given.length === 1;
  return el(
    "div",
    { class: "pair narrow" },
    side("Reference", wanted, one ? "wrong" : "missing"),
    side("Prediction", given, one ? "wrong" : "extra"),
  );
}

function scoresOf(group, answer) {
  const items = Object.entries(answer.scores)
    .filter(([, score]) => typeof score === "number")
    .map(([name, score]) => el("li", { title: group.metrics[name] || name }, `${name} `, el("b", {}, String(score))));
  return el("ul", { class: "scores", "aria-label": "Scores" }, items);
}

function rawResponse(answer) {
  if (answer.response === undefined) {
    return el("div", {}, el("p", { class: "quiet" }, "The file holds no raw response. Prediction:"), el("pre", { class: "raw", tabindex: "0" }, answer.prediction || "none"));
  }
  return el(
    "details",
    { open: true },
    el("summary", {}, "Raw response"),
    el("pre", { class: "raw", tabindex: "0" }, answer.response || "(empty)"),
  );
}

function contextBox(question) {
  if (question.context === null) return null;
  const blocks = data.contexts[question.context];
  const title = blocks.some((block) => block.proof) ? "Proofs that the references give" : "Context";
  const box = el("details", { class: "box context" }, el("summary", {}, title), contextBlocks(blocks));
  box.open = window.matchMedia("(min-width: 801px)").matches;
  return box;
}

// What this run was shown, where it is not the context that stands below all answers.
function ownContext(answer) {
  if (answer.context === undefined) return null;
  if (answer.context === null) return el("p", { class: "quiet" }, "This run was asked without a context.");
  return el("details", { class: "context" }, el("summary", {}, "What this run was shown"), contextBlocks(data.contexts[answer.context]));
}

function contextBlocks(blocks) {
  let before = "";
  return blocks.flatMap((block) => {
    const parts = [];
    if (block.proof && block.proof !== before) parts.push(el("h4", {}, block.proof));
    before = block.proof;
    const told = block.of ? el("span", { class: "quiet" }, ` (${block.of})`) : null;
    if (block.text !== undefined) parts.push(contextText(block, told));
    else parts.push(told ? el("p", {}, told) : null, contextTable(block));
    return parts.filter(Boolean);
  });
}

function contextText(block, told) {
  return el("p", { class: block.evidence ? "evidence" : "" },
    block.evidence ? unseen("Evidence: ") : null, el("span", { class: "text" }, block.text), told);
}

function contextTable(block) {
  const marked = new Set(block.rows);
  const rows = block.table.map((row, i) =>
    el("tr", { class: marked.has(i) ? "evidence" : "" }, row.map((cell) => el(i || !cell ? "td" : "th", {}, cell))));
  return el("div", { class: "wide", tabindex: "0", role: "region", "aria-label": "Table" }, el("table", {}, el("tbody", {}, rows)));
}
