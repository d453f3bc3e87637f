"""Writers of tables in the forms that models use, to be read back by `extract_table`."""

from __future__ import annotations

import csv
import html
import io
import json
from collections.abc import Callable, Sequence

from tableqa_metrics import Table


def github(table: Table) -> str:
    return table.to_markdown() + "\n"


def github_aligned(table: Table) -> str:
    rows = [[cell.replace("|", "\\|") for cell in row] for row in _lines(table)]
    widths = [max(3, *(len(row[i]) for row in rows)) for i in range(len(rows[0]))]
    rule = [f":{'-' * (width - 2)}:" for width in widths]
    lines = [
        _padded(row, widths, " | ", "| ", " |") for row in [rows[0], rule, *rows[1:]]
    ]
    return "\n".join(lines)


def github_tight(table: Table) -> str:
    rows = [[cell.replace("|", "\\|") for cell in row] for row in _lines(table)]
    rule = ["---"] * len(table.header)
    return "\n".join("|" + "|".join(row) + "|" for row in [rows[0], rule, *rows[1:]])


def github_bare(table: Table) -> str:
    rows = [[cell.replace("|", "\\|") for cell in row] for row in _lines(table)]
    rule = ["---"] * len(table.header)
    return "\n".join(" | ".join(row) for row in [rows[0], rule, *rows[1:]])


def github_bold(table: Table) -> str:
    """Bold headers, and code in the first column."""
    header = tuple(f"**{cell}**" for cell in table.header)
    rows = tuple((f"`{row[0]}`", *row[1:]) for row in table.rows)
    return Table(header, rows).to_markdown()


def pipes_without_rule(table: Table) -> str:
    lines = github(table).splitlines()
    return "\n".join([lines[0], *lines[2:]])


def tanq(table: Table) -> str:
    return table.serialize()


def tanq_spaced(table: Table) -> str:
    return "\n".join(" | ".join(row) for row in _lines(table))


def mysql(table: Table) -> str:
    return _grid(table, "-", between_rows=False)


def rst(table: Table) -> str:
    return _grid(table, "=", between_rows=True)


def box(table: Table) -> str:
    rows = _lines(table)
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = [_padded(row, widths, " │ ", "│ ", " │") for row in rows]
    top, middle, bottom = (
        start + join.join("─" * (width + 2) for width in widths) + end
        for start, join, end in ("┌┬┐", "├┼┤", "└┴┘")
    )
    return "\n".join([top, lines[0], middle, *lines[1:], bottom])


def psql(table: Table) -> str:
    rows = _lines(table)
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = [_padded(row, widths, " | ", " ", "") for row in rows]
    rule = "+".join("-" * (width + 2) for width in widths)
    return "\n".join([lines[0], rule, *lines[1:], f"({len(table.rows)} rows)"])


def tabs(table: Table) -> str:
    return "\n".join("\t".join(row) for row in _lines(table))


def commas(table: Table) -> str:
    return _csv(table, quoting=csv.QUOTE_MINIMAL, delimiter=",")


def commas_quoted(table: Table) -> str:
    return _csv(table, quoting=csv.QUOTE_ALL, delimiter=",")


def semicolons(table: Table) -> str:
    return _csv(table, quoting=csv.QUOTE_MINIMAL, delimiter=";")


def html_pretty(table: Table) -> str:
    head, *body = [
        "    <tr>\n"
        + "".join(f"      <{tag}>{html.escape(c)}</{tag}>\n" for c in row)
        + "    </tr>\n"
        for tag, row in zip(
            ["th", *["td"] * len(table.rows)], _lines(table), strict=True
        )
    ]
    rows = "".join(body)
    return (
        '<table border="1">\n  <caption>Films &amp; more</caption>\n  <thead>\n'
        f"{head}  </thead>\n  <tbody>\n{rows}  </tbody>\n</table>\n"
    )


def html_unclosed_cells(table: Table) -> str:
    rows = (
        "<tr>" + "".join(f"<td>{html.escape(cell)}" for cell in row)
        for row in _lines(table)
    )
    return "<TABLE>" + "\n".join(rows) + "</TABLE>"


def json_objects(table: Table) -> str:
    return json.dumps(_records(table), indent=2)


def json_objects_wrapped(table: Table) -> str:
    answer = {"reasoning": "They all fit.", "answer": {"table": _records(table)}}
    return json.dumps(answer, ensure_ascii=False)


def json_lines(table: Table) -> str:
    return "\n".join(json.dumps(record) for record in _records(table))


def json_lists(table: Table) -> str:
    return json.dumps(_lines(table), ensure_ascii=False)


def json_split(table: Table) -> str:
    return json.dumps({"columns": table.header, "data": table.rows}, indent=1)


def json_header_rows(table: Table) -> str:
    return json.dumps({"headers": table.header, "rows": _records(table)})


def json_columns(table: Table) -> str:
    columns = zip(*table.rows, strict=True)
    return json.dumps(dict(zip(table.header, map(list, columns), strict=True)))


def python_literal(table: Table) -> str:
    return repr(_records(table))


def python_tuples(table: Table) -> str:
    return repr([tuple(row) for row in _lines(table)])


