"""Tables in the styles of many models, and lines with pipes that are none.

What is expected was written before the code ran. Most responses hold one table of two
films, `FILMS`.
"""

from __future__ import annotations

import json

import pytest
from hypothesis import given, strategies as st

from tableqa_metrics import find_table


FILMS = (
    ("entity", "year", "composer"),
    (("High Anxiety", "1977", "John Morris"), ("Rent", "2005", "Jonathan Larson")),
)
TWO_COLUMNS = (FILMS[0][:2], tuple(row[:2] for row in FILMS[1]))
RESPONSES = [
    (
        "Sure! Here's the table you asked for:\n\n| entity | year | composer |\n| --- | --- | --- |\n| High Anxiety | 1977 | John Morris |\n| Rent | 2005 | Jonathan Larson |\n\nLet me know if you need anything else!",
        FILMS,
    ),
    (
        "## Answer\n\n| entity | year | composer |\n| --- | --- | --- |\n| High Anxiety | 1977 | John Morris |\n| Rent | 2005 | Jonathan Larson |\n\n**Note:** Rent was a musical first | then a film.",
        FILMS,
    ),
    (
        "```markdown\n| entity | year | composer |\n| --- | --- | --- |\n| High Anxiety | 1977 | John Morris |\n| Rent | 2005 | Jonathan Larson |\n```\n\n**Sources**\n\n| Source | URL |\n|---|---|\n| Wikipedia | https://en.wikipedia.org |",
        FILMS,
    ),
    (
        "Step 1: candidate films\n\n| film | year |\n|---|---|\n| A | 1 |\n| B | 2 |\n| C | 3 |\n\nStep 2: final\n\n| entity | year | composer |\n| --- | --- | --- |\n| High Anxiety | 1977 | John Morris |\n| Rent | 2005 | Jonathan Larson |",
        FILMS,
    ),
    (
        "> | entity | year | composer |\n> | --- | --- | --- |\n> | High Anxiety | 1977 | John Morris |\n> | Rent | 2005 | Jonathan Larson |",
        FILMS,
    ),
    (
        "> Answer:\n> \n> | entity | year | composer |\n> | --- | --- | --- |\n> | High Anxiety | 1977 | John Morris |\n> | Rent | 2005 | Jonathan Larson |",
        FILMS,
    ),
    (
        "- Result:\n\n  | entity | year | composer |\n  | --- | --- | --- |\n  | High Anxiety | 1977 | John Morris |\n  | Rent | 2005 | Jonathan Larson |",
        FILMS,
    ),
    (
        "1. Here is the table:\n\n   | entity | year | composer |\n   | --- | --- | --- |\n   | High Anxiety | 1977 | John Morris |\n   | Rent | 2005 | Jonathan Larson |",
        FILMS,
    ),
    (
        "entity | year | composer\n--- | --- | ---\nHigh Anxiety | 1977 | John Morris\nRent | 2005 | Jonathan Larson",
        FILMS,
    ),
    (
        "| entity | year | composer |\n| :---: | :---: | :---: |\n| High Anxiety | 1977 | John Morris |\n| Rent | 2005 | Jonathan Larson |",
        FILMS,
    ),
    (
        "| entity | year | composer |\n| ---: | ---: | ---: |\n| High Anxiety | 1977 | John Morris |\n| Rent | 2005 | Jonathan Larson |",
        FILMS,
    ),
    (
        "| entity | year | composer |\n| :- | :- | :- |\n| High Anxiety | 1977 | John Morris |\n| Rent | 2005 | Jonathan Larson |",
        FILMS,
    ),
    (
        "|entity|year|composer|\n|-|-|-|\n|High Anxiety|1977|John Morris|\n|Rent|2005|Jonathan Larson|",
        FILMS,
    ),
    (
        "| entity | year | composer |\n| --- | --- | --- |\n|  **High Anxiety** | 1977 | John Morris |\n| Rent | 2005 | Jonathan Larson |",
        FILMS,
    ),
    (
        "| entity | year | composer |\n| --- | --- | --- |\n| [High Anxiety](https://en.wikipedia.org/wiki/High_Anxiety) | 1977 | John Morris |\n| Rent | 2005 | Jonathan Larson |",
        FILMS,
    ),
    (
        "| entity | year | composer |\n| --- | --- | --- |\n| *High Anxiety* | 1977 | John Morris |\n| _Rent_ | 2005 | Jonathan Larson |",
        FILMS,
    ),
    (
        "| entity | year | composer |\n| --- | --- | --- |\n| High Anxiety | 1977 | John Morris[^1] |\n| Rent | 2005 | Jonathan Larson |\n\n[^1]: Wikipedia",
        FILMS,
    ),
    (
        "| entity | year | composer |\n| --- | --- | --- |\n| High Anxiety | 1977 | John \\| Morris |\n| Rent | 2005 | Jonathan Larson |",
        (
            ("entity", "year", "composer"),
            (
                ("High Anxiety", "1977", "John | Morris"),
                ("Rent", "2005", "Jonathan Larson"),
            ),
        ),
    ),
    (
        "| entity | year | composer |\n| --- | --- | --- |\n| High Anxiety | 1977 | John Morris<br>Mel Brooks |\n| Rent | 2005 | Jonathan Larson |",
        (
            ("entity", "year", "composer"),
            (
                ("High Anxiety", "1977", "John Morris, Mel Brooks"),
                ("Rent", "2005", "Jonathan Larson"),
            ),
        ),
    ),
    (
        "| entity | year | composer |\n| --- | --- | --- |\n| High Anxiety | 1977 | John&nbsp;Morris |\n| Rent | 2005 | Jonathan Larson |",
        FILMS,
    ),
    (
        "| entity | year | composer |\n| --- | --- | --- |\n| High Anxiety | 1977 | John Morris &amp; Co |\n| Rent | 2005 | Jonathan Larson |",
        (
            ("entity", "year", "composer"),
            (
                ("High Anxiety", "1977", "John Morris & Co"),
                ("Rent", "2005", "Jonathan Larson"),
            ),
        ),
    ),
    (
        "| entity | year | composer |\n| --- | --- | --- |\n| High Anxiety | 1977 | John Morris |\n| Rent | 2005 | Jonathan Larson |\n| Total | 2 | |",
        (
            ("entity", "year", "composer"),
            (
                ("High Anxiety", "1977", "John Morris"),
                ("Rent", "2005", "Jonathan Larson"),
                ("Total", "2", ""),
            ),
        ),
    ),
    (
        "<think>\n| entity | year | composer |\n| --- | --- | --- |\n| High Anxiety | 1977 | John Morris |\n</think>\n| entity | year | composer |\n| --- | --- | --- |\n| High Anxiety | 1977 | John Morris |\n| Rent | 2005 | Jonathan Larson |",
        FILMS,
    ),
    (
        "<table border=\"1\" class=\"dataframe\">\n<thead><tr style=\"text-align: right;\"><th>entity</th><th>year</th><th>composer</th></tr></thead>\n<tbody><tr><td align='left'>High Anxiety</td><td align='left'>1977</td><td align='left'>John Morris</td></tr><tr><td align='left'>Rent</td><td align='left'>2005</td><td align='left'>Jonathan Larson</td></tr></tbody></table>",
        FILMS,
    ),
    (
        "```html\n<table><tr><th>entity</th><th>year</th><th>composer</th></tr><tr><td><b>High Anxiety</b></td><td><b>1977</b></td><td><b>John Morris</b></td></tr><tr><td><b>Rent</b></td><td><b>2005</b></td><td><b>Jonathan Larson</b></td></tr></table>\n```",
        FILMS,
    ),
    (
        "```csv\nentity,year,composer\nHigh Anxiety,1977,John Morris\nRent,2005,Jonathan Larson\n```",
        FILMS,
    ),
    (
        "entity,year,composer\nHigh Anxiety,1977,John Morris\nRent,2005,Jonathan Larson",
        FILMS,
    ),
    (
        "Here is the CSV:\n\nentity,year,composer\nHigh Anxiety,1977,John Morris\nRent,2005,Jonathan Larson\n\nHope this helps.",
        FILMS,
    ),
    (
        '```\nentity,year,composer\nHigh Anxiety,1977,"Morris, John"\nRent,2005,Jonathan Larson\n```',
        (
            ("entity", "year", "composer"),
            (
                ("High Anxiety", "1977", "Morris, John"),
                ("Rent", "2005", "Jonathan Larson"),
            ),
        ),
    ),
    (
        "```tsv\nentity\tyear\tcomposer\nHigh Anxiety\t1977\tJohn Morris\nRent\t2005\tJonathan Larson\n```",
        FILMS,
    ),
    (
        "entity\tyear\tcomposer\nHigh Anxiety\t1977\tJohn Morris\nRent\t2005\tJonathan Larson",
        FILMS,
    ),
    (
        "entity; year; composer\nHigh Anxiety; 1977; John Morris\nRent; 2005; Jonathan Larson",
        FILMS,
    ),
    (
        "entity|year|composer\nHigh Anxiety|1977|John Morris\nRent|2005|Jonathan Larson",
        FILMS,
    ),
    (
        "Answer:\nentity|year|composer\nHigh Anxiety|1977|John Morris\nRent|2005|Jonathan Larson",
        FILMS,
    ),
    (
        "```\nentity|year|composer\nHigh Anxiety|1977|John Morris\nRent|2005|Jonathan Larson\n```",
        FILMS,
    ),
    (
        "entity | year | composer\nHigh Anxiety | 1977 | John Morris\nRent | 2005 | Jonathan Larson",
        FILMS,
    ),
    (
        '[{"entity":"High Anxiety","year":1977,"composer":"John Morris"},{"entity":"Rent","year":2005,"composer":"Jonathan Larson"}]',
        FILMS,
    ),
    (
        '```json\n{"table": [{"entity":"High Anxiety","year":1977,"composer":"John Morris"},{"entity":"Rent","year":2005,"composer":"Jonathan Larson"}], "explanation":"x"}\n```',
        FILMS,
    ),
    (
        '{"columns":["entity","year","composer"],"rows":[["High Anxiety",1977,"John Morris"],["Rent",2005,"Jonathan Larson"]]}',
        FILMS,
    ),
    (
        '{"name":"return_table","arguments":{"header":["entity","year","composer"],"rows":[["High Anxiety","1977","John Morris"],["Rent","2005","Jonathan Larson"]]}}',
        FILMS,
    ),
    (
        '<tool_call>{"name":"return_table","arguments":"{\\"columns\\":[\\"entity\\",\\"year\\",\\"composer\\"],\\"data\\":[[\\"High Anxiety\\",1977,\\"John Morris\\"],[\\"Rent\\",2005,\\"Jonathan Larson\\"]]}"}</tool_call>',
        FILMS,
    ),
    (
        '{"entity":["High Anxiety","Rent"],"year":[1977,2005],"composer":["John Morris","Jonathan Larson"]}',
        FILMS,
    ),
    (
        "- entity: High Anxiety\n  year: 1977\n  composer: John Morris\n- entity: Rent\n  year: 2005\n  composer: Jonathan Larson",
        FILMS,
    ),
    (
        "Here are the films.\n\n```yaml\n- entity: High Anxiety\n  year: 1977\n  composer: John Morris\n- entity: Rent\n  year: 2005\n  composer: Jonathan Larson\n```",
        FILMS,
    ),
    (
        "**Entity:** High Anxiety\n**Year:** 1977\n**Composer:** John Morris\n\n**Entity:** Rent\n**Year:** 2005\n**Composer:** Jonathan Larson",
        (
            ("Entity", "Year", "Composer"),
            (
                ("High Anxiety", "1977", "John Morris"),
                ("Rent", "2005", "Jonathan Larson"),
            ),
        ),
    ),
    (
        "### High Anxiety\n- **Year**: 1977\n- **Composer**: John Morris\n\n### Rent\n- **Year**: 2005\n- **Composer**: Jonathan Larson",
        (
            ("entity", "Year", "Composer"),
            (
                ("High Anxiety", "1977", "John Morris"),
                ("Rent", "2005", "Jonathan Larson"),
            ),
        ),
    ),
    (
        "1. **High Anxiety**\n   - Year: 1977\n   - Composer: John Morris\n2. **Rent**\n   - Year: 2005\n   - Composer: Jonathan Larson",
        (
            ("entity", "Year", "Composer"),
            (
                ("High Anxiety", "1977", "John Morris"),
                ("Rent", "2005", "Jonathan Larson"),
            ),
        ),
    ),
    (
        "| entity | year | composer |\n| --- | --- | --- |\n| High Anxiety | 1977 | John Morris |\n| Rent | 2005 | Jonathan Larson |\n| Annie | 19",
        FILMS,
    ),
    (
        "| entity | year | composer |\n| --- | --- | --- |\n| High Anxiety | 1977 | John Morris |\n| Rent | 2005 | Jonathan Larson |\n|",
        FILMS,
    ),
    (
        "| entity | year | composer |\n| --- | --- | --- |\n| High Anxiety | 1977 | John Morris |\n| Rent | 2005 | Jonathan Larson |\n| Annie | 1982 |",
        (
            ("entity", "year", "composer"),
            (
                ("High Anxiety", "1977", "John Morris"),
                ("Rent", "2005", "Jonathan Larson"),
                ("Annie", "1982"),
            ),
        ),
    ),
    (
        "\\begin{tabular}{lll}\nentity & year & composer \\\\ \\hline\nHigh Anxiety & 1977 & John Morris \\\\\nRent & 2005 & Jonathan Larson \\\\\n\\end{tabular}",
        FILMS,
    ),
    (
        "```latex\n\\begin{table}[h]\n\\centering\n\\begin{tabular}{|l|l|l|}\n\\hline\nentity & year & composer \\\\\n\\hline\nHigh Anxiety & 1977 & John Morris \\\\\n\\hline\nRent & 2005 & Jonathan Larson \\\\\n\\hline\n\\end{tabular}\n\\caption{Films}\n\\end{table}\n```",
        FILMS,
    ),
    (
        "+--------------+------+-----------------+\n| entity       | year | composer        |\n+==============+======+=================+\n| High Anxiety | 1977 | John Morris     |\n+--------------+------+-----------------+\n| Rent         | 2005 | Jonathan Larson |\n+--------------+------+-----------------+",
        FILMS,
    ),
    (
        '{| class="wikitable"\n! entity !! year !! composer\n|-\n| High Anxiety || 1977 || John Morris\n|-\n| [[Rent (film)|Rent]] || 2005 || Jonathan Larson\n|}',
        FILMS,
    ),
    (
        "entity        year  composer\nHigh Anxiety  1977  John Morris\nRent          2005  Jonathan Larson",
        FILMS,
    ),
    (
        "| # | entity | year | composer |\n|---|---|---|---|\n| 1 | High Anxiety | 1977 | John Morris |\n| 2 | Rent | 2005 | Jonathan Larson |",
        FILMS,
    ),
    ("I cannot find this information.", None),
    ("I could not find any film that fits; the list is empty.", None),
    ("Unfortunately, there's no data on this, so no table can be given.", None),
    (
        "The films are High Anxiety (1977) by John Morris and Rent (2005) by Jonathan Larson.",
        None,
    ),
    ("Use `cat a.txt | grep x | wc -l` to count.", None),
    ("```bash\ncat a | grep b | sort\nls | wc -l\n```", None),
    ("cat films.txt | grep 1977\ncat films.txt | wc -l", None),
    ("$ ps aux | grep python\n$ ls -l | sort -k5", None),
    ("P(A|B) = P(A,B)/P(B)\nP(B|A) = P(A,B)/P(A)", None),
    ("Let |x| be the norm.\nThen |x| + |y| >= |x+y|.", None),
    ("We have f(x) = |x - 1|\nand g(x) = |x + 1|.\nSo h = f + g.", None),
    ("The set is {x | x > 0}.\nThe other is {y | y < 0}.\nTheir union is R.", None),
    ("Options: yes | no | maybe", None),
    ("Usage: prog [-a | -b] file\n       prog [-c | -d] file", None),
    ("def f(x: int | None) -> str | None:\n    return x | y", None),
    ("a = b | c\nd = e | f\ng = h | i", None),
    (
        "entity | year | composer\n--- | --- | ---\nHigh Anxiety | 1977 | John Morris\nRent | 2005 | Jonathan Larson\n\nBoth films | are musicals.",
        FILMS,
    ),
    (
        "**entity** | **year** | **composer**\n:-- | :-: | --:\nHigh Anxiety | 1977 | John Morris\nRent | 2005 | Jonathan Larson",
        FILMS,
    ),
    (
        "| entity | year | composer |\r\n| --- | --- | --- |\r\n| High Anxiety | 1977 | John Morris |\r\n| Rent | 2005 | Jonathan Larson |",
        FILMS,
    ),
    (
        "| entity | year | composer |\n\n| --- | --- | --- |\n\n| High Anxiety | 1977 | John Morris |\n\n| Rent | 2005 | Jonathan Larson |",
        FILMS,
    ),
    (
        "\ufeff| entity | year | composer |\n| --- | --- | --- |\n| High Anxiety | 1977 | John Morris |\n| Rent | 2005 | Jonathan Larson |",
        FILMS,
    ),
    (
        "｜ entity ｜ year ｜ composer ｜\n｜ --- ｜ --- ｜ --- ｜\n｜ High Anxiety ｜ 1977 ｜ John Morris ｜\n｜ Rent ｜ 2005 ｜ Jonathan Larson ｜",
        FILMS,
    ),
    (
        "| entity | year | composer |\n| — | — | — |\n| High Anxiety | 1977 | John Morris |\n| Rent | 2005 | Jonathan Larson |",
        FILMS,
    ),
    (
        "Final Answer: | entity | year | composer |\n| --- | --- | --- |\n| High Anxiety | 1977 | John Morris |\n| Rent | 2005 | Jonathan Larson |",
        FILMS,
    ),
    (
        "**Answer:**| entity | year | composer |\n| --- | --- | --- |\n| High Anxiety | 1977 | John Morris |\n| Rent | 2005 | Jonathan Larson |",
        FILMS,
    ),
    (
        "<answer>| entity | year | composer |\n| --- | --- | --- |\n| High Anxiety | 1977 | John Morris |\n| Rent | 2005 | Jonathan Larson |</answer>",
        FILMS,
    ),
    (
        "<answer>\n| entity | year | composer |\n| --- | --- | --- |\n| High Anxiety | 1977 | John Morris |\n| Rent | 2005 | Jonathan Larson |\n</answer>",
        FILMS,
    ),
    (
        '"| entity | year | composer |\\n| --- | --- | --- |\\n| High Anxiety | 1977 | John Morris |\\n| Rent | 2005 | Jonathan Larson |"',
        FILMS,
    ),
    (
        "| entity | year | composer |\\n| --- | --- | --- |\\n| High Anxiety | 1977 | John Morris |\\n| Rent | 2005 | Jonathan Larson |",
        FILMS,
    ),
    (
        "Here is a draft:\n\n| entity | year | composer |\n| --- | --- | --- |\n| High Anxiety | 1977 | John Morris |\n\nWait, I missed one. Corrected:\n\n| entity | year | composer |\n| --- | --- | --- |\n| High Anxiety | 1977 | John Morris |\n| Rent | 2005 | Jonathan Larson |",
        FILMS,
    ),
    (
        "| entity | year | composer |\n| --- | --- | --- |\n| High Anxiety | 1977 | John Morris |\n| Rent | 2005 | Jonathan Larson |\n\nFor reference, the same in CSV:\n\n```csv\nentity,year,composer\nHigh Anxiety,1977,John Morris\nRent,2005,Jonathan Larson\n```",
        FILMS,
    ),
    (
        "| entity | year | composer |\n| --- | --- | --- |\n| High Anxiety | 1977 | John Morris |\n| Rent | 2005 | Jonathan Larson |\n\n| Legend | Meaning |\n|---|---|\n| – | unknown |",
        FILMS,
    ),
    (
        "\\boxed{\n| entity | year | composer |\n| --- | --- | --- |\n| High Anxiety | 1977 | John Morris |\n| Rent | 2005 | Jonathan Larson |\n}",
        FILMS,
    ),
    (
        "$$\n| entity | year | composer |\n| --- | --- | --- |\n| High Anxiety | 1977 | John Morris |\n| Rent | 2005 | Jonathan Larson |\n$$",
        FILMS,
    ),
    (
        "```python\nimport pandas as pd\ndf = pd.DataFrame([['High Anxiety', 1977, 'John Morris'], ['Rent', 2005, 'Jonathan Larson']], columns=['entity', 'year', 'composer'])\n```",
        FILMS,
    ),
    (
        "```python\ndf = pd.DataFrame({'entity': ['High Anxiety', 'Rent'], 'year': [1977, 2005], 'composer': ['John Morris', 'Jonathan Larson']})\n```",
        FILMS,
    ),
    (
        "Here are the results:\nentity: High Anxiety\nyear: 1977\ncomposer: John Morris\n\nentity: Rent\nyear: 2005\ncomposer: Jonathan Larson",
        FILMS,
    ),
    (
        "Here they are:\n- name: High Anxiety\n  year: 1977\n- name: Rent\n  year: 2005",
        (("name", "year"), (("High Anxiety", "1977"), ("Rent", "2005"))),
    ),
    (
        "The films that match are these:\n\n- film: High Anxiety\n  year: 1977\n- film: Rent\n  year: 2005",
        (("film", "year"), (("High Anxiety", "1977"), ("Rent", "2005"))),
    ),
    (
        "| entity | year | composer |\n| High Anxiety | 1977 | John Morris |\n| Rent | 2005 | Jonathan Larson |",
        FILMS,
    ),
    (
        "║ entity ║ year ║ composer ║\n║ High Anxiety ║ 1977 ║ John Morris ║\n║ Rent ║ 2005 ║ Jonathan Larson ║",
        FILMS,
    ),
    (
        "Table 1: Films\n\n| entity | year | composer |\n| --- | --- | --- |\n| High Anxiety | 1977 | John Morris |\n| Rent | 2005 | Jonathan Larson |\n\nTable 2: Composers\n\n| composer | born |\n|---|---|\n| John Morris | 1926 |",
        FILMS,
    ),
    (
        "| entity | year | composer |\n|:---|:---:|---:|\n| High Anxiety | 1977 | John Morris |\n| Rent | 2005 | Jonathan Larson |\n\n*Table: films.*",
        FILMS,
    ),
    (
        "* | entity | year | composer |\n  |---|---|---|\n  | High Anxiety | 1977 | John Morris |\n  | Rent | 2005 | Jonathan Larson |",
        FILMS,
    ),
    (
        "Sure:\n    | entity | year | composer |\n    |---|---|---|\n    | High Anxiety | 1977 | John Morris |\n    | Rent | 2005 | Jonathan Larson |",
        FILMS,
    ),
    (
        "~~~\n| entity | year | composer |\n| --- | --- | --- |\n| High Anxiety | 1977 | John Morris |\n| Rent | 2005 | Jonathan Larson |\n~~~",
        FILMS,
    ),
    (
        "````\n```\n| entity | year | composer |\n| --- | --- | --- |\n| High Anxiety | 1977 | John Morris |\n| Rent | 2005 | Jonathan Larson |\n```\n````",
        FILMS,
    ),
    (
        "<details><summary>Table</summary>\n\n| entity | year | composer |\n| --- | --- | --- |\n| High Anxiety | 1977 | John Morris |\n| Rent | 2005 | Jonathan Larson |\n\n</details>",
        FILMS,
    ),
    (
        "<films><film><entity>High Anxiety</entity><year>1977</year><composer>John Morris</composer></film><film><entity>Rent</entity><year>2005</year><composer>Jonathan Larson</composer></film></films>",
        FILMS,
    ),
    (
        '{"entity":"High Anxiety","year":1977,"composer":"John Morris"}\n{"entity":"Rent","year":2005,"composer":"Jonathan Larson"}',
        FILMS,
    ),
    (
        '{"answer": "| entity | year | composer |\\n| --- | --- | --- |\\n| High Anxiety | 1977 | John Morris |\\n| Rent | 2005 | Jonathan Larson |"}',
        FILMS,
    ),
    (
        '{"High Anxiety": {"year": 1977, "composer": "John Morris"}, "Rent": {"year": 2005, "composer": "Jonathan Larson"}}',
        FILMS,
    ),
    (
        '[["entity","year","composer"],["High Anxiety",1977,"John Morris"],["Rent",2005,"Jonathan Larson"]]',
        FILMS,
    ),
    (
        "[Table]\n| entity | year | composer |\n| --- | --- | --- |\n| High Anxiety | 1977 | John Morris |\n| Rent | 2005 | Jonathan Larson |\n[/Table]",
        FILMS,
    ),
    (
        "Output:\n```text\n| entity | year | composer |\n| --- | --- | --- |\n| High Anxiety | 1977 | John Morris |\n| Rent | 2005 | Jonathan Larson |\n```",
        FILMS,
    ),
    (
        "| entity | year | composer |\n|---|---|---|\n| High Anxiety | 1977 | John Morris |\nSome note in between.\n| Rent | 2005 | Jonathan Larson |",
        FILMS,
    ),
    (
        "| entity | year |\n|---|---|\n| High Anxiety | 1977 |\n| Rent | 2005 |\n\n| Source | Year |\n|---|---|\n| Wikipedia | 2020 |",
        TWO_COLUMNS,
    ),
    (
        "Reasoning: I looked at films | musicals.\n\nentity | year\nHigh Anxiety | 1977\nRent | 2005",
        TWO_COLUMNS,
    ),
    (
        "Answer table:\n\nentity|year\nHigh Anxiety|1977\nRent|2005\n\nExplanation: both films are listed on Wikipedia.",
        TWO_COLUMNS,
    ),
    ("entity|year\nHigh Anxiety|1977\nRent|2005</s>", TWO_COLUMNS),
    (
        "entity|year\nHigh Anxiety|1977\nRent|2005\n\nQuestion: Which other films?\nentity|year\nX|1",
        TWO_COLUMNS,
    ),
    (
        "| entity | year |\n|---|---|\n| High Anxiety | 1977 |\n| Rent | 2005 |\n\nI hope this helps! | Let me know.",
        TWO_COLUMNS,
    ),
    (
        "Here's the table in the requested format:\n\n```\nentity | year\n--- | ---\nHigh Anxiety | 1977\nRent | 2005\n```",
        TWO_COLUMNS,
    ),
    ("|entity|year|\n|High Anxiety|1977|\n|Rent|2005|", TWO_COLUMNS),
    ("entity | year |\nHigh Anxiety | 1977 |\nRent | 2005 |", TWO_COLUMNS),
    ("| entity | year\n| High Anxiety | 1977\n| Rent | 2005", TWO_COLUMNS),
    (
        "| entity       | year |\n|--------------|------|\n| High Anxiety | 1977 |\n| Rent         | 2005 |\n\n(2 rows)",
        TWO_COLUMNS,
    ),
    (
        " entity       | year \n--------------+------\n High Anxiety | 1977\n Rent         | 2005\n(2 rows)",
        TWO_COLUMNS,
    ),
    ('entity,year\n"High Anxiety","1977"\n"Rent","2005"', TWO_COLUMNS),
    ("entity;year\nHigh Anxiety;1977\nRent;2005", TWO_COLUMNS),
    ('"entity","year"\n"High Anxiety",1977\n"Rent",2005\n', TWO_COLUMNS),
    (
        "<answer><table><tr><th>entity</th><th>year</th></tr><tr><td>High Anxiety</td><td>1977</td></tr><tr><td>Rent</td><td>2005</td></tr></table></answer>",
        TWO_COLUMNS,
    ),
    (
        "Result:\n\n    entity        year\n    ------------  ----\n    High Anxiety  1977\n    Rent          2005",
        TWO_COLUMNS,
    ),
    (
        "\\begin{tabular}{ll}\n\\textbf{entity} & \\textbf{year} \\\\\n\\midrule\nHigh Anxiety & 1977 \\\\\nRent & 2005\n\\end{tabular}",
        TWO_COLUMNS,
    ),
    ("entity: High Anxiety | year: 1977\nentity: Rent | year: 2005", TWO_COLUMNS),
    (
        "[{'entity': 'High Anxiety', 'year': 1977}, {'entity': 'Rent', 'year': 2005},]",
        TWO_COLUMNS,
    ),
    (
        '[{"entity": "High Anxiety", "year": 1977}, {"entity": "Rent", "year": 2005}, {"entity": "Ann',
        TWO_COLUMNS,
    ),
    (
        '{"answer": [{"entity": "High Anxiety", "year": 1977}, {"entity": "Rent", "year": 2005}], "sources": [{"title": "W", "url": "u"}]}',
        TWO_COLUMNS,
    ),
    (
        '{"tool": "answer", "input": {"table": "entity|year\\nHigh Anxiety|1977\\nRent|2005"}}',
        TWO_COLUMNS,
    ),
    (
        '<function=answer>{"rows": [{"entity": "High Anxiety", "year": 1977}, {"entity": "Rent", "year": 2005}]}</function>',
        TWO_COLUMNS,
    ),
    (
        '```json\n[\n  // films\n  {"entity": "High Anxiety", "year": 1977},\n  {"entity": "Rent", "year": 2005}\n]\n```',
        TWO_COLUMNS,
    ),
    (
        "assistant<|end_header_id|>\n\n| entity | year |\n|---|---|\n| High Anxiety | 1977 |\n| Rent | 2005 |<|eot_id|>",
        TWO_COLUMNS,
    ),
    (
        "<think>Let me see | ok |\n</think>\n\nentity | year\nHigh Anxiety | 1977\nRent | 2005",
        TWO_COLUMNS,
    ),
    (
        "The table has | as separators:\n\n| entity | year |\n|---|---|\n| High Anxiety | 1977 |\n| Rent | 2005 |",
        TWO_COLUMNS,
    ),
    (
        "| entity | year |\n|---|---|\n| High Anxiety | 1977 |\n| Rent | 2005 |\n| ... | ... |",
        TWO_COLUMNS,
    ),
    (
        "| entity | year |\n|---|---|\n| High Anxiety | 1977 | extra |\n| Rent | 2005 |",
        (("entity", "year"), (("High Anxiety", "1977", "extra"), ("Rent", "2005"))),
    ),
    ("| entity | year |\n|---|\n| High Anxiety | 1977 |\n| Rent | 2005 |", TWO_COLUMNS),
    (
        "|   | entity | year |\n|---|---|---|\n| 0 | High Anxiety | 1977 |\n| 1 | Rent | 2005 |",
        TWO_COLUMNS,
    ),
    ("Films: High Anxiety | Rent", None),
    ("It is either 1977 | 1978 or 2005 | 2006.", None),
    ("Unfortunately, I cannot provide a table | list of films.", None),
    ("git log --oneline | head -5\ngit diff | less", None),
    ("A := {1,2} | B := {3}\nC := {4} | D := {5}", None),
    ("P(X=1|Y) = 0.5\nP(X=0|Y) = 0.5\nP(Z|X) = 1", None),
    ("type A = 'x' | 'y'\ntype B = 'z' | 'w'", None),
    ("S -> NP VP | VP\nNP -> Det N | N\nVP -> V | V NP", None),
    (
        "<expr> ::= <term> | <expr> + <term>\n<term> ::= <factor> | <term> * <factor>",
        None,
    ),
]


