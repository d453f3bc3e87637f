"""Answers in the styles of many models, each with what it should be read as.

The expected values were written before the code ran on them. A response without an answer
has the reason in place of the scale.
"""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from tableqa_metrics import find_answer


RESPONSES = [
    (
        "To find the change, subtract:\n\n\\[ 2{,}310.5 - 4{,}621.0 = -2{,}310.5 \\]\n\nTherefore, the change in net income is **-$2,310.5 million**.",
        ("-$2,310.5",),
        "million",
    ),
    ("The net loss was **$(2,310.5) million**.", ("$(2,310.5)",), "million"),
    ("The net change is **(2,310.5)**.", ("(2,310.5)",), ""),
    (
        "### Solution\n\n1. 2019 revenue: $45.2 million\n2. 2018 revenue: $40.1 million\n\n**Change**: $45.2 - $40.1 = **$5.1 million**",
        ("$5.1",),
        "million",
    ),
    (
        "**Answer:** $5.1 million\n\n**Explanation:** The 2019 revenue was $45.2 million and the 2018 revenue $40.1 million.",
        ("$5.1",),
        "million",
    ),
    (
        "The percentage change is approximately **12.72%**.\n\nHere's the calculation:\n- 2019: 45.2\n- 2018: 40.1\n- (45.2-40.1)/40.1 = 12.72%",
        ("12.72",),
        "percent",
    ),
    ("So the answer is:\n\n$$\\boxed{12.72\\%}$$", ("12.72",), "percent"),
    ("$$\n\\boxed{\\text{Yes}}\n$$", ("Yes",), ""),
    ("$\\boxed{-\\$2{,}310.5 \\text{ million}}$", ("-$2,310.5",), "million"),
    ("\\[\\boxed{\\text{2018 and 2019}}\\]", ("2018", "2019"), ""),
    ("The final answer is $\\boxed{(2{,}310.5)}$", ("(2,310.5)",), ""),
    ("$\\boxed{45.2 \\text{ (in millions)}}$", ("45.2",), "million"),
    ("\\[\n\\boxed{\\dfrac{3}{4}}\n\\]", ("3/4",), ""),
    (
        "Thus the value is $\\boxed{\\textbf{\\$1,234}}$ thousand.",
        ("$1,234",),
        "thousand",
    ),
    (
        "Looking at the table, I can see that:\n\n- FY2019: $1,452.3 million\n- FY2018: $1,298.7 million\n\nThe difference is $1,452.3 − $1,298.7 = **$153.6 million**.\n\nSo revenue increased by $153.6 million from 2018 to 2019.",
        ("$153.6",),
        "million",
    ),
    (
        "Based on the provided table, the answer is **Deferred tax assets** and **Goodwill**.",
        ("Deferred tax assets", "Goodwill"),
        "",
    ),
    (
        'I need to look at the row for "Total current assets".\n\n<answer>4,310.2</answer>\n<scale>thousand</scale>',
        ("4,310.2",),
        "thousand",
    ),
    (
        "<answer>\nThe answer is: 4,310.2 #### and its corresponding scale is: thousand\n</answer>",
        ("4,310.2",),
        "thousand",
    ),
    (
        "<result>\n<answer>Research and development</answer>\n</result>",
        ("Research and development",),
        "",
    ),
    ("The final answer is: $\\boxed{153.6}$", ("153.6",), ""),
    (
        "The answer is 153.6.\n\nThe final answer is: 153.6 million.",
        ("153.6",),
        "million",
    ),
    (
        "## Step 1: Identify the values\nRevenue 2019 is 45.2.\n\n## Step 2: Compute\n45.2 - 40.1 = 5.1\n\nThe final answer is: 5.1",
        ("5.1",),
        "",
    ),
    ("Answer: 5.1 million dollars", ("5.1",), "million"),
    ("Answer: The total revenue was $45.2 million.", ("$45.2",), "million"),
    (
        "Answer: 45.2\nScale: million\n\nNote that the value is in USD.",
        ("45.2",),
        "million",
    ),
    ("根据表格，答案是：5.1", ("5.1",), ""),
    ("**Final Answer**\n\n$$ \\boxed{5.1} $$", ("5.1",), ""),
    ("### ✅ Final Answer:\n\n**5.1 million**", ("5.1",), "million"),
    (
        "### Final Answer:\n- **Operating activities**\n- **Investing activities**",
        ("Operating activities", "Investing activities"),
        "",
    ),
    ("**Final Answer: 2018, 2019**", ("2018", "2019"), ""),
    (
        "<think>\nOkay, so 45.2-40.1... 5.1. Wait, maybe 5.2? No, 5.1.\n</think>\n\nThe increase is **5.1 million**.",
        ("5.1",),
        "million",
    ),
    ("Okay, so 45.2-40.1 = 5.1\n</think>\n\n**Answer:** 5.1", ("5.1",), ""),
    (
        "<think>\nOkay, so 45.2-40.1... the answer is 5.1. But wait",
        None,
        "unfinished_thought",
    ),
    ("<think>\n\n</think>\n\n#### 5.1", ("5.1",), ""),
    (
        " The difference in revenue between 2019 and 2018 is $5.1 million ($45.2 million - $40.1 million).",
        ("$5.1",),
        "million",
    ),
    (
        " The company with the highest revenue is Apple Inc.",
        ("The company with the highest revenue is Apple Inc.",),
        "",
    ),
    (" Apple Inc.", ("Apple Inc.",), ""),
    (
        "The answer is 45.2. Wait, that's the wrong row. The answer is 40.1.",
        ("40.1",),
        "",
    ),
    (
        "Answer: 45.2 million\n\nActually, let me re-check. The table is in thousands.\n\nAnswer: 45.2 thousand",
        ("45.2",),
        "thousand",
    ),
    (
        "**Answer: 12%**\n\nHmm, I misread the table. The correct answer is **14%**.",
        ("14",),
        "percent",
    ),
    ("\\boxed{12}\n\nWait, I made an error. Correct: \\boxed{14}", ("14",), ""),
    ("Initially I thought the answer was 5, but the correct answer is 7.", ("7",), ""),
    ("The answer is five.", ("five",), ""),
    ("Answer: Three", ("Three",), ""),
    ("Answer: $1.2 billion (i.e., $1,200 million)", ("$1.2",), "billion"),
    ("The answer is 3.5 percentage points.", ("3.5",), "percent"),
    ("Answer: 250 basis points", ("250 basis points",), ""),
    (
        "The answer is: (17.3) #### and its corresponding scale is: million",
        ("(17.3)",),
        "million",
    ),
    (
        "The answer is: $17.3#$18.2 #### and its corresponding scale is: thousand",
        ("$17.3", "$18.2"),
        "thousand",
    ),
    (
        "The answer is: **17.3** #### and its corresponding scale is: **million**.",
        ("17.3",),
        "million",
    ),
    ("The answer is: 17.3 #### and its corresponding scale is: None", ("17.3",), ""),
    (
        "The answer is: 17.3\n#### and its corresponding scale is: million",
        ("17.3",),
        "million",
    ),
    (
        "The answer is:17.3####and its corresponding scale is:million",
        ("17.3",),
        "million",
    ),
    (
        "The answer is: 17.3 #### and its corresponding scale is: million\n\nExplanation: we took 20 - 2.7.",
        ("17.3",),
        "million",
    ),
    (
        "`The answer is: 17.3 #### and its corresponding scale is: million`",
        ("17.3",),
        "million",
    ),
    (
        "> The answer is: 17.3 #### and its corresponding scale is: million",
        ("17.3",),
        "million",
    ),
    (
        "Answer: Audit Fees, Tax Fees, and All Other Fees",
        ("Audit Fees, Tax Fees, and All Other Fees",),
        "",
    ),
    (
        'Answer: "Audit Fees", "Tax Fees" and "All Other Fees"',
        ("Audit Fees", "Tax Fees", "All Other Fees"),
        "",
    ),
    (
        "Answer: Audit Fees; Tax Fees; All Other Fees",
        ("Audit Fees", "Tax Fees", "All Other Fees"),
        "",
    ),
    (
        "Answer:\n1. Audit Fees\n2. Tax Fees\n3. All Other Fees",
        ("Audit Fees", "Tax Fees", "All Other Fees"),
        "",
    ),
    (
        "The categories are:\n\n* Audit Fees\n* Tax Fees\n* All Other Fees\n\nThese are listed in the table.",
        ("Audit Fees", "Tax Fees", "All Other Fees"),
        "",
    ),
    (
        "The values are $45.2 million in 2019 and $40.1 million in 2018, respectively.",
        ("$45.2", "$40.1"),
        "million",
    ),
    ("Answer: 45.2 and 40.1 million, respectively", ("45.2", "40.1"), "million"),
    ("Answer: 2019: 45.2, 2018: 40.1", ("45.2", "40.1"), ""),
    ('Answer: ["2018", "2019"]', ("2018", "2019"), ""),
    ("**Answer:** ['45.2', '40.1'] (in millions)", ("45.2", "40.1"), "million"),
    (
        '{"reasoning": "45.2-40.1", "answer": "5.1", "scale": "million", "confidence": 0.93}',
        ("5.1",),
        "million",
    ),
    ('```json\n{\n  "answer": 5.1,\n  "scale": "million"\n}\n```', ("5.1",), "million"),
    (
        'Here is the result:\n```json\n{"answer": ["2018", "2019"], "scale": ""}\n```\nLet me know if you need more.',
        ("2018", "2019"),
        "",
    ),
    (
        '{"name": "submit_answer", "arguments": {"answer": "5.1", "scale": "million"}}',
        ("5.1",),
        "million",
    ),
    (
        '<tool_call>\n{"name": "final_answer", "arguments": {"answer": 5.1, "scale": "million"}}\n</tool_call>',
        ("5.1",),
        "million",
    ),
    (
        '{"answer": "$(2,310.5)", "scale": "thousand", "unit": "USD"}',
        ("$(2,310.5)",),
        "thousand",
    ),
    (
        '{"steps": ["45.2 - 40.1"], "final_answer": {"value": 5.1, "scale": "million"}}',
        ("5.1",),
        "million",
    ),
    ('{"answer": {"value": -5.1, "unit": "million"}}', ("-5.1",), "million"),
    ("{'answer': '5.1', 'scale': 'percent'}", ("5.1",), "percent"),
    ('[{"answer": "5.1", "scale": "million"}]', ("5.1",), "million"),
    ('{"answer": "5.1", "sca', ("5.1",), ""),
    (
        "The provided context does not contain enough information to determine the 2017 revenue.",
        None,
        "refusal",
    ),
    ("I'm unable to determine this from the table.", None, "refusal"),
    ("Answer: N/A", None, "refusal"),
    ("Answer: Not available in the given data.", None, "refusal"),
    (
        "There is no data for 2017 in the table, so it's not possible to compute the change.",
        None,
        "refusal",
    ),
    ("Sorry, but I can't help with that.", None, "refusal"),
    ("The table lacks the information needed.", None, "refusal"),
    ("It is impossible to say without the 2017 figures.", None, "refusal"),
    ("The answer cannot be determined from the information given.", None, "refusal"),
    ("**Answer:** Unable to determine", None, "refusal"),
    (
        "The answer is likely 5.1 million, though I'm not entirely certain.",
        ("5.1",),
        "million",
    ),
    (
        "While the 2017 figure isn't given, the 2018 figure is 40.1. Answer: 40.1",
        ("40.1",),
        "",
    ),
    ("I believe the answer is roughly 5.1%.", ("5.1",), "percent"),
    ("No. Revenue fell from $45.2 million to $40.1 million.", ("No",), ""),
    ("Yes, 2019 exceeded 2018.", ("Yes",), ""),
    ("**Yes** — 45.2 is greater than 40.1.", ("Yes",), ""),
    ("Comparing 45.2 > 40.1, the answer is yes.", ("yes",), ""),
    ("Answer: No, it did not.", ("No",), ""),
    ("Answer: 5.1\n\nHow I got this: 45.2 - 40.1 = 5.1. Confidence: 95%", ("5.1",), ""),
    ("5.1 million\n\n(Source: Table 3, page 45)", ("5.1",), "million"),
    ("5.1 (45.2 - 40.1)", ("5.1",), ""),
    ("= 5.1", ("5.1",), ""),
    ("Revenue change = $45.2M - $40.1M = $5.1M", ("$5.1",), "million"),
    ("Average = (10 + 20) / 2 = 15", ("15",), ""),
    ("(2,310.5)", ("(2,310.5)",), ""),
    ("($2,310.5) thousand", ("($2,310.5)",), "thousand"),
    ("−2,310.5", ("-2,310.5",), ""),
    ("- $2,310.5 million", ("-$2,310.5",), "million"),
    ("The change is a decrease of $2,310.5 thousand.", ("-$2,310.5",), "thousand"),
    ("The company's debt decreased by $2,310.5 thousand.", ("-$2,310.5",), "thousand"),
    (
        "Cash used in investing activities was $(2,310.5) thousand in 2019.",
        ("$(2,310.5)",),
        "thousand",
    ),
    ("The total was negative $2.3 million.", ("-$2.3",), "million"),
    ("So the final answer is **-5.1%** (a decrease).", ("-5.1",), "percent"),
    ("It has 3 segments.", ("3",), ""),
    ("There are **3** segments: Consumer, Enterprise, and Other.", ("3",), ""),
    ("December 31, 2019", ("December 31, 2019",), ""),
    ("The lease expires on **December 31, 2029**.", ("December 31, 2029",), ""),
    ("Answer: FY2019", ("FY2019",), ""),
    ("The year with the highest revenue was 2019, with $45.2 million.", ("2019",), ""),
    (
        "The year with the highest revenue was **2019**, at $45.2 million.",
        ("2019",),
        "",
    ),
    ("A: 5.1 million\nQ: What was the revenue in 2018?\nA: 40.1", ("5.1",), "million"),
    ("5.1<|im_end|>\n<|im_start|>user\nWhat about 2018?", ("5.1",), ""),
    (
        "assistant\n\nThe answer is: 5.1 #### and its corresponding scale is: million",
        ("5.1",),
        "million",
    ),
    (
        "| Item | Value |\n|---|---|\n| Answer | 5.1 |\n| Scale | million |",
        ("5.1",),
        "million",
    ),
    (
        "| Year | Revenue |\n|---|---|\n| 2019 | 45.2 |\n| 2018 | 40.1 |\n\nThe difference is therefore 5.1.",
        ("5.1",),
        "",
    ),
    ("Answer: [45.2, 40.1] million", ("45.2", "40.1"), "million"),
    (
        "The answer is $5.1 million, which represents a 12% increase over 2018.",
        ("$5.1",),
        "million",
    ),
    ("Answer: $5.1 million, up 12% from 2018", ("$5.1",), "million"),
    ("Answer: 12% (from $40.1 million to $45.2 million)", ("12",), "percent"),
    ("**Answer: $5.1 million (12% increase)**", ("$5.1",), "million"),
    (
        "Net income decreased by 12.7%, from $45.2 million to $39.5 million.",
        ("-12.7",),
        "percent",
    ),
    (
        "So, the percentage change is (39.5 - 45.2) / 45.2 = -0.1261 = -12.61%",
        ("-12.61",),
        "percent",
    ),
    ("(39.5 - 45.2) / 45.2 * 100 = -12.61", ("-12.61",), ""),
    ("Calculation: 45.2 / 4 = 11.3", ("11.3",), ""),
    ("Result: 11.3 (thousands)", ("11.3",), "thousand"),
    ("Final Answer: **11.3 thousand USD**", ("11.3",), "thousand"),
    ("Final answer: USD 11.3 million", ("USD 11.3",), "million"),
    ("Final answer: €11.3m", ("€11.3",), "million"),
    ("Final answer: RMB 11.3 million", ("RMB 11.3",), "million"),
    ("Final answer: 11,300,000", ("11,300,000",), ""),
    ("Final answer: about 11.3%", ("11.3",), "percent"),
    ("Final answer: 11.3 %.", ("11.3",), "percent"),
    ("Final answer: 11.3 percent", ("11.3",), "percent"),
    ("Final answer: 0.113 or 11.3%", ("11.3",), "percent"),
    ("Final answer: 11.3%, 12.4%", ("11.3", "12.4"), "percent"),
    ("Final answer: 11.3% and 12.4% respectively", ("11.3", "12.4"), "percent"),
    ("The two years are **2018** and **2019**.", ("2018", "2019"), ""),
    ("The years were 2017, 2018, and 2019.", ("2017", "2018", "2019"), ""),
    ("Answer: from 2017 to 2019", ("from 2017 to 2019",), ""),
    ("Answer: the Company's Level 3 assets", ("the Company's Level 3 assets",), ""),
    ("Answer: 5-year warrants", ("5-year warrants",), ""),
    ("Answer: 10-K filing", ("10-K filing",), ""),
    ("Answer: A. Schulman, Inc.", ("A. Schulman, Inc.",), ""),
    ("Answer: 3.5 years", ("3.5 years",), ""),
    ("Answer: 13.0 years", ("13.0 years",), ""),
    ("Answer:\n\n5.1 million", ("5.1",), "million"),
    ("# Answer\n5.1", ("5.1",), ""),
    ("**Answer**\n\n5.1", ("5.1",), ""),
    ("__Answer__: 5.1", ("5.1",), ""),
    ("*Answer:* 5.1", ("5.1",), ""),
    ("ANSWER: 5.1", ("5.1",), ""),
    ("answer=5.1", ("5.1",), ""),
    ("My answer: 5.1", ("5.1",), ""),
    ("Answer (million): 5.1", ("5.1",), "million"),
    ("Answer in millions: 5.1", ("5.1",), "million"),
    ("Value: 5.1\nScale: thousand", ("5.1",), "thousand"),
    ("Scale: thousand\nAnswer: 5.1", ("5.1",), "thousand"),
    ("- Answer: 5.1\n- Scale: thousand", ("5.1",), "thousand"),
    ("1. Answer: 5.1\n2. Scale: thousand", ("5.1",), "thousand"),
    ("Answer: 5.1 | Scale: thousand", ("5.1",), "thousand"),
    ("Answer: 5.1; Scale: thousand", ("5.1",), "thousand"),
    ("Answer: 5.1, scale: thousand", ("5.1",), "thousand"),
    ("answer: 5.1\nscale: thousand\nreasoning: see the table", ("5.1",), "thousand"),
    (
        "```text\nThe answer is: 5.1 #### and its corresponding scale is: million\n```",
        ("5.1",),
        "million",
    ),
    ("```yaml\nanswer: 5.1\nscale: million\n```", ("5.1",), "million"),
    ("<answer>5.1</answer> million", ("5.1",), "million"),
    (
        "<answer>5.1 million</answer><explanation>45.2-40.1</explanation>",
        ("5.1",),
        "million",
    ),
    ("<final_answer>5.1</final_answer>", ("5.1",), ""),
    ("[ANSWER]5.1[/ANSWER]", ("5.1",), ""),
    ("<|begin_of_box|>5.1<|end_of_box|>", ("5.1",), ""),
    (
        "Let's think. The answer to the first part is 3. The final answer: 5.1",
        ("5.1",),
        "",
    ),
    ("I got 5.1. Let me double check: 45.2 - 40.1 = 5.1. Yes, correct.", ("5.1",), ""),
    ("The answer is 5.1.\n\nLet me verify: 40.1 + 5.1 = 45.2 ✓", ("5.1",), ""),
    ("\\boxed{5.1}\n\nLet me verify: 40.1 + 5.1 = 45.2 ✓", ("5.1",), ""),
    ("**5.1 million**\n\nVerification: 40.1 + 5.1 = 45.2.", ("5.1",), "million"),
    (
        "Thus, the total is 5.1 million.\n\n---\n\n*Note: figures are rounded to 1 decimal.*",
        ("5.1",),
        "million",
    ),
    (
        "Total = $5.1 million\n\nPlease note that this excludes $2.0 million of one-off items.",
        ("$5.1",),
        "million",
    ),
    ("The difference between 45.2 and 40.1 is 5.1.", ("5.1",), ""),
    ("45.2 minus 40.1 equals 5.1", ("5.1",), ""),
    ("It's 5.1.", ("5.1",), ""),
    ("5.1", ("5.1",), ""),
    ("5.1.", ("5.1",), ""),
    ("$5.1M", ("$5.1",), "million"),
    ("5.1 mn", ("5.1",), "million"),
    ("US$ 5.1 million", ("US$ 5.1",), "million"),
    ("-5.1%", ("-5.1",), "percent"),
    ("A decrease of 5.1%", ("-5.1",), "percent"),
    ("Decreased by 5.1%", ("-5.1",), "percent"),
    ("5.1% decrease", ("-5.1",), "percent"),
    ("Down 5.1%", ("-5.1",), "percent"),
    ("No change", ("No change",), ""),
    ("Zero", ("Zero",), ""),
    ("0", ("0",), ""),
    ("0%", ("0",), "percent"),
    ("Nil", ("Nil",), ""),
    (
        "The answer is: No change #### and its corresponding scale is: none",
        ("No change",),
        "",
    ),
    (
        "The answer is: 0 #### and its corresponding scale is: percent",
        ("0",),
        "percent",
    ),
    (
        "Sure! The answer is: 5.1 #### and its corresponding scale is: million. Let me know!",
        ("5.1",),
        "million",
    ),
    (
        "The answer is: Audit Fees#Tax Fees #### and its corresponding scale is: none",
        ("Audit Fees", "Tax Fees"),
        "",
    ),
    (
        "The answer is: X #### and its corresponding scale is: Y\n\nThe answer is: 5.1 #### and its corresponding scale is: million",
        ("5.1",),
        "million",
    ),
    ("The answer is: 5.1 ####", ("5.1",), ""),
    ("The answer is: 5.1 #### and its corresponding scale", ("5.1",), ""),
    ("Answer [in thousands]: 5.1", ("5.1",), "thousand"),
    ('<answer value="5.1">5.1</answer>', ("5.1",), ""),
    ("Revenue rose between **2018** and **2019**.", ("2019",), ""),
    ("In **2018** and **2019**, revenue was **5.1 million**.", ("5.1",), "million"),
    ("The years **2018** and **2019** are in the table, see above.", ("2019",), ""),
    (
        "The company recorded net losses of $(5.1) million in 2019 and $(4.0) million in 2018. Hence the difference is $(1.1) million.",
        ("$(1.1)",),
        "million",
    ),
    ("Net cash used was (5.1) million.", ("(5.1)",), "million"),
    ("Answer: $ (5.1)", ("$ (5.1)",), ""),
    ("Answer: (5.1) thousand", ("(5.1)",), "thousand"),
    ("Answer: –5.1", ("-5.1",), ""),
    ("Answer: $-5.1 million", ("$-5.1",), "million"),
    ("**Answer**: -5.1 percentage points", ("-5.1",), "percent"),
    ("\\boxed{-5.1\\%}", ("-5.1",), "percent"),
    ("\\boxed{(5.1)}", ("(5.1)",), ""),
    ("\\boxed{\\$ 5.1 \\, \\text{million}}", ("$ 5.1",), "million"),
    ("\\boxed{5.1 \\text{ million dollars}}", ("5.1",), "million"),
    ("\\boxed{2019: 5.1, 2018: 4.0}", ("5.1", "4.0"), ""),
    ("\\boxed{\\text{Audit Fees}, \\text{Tax Fees}}", ("Audit Fees", "Tax Fees"), ""),
    ("The answers are \\boxed{5} and \\boxed{6}.", ("5", "6"), ""),
    ("**Final answer:** \\(5.1\\) million", ("5.1",), "million"),
    ("**Final answer:** \\[5.1\\]", ("5.1",), ""),
    ("### Answer: 5.1 million\n### Explanation: 45.2-40.1", ("5.1",), "million"),
    ('Answer: "5.1 million"', ("5.1",), "million"),
    ("Answer: `5.1 million`", ("5.1",), "million"),
    ("Answer: <b>5.1 million</b>", ("5.1",), "million"),
    ("Answer: $\\mathbf{5.1}$ million", ("5.1",), "million"),
    ("Answer: ***5.1***", ("5.1",), ""),
    ("Answer: ~~4.9~~ 5.1", ("5.1",), ""),
    ("Answer: 5.1 million (not 4.9 million)", ("5.1",), "million"),
    ("Answer: 5.1 (rounded from 5.096)", ("5.1",), ""),
    ("So we have: 5.096 ≈ 5.1", ("5.1",), ""),
    ("Therefore: 45.2 – 40.1 = 5.1 (million)", ("5.1",), "million"),
    ("Program: subtract(45.2, 40.1)\nAnswer: 5.1", ("5.1",), ""),
    ("```python\nprint(45.2 - 40.1)\n```\nOutput: 5.1", ("5.1",), ""),
    (
        "```python\nanswer = 45.2 - 40.1\n```\n\nThe result is 5.1 million.",
        ("5.1",),
        "million",
    ),
    ("Answer: 1,452.3; 1,298.7", ("1,452.3", "1,298.7"), ""),
    ("Answer: 1,452.3, 1,298.7", ("1,452.3", "1,298.7"), ""),
    ("Answer: 1,452, 1,298", ("1,452", "1,298"), ""),
    ("Answer: $1,452 and $1,298 thousand", ("$1,452", "$1,298"), "thousand"),
    ("Answer: 2019 and 2018", ("2019", "2018"), ""),
    ("Answer: Q3 2019", ("Q3 2019",), ""),
    (
        "Answer: March 31, 2019 and March 31, 2018",
        ("March 31, 2019", "March 31, 2018"),
        "",
    ),
    ("Answer: - Audit Fees\n- Tax Fees", ("Audit Fees", "Tax Fees"), ""),
    (
        "Answer:\n• Audit Fees\n• Tax Fees\n\nThese are the two fees.",
        ("Audit Fees", "Tax Fees"),
        "",
    ),
    ("Answer: 3 (Audit, Tax, Other)", ("3",), ""),
    ('final_answer("5.1 million")', ("5.1",), "million"),
    ("submit(answer='5.1', scale='million')", ("5.1",), "million"),
    (
        '<tool_call>answer(answer="5.1", scale="million")</tool_call>',
        ("5.1",),
        "million",
    ),
    ("Thought: x\nAction: Finish[5.1 million]", ("5.1",), "million"),
    ("Action: finish[Audit Fees]", ("Audit Fees",), ""),
    ("final_answer(5.1)", ("5.1",), ""),
    ("```python\nfinal_answer('5.1 million')\n```", ("5.1",), "million"),
    ("final_answer(['2018', '2019'])", ("2018", "2019"), ""),
    ("final_answer(answer=-5.1)", ("-5.1",), ""),
    ("final_answer(4)\nfinal_answer(5)", ("5",), ""),
    ("```python\nfinal_answer(45.2 - 40.1)\n```", None, "nothing_found"),
    ("finish[N/A]", None, "refusal"),
    ("final_answer('-$(2,310.5)', unit='thousand')", ("-$(2,310.5)",), "thousand"),
]