def json_text(table: Table) -> str:
    return json.dumps({"answer": github(table)})


def latex(table: Table) -> str:
    escape = str.maketrans({c: f"\\{c}" for c in "&%$#_{}"})
    rows = [[cell.translate(escape) for cell in row] for row in _lines(table)]
    head, *body = [" & ".join(row) + r" \\" for row in rows]
    spec = "l" * len(table.header)
    lines = [f"\\begin{{tabular}}{{{spec}}}", r"\toprule", head, r"\midrule", *body]
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"])


def wiki(table: Table) -> str:
    head = "".join(f"! {cell}\n" for cell in table.header)
    rows = ("|-\n| " + " || ".join(row) + "\n" for row in table.rows)
    return '{| class="wikitable"\n|+ Films\n' + head + "".join(rows) + "|}"


def rst_simple(table: Table) -> str:
    rows = _lines(table)
    widths = [max(1, *(len(row[i]) for row in rows)) for i in range(len(rows[0]))]
    rule = "  ".join("=" * max(width, 2) for width in widths)
    head, *body = [_padded(row, _at_least(widths, 2), "  ", "", "") for row in rows]
    return "\n".join([rule, head, rule, *body, rule])


def yaml_list(table: Table) -> str:
    rows = (
        "- " + "\n  ".join(f"{key}: {_yaml(value)}".rstrip() for key, value in record)
        for record in _pairs(table)
    )
    return "\n".join(rows)


def key_values(table: Table) -> str:
    rows = (
        "\n".join(f"**{key}:** {value}".rstrip() for key, value in record)
        for record in _pairs(table)
    )
    return "\n\n".join(rows)


def titled_list(table: Table) -> str:
    rows = (
        f"{i}. **{name}**\n"
        + "\n".join(f"   - {key}: {value}".rstrip() for key, value in record)
        for i, ((_, name), *record) in enumerate(_pairs(table), start=1)
    )
    return "\n".join(rows)


def dataframe(table: Table) -> str:
    rows = json.dumps(table.rows, ensure_ascii=False)
    return f"df = pd.DataFrame({rows}, columns={json.dumps(table.header)})"


Writer = Callable[[Table], str]

FORMS: dict[str, tuple[Writer, str]] = {
    writer.__name__: (writer, rule)
    for writer, rule in (
        (github, "github"),
        (github_aligned, "github"),
        (github_tight, "github"),
        (github_bare, "github"),
        (github_bold, "github"),
        (pipes_without_rule, "pipe_lines"),
        (tanq, "tanq_lines"),
        (tanq_spaced, "tanq_lines"),
        (mysql, "grid"),
        (rst, "grid"),
        (box, "grid"),
        (psql, "grid"),
        (tabs, "tab"),
        (commas, "comma"),
        (commas_quoted, "comma"),
        (semicolons, "semicolon"),
        (html_pretty, "html"),
        (html_unclosed_cells, "html"),
        (json_objects, "json_objects"),
        (json_objects_wrapped, "json_objects"),
        (json_lines, "json_lines"),
        (json_lists, "json_lists"),
        (json_split, "json_split"),
        (json_header_rows, "json_split"),
        (json_columns, "json_columns"),
        (python_literal, "json_objects"),
        (python_tuples, "json_lists"),
        (json_text, "json_text"),
        (latex, "latex"),
        (wiki, "wiki"),
        (rst_simple, "columns"),
        (yaml_list, "key_values"),
        (key_values, "key_values"),
        (titled_list, "titled_list"),
        (dataframe, "json_lists"),
    )
}


def _lines(table: Table) -> list[Sequence[str]]:
    return [table.header, *table.rows]


def _pairs(table: Table) -> list[list[tuple[str, str]]]:
    return [list(zip(table.header, row, strict=True)) for row in table.rows]


def _yaml(value: str) -> str:
    """Quote what YAML takes for something else than text."""
    quoted = "'" + value.replace("'", "''") + "'"
    return quoted if value[:1] in "\"'[{*&!|>%@`#" and value else value


def _at_least(widths: list[int], least: int) -> list[int]:
    return [max(width, least) for width in widths]


def _records(table: Table) -> list[dict[str, str]]:
    return [dict(zip(table.header, row, strict=True)) for row in table.rows]


def _padded(
    row: Sequence[str], widths: Sequence[int], between: str, start: str, end: str
) -> str:
    cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=True)]
    return start + between.join(cells) + end


def _grid(table: Table, under_header: str, *, between_rows: bool) -> str:
    rows = _lines(table)
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    head, *body = [_padded(row, widths, " | ", "| ", " |") for row in rows]

    def border(char: str) -> str:
        return "+" + "+".join(char * (width + 2) for width in widths) + "+"

    lines = [border("-"), head, border(under_header)]
    for i, line in enumerate(body, start=1):
        lines.append(line)
        if between_rows or i == len(body):
            lines.append(border("-"))
    return "\n".join(lines)


def _csv(table: Table, *, quoting: int, delimiter: str) -> str:
    out = io.StringIO()
    writer = csv.writer(out, quoting=quoting, delimiter=delimiter, lineterminator="\n")
    writer.writerows(_lines(table))
    return out.getvalue()