@pytest.mark.parametrize(("response", "expected"), RESPONSES)
def test_a_table_is_read_as_a_reader_would(
    response: str,
    expected: tuple[tuple[str, ...], tuple[tuple[str, ...], ...]] | None,
) -> None:
    table = find_table(response).table
    assert (None if table is None else (table.header, table.rows)) == expected


WORDS = st.text("abcdefgh", min_size=1, max_size=6)
TOOLS = st.sampled_from(("grep -v x", "sort", "wc -l", "head -5", "awk '{print}'"))


@given(st.lists(st.tuples(WORDS, TOOLS), min_size=2, max_size=5))
def test_commands_are_no_table(lines: list[tuple[str, str]]) -> None:
    text = "\n".join(f"cat {name}.txt | {tool}" for name, tool in lines)
    assert find_table(text).table is None
    assert find_table(f"So:\n```\n{text}\n```").table is None


@given(st.lists(st.tuples(WORDS, WORDS, WORDS), min_size=2, max_size=5))
def test_expressions_and_formulas_are_no_table(
    lines: list[tuple[str, str, str]],
) -> None:
    for form in (
        "{} = {} | {}",
        "{} -> {} | {}",
        "{}(x) = |{} - {}|",
        "{} has |{}| < 1 and |{}| > 0.",
    ):
        text = "\n".join(form.format(*line) for line in lines)
        assert find_table(f"We have:\n{text}").table is None