@pytest.mark.parametrize(("response", "values", "scale"), RESPONSES)
def test_a_response_is_read_as_a_reader_would(
    response: str, values: tuple[str, ...] | None, scale: str
) -> None:
    found = find_answer(response)
    if found.answer is None:
        assert (None, found.reason) == (values, scale)
    else:
        assert (found.answer.values, found.answer.scale) == (values, scale)


NUMBERS = st.lists(st.decimals(-9999, 9999, places=1).map(str), min_size=2, max_size=5)
LISTS = st.sampled_from(("[{}]", "({})")), st.sampled_from(("{}", "'{}'", '"{}"'))
SCALES = st.sampled_from(
    (
        *((" million", "million"), (" (in millions)", "million"), ("%", "percent")),
        *((" (in $ thousands)", "thousand"), (" billion dollars", "billion")),
    )
)
MARKERS = st.sampled_from(
    ("Answer: {}", "{}", "<answer>{}</answer>", "So \\boxed{{{}}}")
)


@given(NUMBERS, *LISTS, SCALES, MARKERS)
def test_a_scale_behind_a_list_is_that_of_all_its_values(
    numbers: list[str], brackets: str, quotes: str, scale: tuple[str, str], marker: str
) -> None:
    written, word = scale
    values = brackets.format(", ".join(map(quotes.format, numbers)))
    answer = find_answer(marker.format(values + written)).answer
    assert answer is not None
    assert (answer.values, answer.scale) == (tuple(numbers), word)


SOURCES = ("table", "given context", "document", "passage", "report")
REFUSALS = (
    *("The {} lacks the information needed.", "The {} makes no mention of 2017."),
    *("The 2017 revenue is missing from the {}.", "2017 is not in the {}."),
    *("The {} has no data on 2017.", "It is unclear from the {}."),
    *("The {} does not say.", "More information is needed than the {} has."),
    *("I would need more data than the {}.", "The {} gives no details on 2017."),
)


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("refusal", REFUSALS)
@pytest.mark.parametrize("marker", ["{}", "Answer: {}", "**{}**"])
def test_what_is_not_there_is_no_answer(source: str, refusal: str, marker: str) -> None:
    found = find_answer(marker.format(refusal.format(source)))
    assert (found.answer, found.reason) == (None, "refusal")


@pytest.mark.parametrize(
    ("response", "value"),
    [
        ("The 2018 figure is missing from the table, but the 2019 one is 48.", "48"),
        ("Answer: The report covers fiscal 2019.", "The report covers fiscal 2019."),
        ("Answer: the lack of comparable data", "the lack of comparable data"),
        ("Answer: additional data centers", "additional data centers"),
        ("Answer: assets not in use", "assets not in use"),
    ],
)
def test_what_only_resembles_a_refusal_is_an_answer(response: str, value: str) -> None:
    answer = find_answer(response).answer
    assert answer is not None and answer.values == (value,)