@given(st.lists(st.tuples(WORDS, WORDS), min_size=2, max_size=5))
def test_rows_of_words_are_a_table(rows: list[tuple[str, str]]) -> None:
    table = find_table("\n".join(map("|".join, [("name", "genre"), *rows]))).table
    assert table is not None and table.rows == tuple(rows)


@pytest.mark.parametrize("first", ["= b", "(x", "[-a", "{y"])
def test_below_the_header_entity_all_are_rows(first: str) -> None:
    text = f"entity|{first}\nu = v|w = x\n"
    table = find_table(text).table
    assert table is not None and table.header == ("entity", first)


SPLIT = json.dumps({"columns": FILMS[0], "data": FILMS[1]})


@pytest.mark.parametrize("depth", [0, 1, 2])
@pytest.mark.parametrize("key", ["arguments", "parameters", "table", "output"])
def test_json_in_a_string_of_json_is_read(depth: int, key: str) -> None:
    text = SPLIT
    for _ in range(depth):
        text = json.dumps({"name": "f", key: text})
    table = find_table(text).table
    assert table is not None and (table.header, table.rows) == FILMS


@pytest.mark.parametrize(
    "words", ["Here they are:", "### Films", "**Films**:", "Films:"]
)
@pytest.mark.parametrize("key", ["name", "film", "entity"])
@pytest.mark.parametrize("blank", ["\n", "\n\n"])
def test_what_introduces_records_is_no_title(words: str, key: str, blank: str) -> None:
    records = [f"- {key}: {name}\n  year: {year}" for name, year, _ in FILMS[1]]
    table = find_table(f"{words}{blank}" + "\n".join(records)).table
    assert table is not None
    assert table.header == (key, "year")
    assert table.rows == tuple(row[:2] for row in FILMS[1])


@pytest.mark.parametrize(
    "remark", ["The next one is disputed.", "(The year is that of the film.)", "Wow!"]
)
def test_a_remark_between_rows_does_not_end_the_table(remark: str) -> None:
    rows = [f"| {' | '.join(cells)} |" for cells in (FILMS[0], "---", *FILMS[1])]
    rows[1] = "|---|---|---|"
    table = find_table("\n".join([*rows[:3], remark, *rows[3:]])).table
    assert table is not None and (table.header, table.rows) == FILMS


def test_a_second_table_below_a_remark_is_its_own() -> None:
    rows = [f"| {' | '.join(cells)} |" for cells in FILMS[1]]
    own = "| source | page | date |\n|---|---|---|\n| Variety | 5 | 1977 |"
    head = "| entity | year | composer |\n|---|---|---|"
    text = "\n".join([head, *rows, "These are the sources.", own])
    table = find_table(text).table
    assert table is not None and (table.header, table.rows) == FILMS