STOPS = (
    *("</s>", "<|im_end|>", "<|eot_id|>", "<|eot|>", "<|eom_id|>", "<|endoftext|>"),
    *("<|end_of_text|>", "<|end|>", "<|return|>", "<|user|>", "<end_of_turn>", "<eos>"),
    *("<｜end▁of▁sentence｜>", "<|END_OF_TURN_TOKEN|>", "[|endofturn|]"),
)
STARTS = (
    *("", "<|im_start|>assistant\n", "<start_of_turn>model\n", "<｜Assistant｜>"),
    "<|start_header_id|>assistant<|end_header_id|>\n\n",
)


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("stop", STOPS)
@pytest.mark.parametrize(
    "answer", ["The answer is {}", "Answer: {}", "It is {}.", "{}"]
)
def test_a_token_that_ends_a_turn_is_no_part_of_the_answer(
    start: str, stop: str, answer: str
) -> None:
    text = start + answer.format("5.1 million") + stop
    for rest in ("", "\n", f"{stop}\nAnswer: 7"):
        found = find_answer(text + rest).answer
        assert found is not None
        assert (found.values, found.scale) == (("5.1",), "million")
    found = find_answer(f"{start}Audit Fees{stop}").answer
    assert found is not None and found.values == ("Audit Fees",)
