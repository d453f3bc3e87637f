"""What models really write, and what a careful reader takes from it.

Rule by rule: (response, values, scale). The responses were written for this table, in the
styles of chat, reasoning and fine-tuned models. `LIMITS` holds those that extraction
reads otherwise than a careful reader would, with the reason.
"""

from __future__ import annotations

import pytest

from tableqa_metrics import find_answer


# fmt: off
RESPONSES = {
    "json": [
        (('```json\n{\n  "answer": "24.41",\n  "scale": "percent"\n}\n```\n\n'
          "This is computed as (1,496.5 - 1,202.9) / 1,202.9."), ("24.41",), "percent"),
        ('{"answer": 24.41, "scale": "percent"}\n\nHope this helps!', ("24.41",), "percent"),
        (('{"name": "submit_answer", "arguments": {"answer": "24.41", "scale": '
          '"percent"}}'), ("24.41",), "percent"),
        (("<tool_call>\n"
          '{"name": "submit", "arguments": {"answer": 293.6, "scale": "million"}}\n'
          "</tool_call>"), ("293.6",), "million"),
        ('{"reasoning": "1,496.5 - 1,202.9 = 293.6", "answer": "293.6 million"}', ("293.6",), "million"),
        ('{"steps": ["a", "b"], "final_answer": 293.6}', ("293.6",), ""),
        ("{'answer': '293.6', 'scale': 'million'}", ("293.6",), "million"),
        ("Here's the result:\n{'answer': 293.6, 'scale': 'million'}", ("293.6",), "million"),
        ("{answer: 293.6, scale: million}", ("293.6",), "million"),
        ('["2018", "2019"]', ("2018", "2019"), ""),
        ('{"answer": ["2018", "2019"], "scale": ""}', ("2018", "2019"), ""),
    ],
    "step_table": [
        (("| step | output |\n|---|---|\n| 1 | Arithmetic |\n| 2 | 1496.5#1202.9 |\n"
          "| 3 | 1496.5 - 1202.9 |\n| 4 | 293.6 |\n| 5 | million |\n\n"
          "The answer is: 293.6 #### and its corresponding scale is: million"), ("293.6",), "million"),
        (("| step | output |\n| 1 | Arithmetic |\n| 2 | 1496.5#1202.9 |\n"
          "| 3 | (1496.5 - 1202.9) / 1202.9 |\n| 4 | 24.41% |\n| 5 | percent |"), ("24.4076814365",), "percent"),
        (("| step | output |\n| 1 | Count |\n| 2 | 2018#2019 |\n| 3 | N.A. |\n"
          "| 4 | 2 |\n| 5 | none |"), ("2",), ""),
    ],
    "answer_line": [
        (("The answer is: 5 #### and its corresponding scale is: million\n\n"
          "Hmm, actually the answer is: 7 #### and its corresponding scale is: "
          "million"), ("7",), "million"),
        ("The answer is: 5.2#4.8 #### and its corresponding scale is: million", ("5.2", "4.8"), "million"),
        ("The answer is: $5.2#$4.8 #### and its corresponding scale is: Million.", ("$5.2", "$4.8"), "million"),
        (("The answer is: 24.41 #### and its corresponding scale is: percent\n\n"
          "The answer is: 24.41 #### and its corresponding scale is: percent\n\n"
          "The answer is: 24.41 ####"), ("24.41",), "percent"),
        ("The answer is: 24.41 #### and its corresponding scale is: none\n```", ("24.41",), ""),
        ("**The answer is: 24.41 #### and its corresponding scale is: percent**", ("24.41",), "percent"),
        ("The answer is: `24.41` #### and its corresponding scale is: `percent`", ("24.41",), "percent"),
        ("The answer is: 24.41% #### and its corresponding scale is: percent", ("24.41%",), "percent"),
        ("The answer is: [24.41] #### and its corresponding scale is: [percent]", ("24.41",), "percent"),
        ("The answer is: <24.41> #### and its corresponding scale is: <percent>", ("24.41",), "percent"),
        ("The answer is: 24.41\n#### and its corresponding scale is: percent", ("24.41",), "percent"),
        ("The answer is: 24.41 ### and its corresponding scale is: percent", ("24.41",), "percent"),
        ("The answer is 24.41 #### and its corresponding scale is percent.", ("24.41",), "percent"),
        ("The answer is: 24.41 and the scale is: percent", ("24.41",), "percent"),
        ("The answer is: 24.41 #### and its corresponding scale is: percent (%)", ("24.41",), "percent"),
        ("The answer is: 12.5 #### and its corresponding scale is: million USD", ("12.5",), "million"),
        ("The answer is: 12.5 #### and its corresponding scale is: in millions", ("12.5",), "million"),
        ("The answer is: 12.5 #### and its corresponding scale is: no scale", ("12.5",), ""),
        ("The answer is: 12.5 #### and its corresponding scale is: '' (none)", ("12.5",), ""),
        ("The answer is: Yes #### and its corresponding scale is: none", ("Yes",), ""),
    ],
    "boxed": [
        ("So the answer is $\\boxed{24.41\\%}$.", ("24.41",), "percent"),
        ("Final Answer: The final answer is $\\boxed{24.41\\%}$", ("24.41",), "percent"),
        ("Final Answer: The final answer is $\\boxed{-293.6}$. I hope it is correct.", ("-293.6",), ""),
        ("Thus the answer is $$\\boxed{\\$293.6 \\text{ million}}$$", ("$293.6",), "million"),
        ("\\boxed{24.41 \\text{ percent}}", ("24.41",), "percent"),
        ("\\boxed{2018, 2019}", ("2018", "2019"), ""),
        ("\\boxed{\\text{Operating activities, Investing activities}}", ("Operating activities, Investing activities",), ""),
        ("\\[ \\boxed{\\textbf{293.6}} \\]", ("293.6",), ""),
        ("\\boxed{x = 293.6}", ("293.6",), ""),
        ("\\boxed{\\approx 24.41\\%}", ("24.41",), "percent"),
        ("The final answer is: $\\boxed{-25}$ percent", ("-25",), "percent"),
        ("So the final answer is \\boxed{decrease by 25%}", ("-25",), "percent"),
        ("\\boxed{48}\n\nWait, I should double check... yes: 20 + 28 = 48.", ("48",), ""),
    ],
    "answer_tag": [
        ("<answer>24.41%</answer>", ("24.41",), "percent"),
        ("<answer>\n**24.41%**\n</answer>", ("24.41",), "percent"),
        ("<think>…</think>\n\n<answer>24.41%", ("24.41",), "percent"),
        ("[Answer] 24.41% [/Answer]", ("24.41",), "percent"),
        ("[ANSWER]24.41%[/ANSWER]", ("24.41",), "percent"),
        ("<final>24.41%</final>", ("24.41",), "percent"),
        ("<|begin_of_box|>24.41%<|end_of_box|>", ("24.41",), "percent"),
        ("<answer>48</answer>\nHmm, correction:\n<answer>50</answer>", ("50",), ""),
    ],
    "plain_answer_line": [
        ("The answer is: a decrease of 12.3%", ("-12.3",), "percent"),
        ("The answer is: Increased by 5.4%", ("5.4",), "percent"),
        (("So the final answer is 7.\n\n"
          "Wait, I need to include 2017 as well. The answer is: 9"), ("9",), ""),
        ("The answer is: 5\n\nWait, let me recheck: 12 - 5 = 7. So the answer is: 7", ("7",), ""),
        ("The answer is: Dublin, Ireland.", ("Dublin, Ireland.",), ""),
        ("The answer is: Operating lease and finance lease", ("Operating lease and finance lease",), ""),
        ("The answer is: 2019, 2018 and 2017", ("2019", "2018", "2017"), ""),
        ("The answer is: 3 (2017, 2018, 2019)", ("3",), ""),
        ("The answer is: 3 years", ("3 years",), ""),
        ("The answer is: $-12.5", ("$-12.5",), ""),
        ("The answer is: 1,234,567", ("1,234,567",), ""),
        ("The answer is: 1 234 567", ("1 234 567",), ""),
        ("The answer is: 12.50", ("12.50",), ""),
        ("The answer is: 12.", ("12",), ""),
        ("The answer is: 1:4", ("1:4",), ""),
        ("The answer is: 1.25x", ("1.25x",), ""),
        ("The answer is: 25 days", ("25 days",), ""),
        ("The answer is: no", ("no",), ""),
        ("I apologize for the earlier mistake. The answer is: 48", ("48",), ""),
        ("The answer is: 293.6 (in millions)", ("293.6",), "million"),
        ("The answer is: $293.6 million, or 24.41%", ("$293.6",), "million"),
        ("The answer is: Cloud Services ($15.5 million)", ("Cloud Services ($15.5 million)",), ""),
        ("Sure! Based on the table, the answer is:\n\n5%", ("5",), "percent"),
        ("The answer is: 24.41, scale: percent", ("24.41",), "percent"),
        (("The answer is: 24.41\n\n"
          "Explanation: since (5 - 4) / 4 = 0.25, the answer is: 25"), ("25",), ""),
        ("The answer is: 8 - 5 = 3", ("3",), ""),
        ("The answer is: (1496.5 - 1202.9) / 1202.9 = 24.41%", ("24.41",), "percent"),
        ("The answer is: 24.41% = (1496.5 - 1202.9) / 1202.9", ("24.41",), "percent"),
        ("The answer is: 24.41%, calculated as (1496.5 - 1202.9) / 1202.9 × 100", ("24.41",), "percent"),
        ("The answer is: $293.6 million ($1,496.5 million minus $1,202.9 million)", ("$293.6",), "million"),
    ],
    "answer_marker": [
        (("### Step 1: Identify the values\n- 2019: 1,496.5\n- 2018: 1,202.9\n\n"
          "### Step 2: Subtract\n1,496.5 - 1,202.9 = 293.6\n\n### Final Answer\n"
          "**293.6 million**"), ("293.6",), "million"),
        ("Therefore, the answer is a decrease of 12.3%.", ("-12.3",), "percent"),
        ("Answer: 12.3% decrease", ("-12.3",), "percent"),
        ("The answer is 42.\nThe answer is 42.\nThe answer is 42.\nThe answer is 42", ("42",), ""),
        (("**Answer: 24.41%**\n\n"
          "Explanation: The revenue in 2019 was $1,496.5 million and in 2018 "
          "$1,202.9 million, so the change is 293.6 / 1,202.9."), ("24.41",), "percent"),
        (("Answer: $1.2 million\n\nQuestion: What was the revenue in 2018?\n"
          "Answer: $1.1 million"), ("$1.2",), "million"),
        ("Human: next\nAnswer: 5", ("5",), ""),
        ("answer: 293.6\nscale: million", ("293.6",), "million"),
        ("**Answer**: 293.6\n**Scale**: million", ("293.6",), "million"),
        ("- Answer: 293.6\n- Scale: million", ("293.6",), "million"),
        ('Answer: "the first-in, first-out method"', ("the first-in, first-out method",), ""),
        ("Answer: Operating lease; Finance lease", ("Operating lease", "Finance lease"), ""),
        ("Answer:\n- 2019\n- 2018\n- 2017", ("2019", "2018", "2017"), ""),
        ("The answer is 2019.", ("2019",), ""),
        ("Answer: December 31, 2019", ("December 31, 2019",), ""),
        ("Answer: $12,500 (in thousands)", ("$12,500",), "thousand"),
        ("Answer: 12,500 (thousands of dollars)", ("12,500",), "thousand"),
        ("Answer: 12,500 thousand dollars", ("12,500",), "thousand"),
        ("Answer: 12,500 thousand USD", ("12,500",), "thousand"),
        ("Answer: €12.5bn", ("€12.5",), "billion"),
        ("Answer: 12.5 per cent", ("12.5",), "percent"),
        ("Answer: 0.125 or 12.5%", ("12.5",), "percent"),
        ("Answer: 12.5% (0.125)", ("12.5",), "percent"),
        ("Answer: approximately 12.5%", ("12.5",), "percent"),
        ("Answer: ~12.5%", ("12.5",), "percent"),
        ("Answer: around $12.5 million, rounded", ("$12.5",), "million"),
        ("Answer: 12.5 percentage points", ("12.5",), "percent"),
        ("Answer: 150 basis points", ("150 basis points",), ""),
        ("Answer: (12.5)", ("(12.5)",), ""),
        ("Answer: (12.5)%", ("(12.5)",), "percent"),
        ("Answer: -$12.5 million", ("-$12.5",), "million"),
        ("Answer: $(12.5) million", ("$(12.5)",), "million"),
        ("Answer: ($12.5) million", ("($12.5)",), "million"),
        (("```python\nans = 24.41\nscale = 'percent'\n```\n"
          "The answer is 24.41 percent."), ("24.41",), "percent"),
        ("答案：24.41%", ("24.41",), "percent"),
        ("最终答案是：24.41%", ("24.41",), "percent"),
        ("因此，答案是 24.41%。", ("24.41",), "percent"),
        ("答案是293.6百万美元。", ("293.6百万美元",), ""),
        ("La respuesta es: 24,41 %", ("24,41 %",), ""),
        ("Die Antwort lautet: 293,6 Millionen", ("293,6 Millionen",), ""),
        ("Réponse : 24.41 %", ("24.41",), "percent"),
        ("Respuesta final: 24.41%", ("24.41",), "percent"),
        ("Ответ: 24.41%", ("24.41",), "percent"),
        ("答え：24.41%", ("24.41",), "percent"),
        ("정답: 24.41%", ("24.41",), "percent"),
        ("الإجابة: 24.41%", ("24.41",), "percent"),
        ("The answer is no, since 12 is smaller than 15.", ("no",), ""),
        ("Answer: True", ("True",), ""),
        (("So 2019 revenue was greater than 2018 revenue. Therefore the answer is "
          "yes."), ("yes",), ""),
        ("**Answer:** None of the above", ("None of the above",), ""),
        ("Answer: None", ("None",), ""),
        ("**Final Answer:** $12.5 million\n\n**Confidence:** 95%", ("$12.5",), "million"),
        ("Answer: $12.5 million\nConfidence: 0.95", ("$12.5",), "million"),
        ("The answer is 293.6 million dollars ($293,600,000).", ("293.6",), "million"),
        ("ANSWER: 24.41%", ("24.41",), "percent"),
        ("Ans: 24.41%", ("24.41",), "percent"),
        ("Ans. 24.41%", ("24.41",), "percent"),
        ("Final result: 24.41%", ("24.41",), "percent"),
        ("Answer - 24.41%", ("24.41",), "percent"),
        ("Answer = 24.41%", ("24.41",), "percent"),
        ("Answer → 24.41%", ("24.41",), "percent"),
        ("The final answer:\n24.41%", ("24.41",), "percent"),
        ("### Answer: 24.41%", ("24.41",), "percent"),
        ("Final Answer: 24.41% <|im_end|>", ("24.41",), "percent"),
        ("Sure! Here's the answer:\n\n**5%**", ("5",), "percent"),
        ("Answer: 5.2 and 4.8 respectively", ("5.2", "4.8"), ""),
        ("Answer: $5.2 million (2019), $4.8 million (2018)", ("$5.2", "$4.8"), "million"),
        ("Answer: 24.41, Scale: percent", ("24.41",), "percent"),
        ("Answer: 24.41 (scale: percent)", ("24.41",), "percent"),
        (("**Step 1:** Find revenue.\n\n**Step 2:** Subtract.\n\n"
          "**Answer:** The revenue grew by $293.6 million (24.41%)."), ("$293.6",), "million"),
        ("Answer: -25% (decrease)", ("-25",), "percent"),
        ("Answer: decrease of 25%", ("-25",), "percent"),
        ("Answer: Decreased", ("Decreased",), ""),
        ("Answer: It decreased.", ("It decreased.",), ""),
        ("Answer: The straight-line method", ("The straight-line method",), ""),
        ("Answer: \n\nThe straight-line method\n", ("The straight-line method",), ""),
        ("**Answer:**\n\n> The straight-line method", ("The straight-line method",), ""),
        ("Answer:\n```\n24.41%\n```", ("24.41",), "percent"),
        ("Answer:\n$$24.41\\%$$", ("24.41",), "percent"),
        ("Answer:\n\\[\n24.41\\%\n\\]", ("24.41",), "percent"),
        ("The answer: 24.41%", ("24.41",), "percent"),
        ("THE ANSWER IS 24.41%", ("24.41",), "percent"),
        ("The final answer is therefore 24.41%.", ("24.41",), "percent"),
        ("The answer would be 24.41%", ("24.41",), "percent"),
        ("The answer is 8 - 5 = 3.", ("3",), ""),
        ("Final Answer: 293.6\nUnits: million", ("293.6",), "million"),
        ("Final answer: 293.6 | Scale: million", ("293.6",), "million"),
        ("Answer: 293.6 thousand dollars per share", ("293.6 thousand dollars per share",), ""),
        ("Answer: $2.50 per share", ("$2.50 per share",), ""),
        ("Answer: 2.5 times", ("2.5 times",), ""),
        ("Answer: 3.2 years (weighted average)", ("3.2 years (weighted average)",), ""),
        ("Answer: 5,829 shares", ("5,829 shares",), ""),
        ("Answer: Level 3", ("Level 3",), ""),
        ("Answer: Note 7", ("Note 7",), ""),
        ("Answer: Q4 2019", ("Q4 2019",), ""),
        ("Answer: fiscal 2019", ("fiscal 2019",), ""),
        ("Answer: Fiscal year 2019 and 2018", ("Fiscal year 2019 and 2018",), ""),
        ("Answer: 2018 to 2019", ("2018 to 2019",), ""),
        ("Answer: 2018-2019", ("2018-2019",), ""),
        ("Answer: between 5% and 8%", ("between 5% and 8%",), ""),
        ("Answer: 5% to 8%", ("5% to 8%",), ""),
        ("Answer: more than 5 years", ("more than 5 years",), ""),
        ("Answer: $5.2 million, $4.8 million, $3.1 million", ("$5.2", "$4.8", "$3.1"), "million"),
        ("Answer: $5.2, $4.8, and $3.1 million", ("$5.2", "$4.8", "$3.1"), "million"),
        ("Answer: 1,234, 5,678", ("1,234", "5,678"), ""),
        ("Answer: 1,234 and 5,678", ("1,234", "5,678"), ""),
        ("Answer: ['Audit Fees', 'Tax Fees']", ("Audit Fees", "Tax Fees"), ""),
        ('Answer: ["Audit Fees", "Tax Fees"]', ("Audit Fees", "Tax Fees"), ""),
        ("Answer: [2018, 2019]", ("2018", "2019"), ""),
        ("Answer: (2018, 2019)", ("2018", "2019"), ""),
        ("Answer: {2018, 2019}", ("2018", "2019"), ""),
        ("Answer: 2018 | 2019", ("2018", "2019"), ""),
        ("Answer: 2018/2019", ("2018/2019",), ""),
        ("Answer: 2018 & 2019", ("2018", "2019"), ""),
        ("Answer: **2018** and **2019**", ("2018", "2019"), ""),
        ("Answer: \n1) 2018\n2) 2019", ("2018", "2019"), ""),
        ("Answer: 48\n\nActually, let me correct that.\n\nAnswer: 50", ("50",), ""),
        ("Answer: 48\n\nCorrection: 50", ("50",), ""),
        (("The answer is 48.\n\n"
          "To verify: 20 + 28 = 48. Therefore, our answer is correct."), ("48",), ""),
        ("The answer is 48.\n\nThis answer is based on rows 3 and 4.", ("48",), ""),
        ("Answer: 48\n\nAnswer source: Table 2", ("48",), ""),
        ("The correct answer is 48 and not 50.", ("48",), ""),
    ],
    "answer_table": [
        ("| Answer | Scale |\n|---|---|\n| 293.6 | million |", ("293.6",), "million"),
        ("| Question | Answer |\n|---|---|\n| What is the change? | 24.41% |", ("24.41",), "percent"),
        (("The total is:\n\n| Item | Amount |\n|---|---|\n"
          "| Total | $293.6 million |\n"), ("$293.6",), "million"),
        ("Answer:\n| Value |\n|---|\n| 24.41% |", ("24.41",), "percent"),
    ],
    "bold": [
        (("First, find the average:\n"
          "$$\\text{Average} = \\frac{1,496.5 + 1,202.9}{2} = \\frac{2,699.4}{2} = "
          "1,349.7$$\n\nTherefore, the average is **$1,349.7 million**."), ("$1,349.7",), "million"),
        (("| Metric | Value |\n|---|---|\n| 2019 | 1,496.5 |\n| 2018 | 1,202.9 |\n"
          "| **Change** | **293.6** |\n\nThe change is **293.6**."), ("293.6",), ""),
        ("The company's headquarters are located in **Dublin, Ireland**.", ("Dublin, Ireland",), ""),
        (("The three items are:\n* **Software licenses**\n* **Maintenance**\n"
          "* **Professional services**"), ("Software licenses", "Maintenance", "Professional services"), ""),
        ("Revenue exceeded $1 billion in **2019**.", ("2019",), ""),
        ("There are **3** segments in which revenue exceeded $100 million.", ("3",), ""),
        ("**Yes**, it exceeded 5%.", ("Yes",), ""),
        ("The average is **$12.5 million** (rounded to 1 decimal place).", ("$12.5",), "million"),
        ("**$12.5 million** is the average of **2018** and **2019**.", ("$12.5",), "million"),
        ("Therefore, the increase from 2018 to 2019 was **293.6** (in millions).", ("293.6",), "million"),
        ("**24.41%**\n\n---\n\nWould you like me to explain the steps?", ("24.41",), "percent"),
        (("Let's break it down step by step.\n\n"
          "1. **Identify the numbers**: Revenue 2019: $1,496.5 million; Revenue "
          "2018: $1,202.9 million.\n"
          "2. **Compute**: $1,496.5 - $1,202.9 = $293.6 million.\n\n"
          "Hence, the revenue increased by **$293.6 million**."), ("$293.6",), "million"),
        (("Let's break it down step by step.\n\n"
          "1. **Identify the numbers**: Revenue 2019: $1,202.9 million; Revenue "
          "2018: $1,496.5 million.\n2. **Compute**: the difference.\n\n"
          "Hence, the revenue decreased by **$293.6 million**."), ("-$293.6",), "million"),
        (("## Solution\n\nGiven:\n- 2019: 45%\n- 2018: 40%\n\n"
          "Difference = 45% - 40% = **5%**"), ("5",), "percent"),
    ],
    "bare": [
        (("$1.2 million\n\n### Question:\nWhat is the total?\n\n### Answer:\n"
          "$3 million"), ("$1.2",), "million"),
        (("The following items are included:\n\n1. Software licenses\n"
          "2. Maintenance\n3. Professional services"), ("Software licenses", "Maintenance", "Professional services"), ""),
        (("Based on the table, the years are:\n\n- 2019\n- 2018\n\n"
          "These are the years provided in the table."), ("2019", "2018"), ""),
        ("2019, 2018, 2017", ("2019", "2018", "2017"), ""),
        ("2019", ("2019",), ""),
        ("In 2019.", ("2019",), ""),
        ("FY2019", ("FY2019",), ""),
        ("Two.", ("Two",), ""),
        ("```\n24.41\n```", ("24.41",), ""),
        ("`24.41`", ("24.41",), ""),
        ("Yes", ("Yes",), ""),
        ("Yes, because 5 > 3.", ("Yes",), ""),
        ("No. The operating margin of 2019 (12%) was lower.", ("No",), ""),
        ("#### 24.41", ("24.41",), ""),
        ("1496.5-1202.9=293.6\n#### 293.6", ("293.6",), ""),
        ("24.41%\n<|endoftext|>Human: What", ("24.41",), "percent"),
        ("Cloud Services", ("Cloud Services",), ""),
        ("Cloud Services.", ("Cloud Services.",), ""),
        ("$5.2 million in 2019 and $4.8 million in 2018", ("$5.2", "$4.8"), "million"),
        ("2019: $5.2 million\n2018: $4.8 million", ("$5.2", "$4.8"), "million"),
        ("- 2019: $5.2 million\n- 2018: $4.8 million", ("$5.2", "$4.8"), "million"),
        ("approx. 1.24", ("1.24",), ""),
        ("There were no changes.", ("There were no changes.",), ""),
        ("None", ("None",), ""),
        ("none", ("none",), ""),
        ("No", ("No",), ""),
        ("0", ("0",), ""),
        ("0%", ("0",), "percent"),
        ("Zero", ("Zero",), ""),
        ("nil", ("nil",), ""),
        ("The company did not report any.", ("The company did not report any.",), ""),
        ("The lessor retains substantially all the risks and rewards of ownership.", ("The lessor retains substantially all the risks and rewards of ownership.",), ""),
        ("Straight-line method", ("Straight-line method",), ""),
        ("It uses the straight-line method.", ("It uses the straight-line method.",), ""),
        ("5,829 employees", ("5,829 employees",), ""),
        ("48\n\nThe answer is based on rows 3 and 4.", ("48",), ""),
    ],
    "last_number": [
        (("To find the percentage change, we use the formula:\n\n"
          "Percentage change = ((New value - Old value) / Old value) * 100\n\n"
          "In 2019 the value was $1,496.5 million and in 2018 it was $1,202.9 "
          "million.\n\nPercentage change = ((1,496.5 - 1,202.9) / 1,202.9) * 100\n"
          "= (293.6 / 1,202.9) * 100\n= 24.41%\n\n"
          "Therefore, the percentage change in revenue between 2018 and 2019 is "
          "24.41%."), ("24.41",), "percent"),
        (("Step 1: The total revenue in 2019 was $5,829 thousand.\n"
          "Step 2: The total revenue in 2018 was $5,735 thousand.\n"
          "Step 3: The difference is $5,829 - $5,735 = $94 thousand.\n\n"
          "So, the increase is $94 thousand."), ("$94",), "thousand"),
        ("Net income decreased by 5% from 2018 to 2019.", ("-5",), "percent"),
        ("The revenue decreased by $12.5 million.", ("-$12.5",), "million"),
        ("Thus the net profit declined by 293.6 thousand in 2019.", ("-293.6",), "thousand"),
        ("The percentage change is -12.3%, i.e. a decrease of 12.3%.", ("-12.3",), "percent"),
        ("Revenue increased by 5.4% year over year.", ("5.4",), "percent"),
        ("The years are 2019, 2018, and 2017.", ("2019", "2018", "2017"), ""),
        ("The year in which revenue was the highest is 2019.", ("2019",), ""),
        ("The lease ends on December 31, 2019.", ("December 31, 2019",), ""),
        ("The number of years in which the ratio exceeded 5% is 3.", ("3",), ""),
        ("Count: 3", ("3",), ""),
        ("3 (2017, 2018, 2019)", ("3",), ""),
        ("The total was $12.5 million", ("$12.5",), "million"),
        ("The total was $12.5M.", ("$12.5",), "million"),
        ("The ratio is 1.25:1.", ("1.25:1",), ""),
        ("(1,496.5 - 1,202.9) / 1,202.9 = 0.2441", ("0.2441",), ""),
        ("1496.5 - 1202.9 = 293.6", ("293.6",), ""),
        ("Change = 1496.5 - 1202.9 = 293.6 million", ("293.6",), "million"),
        ("(17.8 + 12.4 + 9.5) / 3 = 13.23", ("13.23",), ""),
        ("= 293.6", ("293.6",), ""),
        ("293.6 = 1496.5 - 1202.9", ("293.6",), ""),
        ("293.6 (1,496.5 - 1,202.9)", ("293.6",), ""),
        ("$293.6 million ($1,496.5 million - $1,202.9 million)", ("$293.6",), "million"),
        ("24.41% [(1,496.5 - 1,202.9) / 1,202.9]", ("24.41",), "percent"),
        (("```python\nresult = (1496.5 - 1202.9) / 1202.9 * 100\nprint(result)\n"
          "```\n\nOutput: 24.41"), ("24.41",), ""),
        ("La respuesta es 24.41%.", ("24.41",), "percent"),
        ("La réponse est 24.41 %.", ("24.41",), "percent"),
        ("The average is $12.5 million. Let me know if you have any other questions!", ("$12.5",), "million"),
        (("The average is $12.5 million.\n\n"
          "Please note that this figure is based on data from 2018 and 2019."), ("$12.5",), "million"),
        (("The average is $12.5 million.\n\n"
          "Note: figures are in thousands and rounded to 2 decimal places."), ("$12.5",), "million"),
        ("So the average of **2018** and **2019** is $12.5 million.", ("$12.5",), "million"),
        ("The average for the **two years** is 12.5.", ("12.5",), ""),
        ("The **average operating margin** over the period is 12.5%.", ("12.5",), "percent"),
        ('The answer to the question "What is the average?" is 12.5.', ("12.5",), ""),
        ("The answer to your question is 12.5 million.", ("12.5",), "million"),
        (("In conclusion, the company's total debt was $1,496.5 million as of "
          "December 31, 2019."), ("$1,496.5",), "million"),
        ("As of December 31, 2019, the company's total debt was $1,496.5 million.", ("$1,496.5",), "million"),
        (("Total debt: $1,496.5 million (2019) vs. $1,202.9 million (2018)\n"
          "Difference: $293.6 million"), ("$293.6",), "million"),
        (("The difference between $1,496.5 million and $1,202.9 million is $293.6 "
          "million, which is an increase of 24.41%."), ("$293.6",), "million"),
        ("Thus, we get 24.41 %", ("24.41",), "percent"),
        (("Therefore, the increase from 2018 to 2019 was 293.6 (in millions of "
          "dollars)."), ("293.6",), "million"),
        ("Solution: 24.41%", ("24.41",), "percent"),
        ("Result = 24.41%", ("24.41",), "percent"),
        ("My answer is 24.41%", ("24.41",), "percent"),
        ("Hence the required percentage is 24.41%", ("24.41",), "percent"),
        ("The change was from 5% to 8%, an increase of 3 percentage points.", ("3",), "percent"),
        ("It went from 12.0 to 15.5, so it rose by 3.5.", ("3.5",), ""),
        ("The change in percentage points is 45% - 40% = 5 percentage points.", ("5",), "percent"),
        (("Based on the provided table, total fees were $4,520 thousand in 2019 and "
          "$4,100 thousand in 2018. The change is therefore $420 thousand."), ("$420",), "thousand"),
        (("To calculate the ratio: 1,496.5 / 1,202.9 = 1.244.\n\n"
          "The ratio is approximately 1.24."), ("1.24",), ""),
        ("The ratio is approximately 1.24 (rounded to two decimal places).", ("1.24",), ""),
        ("Ratio ≈ 1.24", ("1.24",), ""),
        ("1.24 (approximately)", ("1.24",), ""),
        ("$$\n\\frac{1496.5 - 1202.9}{1202.9} \\times 100\\% = 24.41\\%\n$$", ("24.41",), "percent"),
        ("\\[\n\\text{Change} = 1496.5 - 1202.9 = 293.6 \\text{ million}\n\\]", ("293.6",), "million"),
        ("Change $= 293.6$ million", ("293.6",), "million"),
        ("Thus, $x = 24.41\\%$.", ("24.41",), "percent"),
        ("Therefore, the percentage change is $\\approx 24.41\\%$", ("24.41",), "percent"),
        ("The percentage change is $24.41\\%$ (an increase).", ("24.41",), "percent"),
        ("The growth rate: 24.41%", ("24.41",), "percent"),
        ("24.41 percent increase", ("24.41",), "percent"),
        ("24.41% increase", ("24.41",), "percent"),
        ("An increase of 24.41%.", ("24.41",), "percent"),
        ("It increased by 24.41 percent, from 1,202.9 million to 1,496.5 million.", ("24.41",), "percent"),
        ("Sales fell from $12 million to $9 million, a decline of 25%.", ("-25",), "percent"),
        ("Sales dropped 25% to $9 million.", ("-25",), "percent"),
        ("A loss of $5 million.", ("$5",), "million"),
        ("Net loss was $(5) million.", ("$(5)",), "million"),
        ("Net loss of $5 million in 2019.", ("$5",), "million"),
        ("The decrease in revenue is 25%.", ("25",), "percent"),
        ("The decrease was $5 million.", ("$5",), "million"),
        ("Percentage decrease = 25%", ("25",), "percent"),
        ("The percentage change is a 25% decrease.", ("-25",), "percent"),
        ("The change is -25% (a decrease of 25%).", ("-25",), "percent"),
        ("Answer is 24.41%", ("24.41",), "percent"),
        ("Answer is: 24.41%", ("24.41",), "percent"),
        ("The answer should be 24.41%", ("24.41",), "percent"),
        ("The answer must be 24.41%.", ("24.41",), "percent"),
        ("The answer can be found by subtracting 5 from 8: 8 - 5 = 3", ("3",), ""),
        ("The answer is calculated as follows: 8 - 5 = 3", ("3",), ""),
        ("I think it's 48.", ("48",), ""),
        ("It's 48.", ("48",), ""),
        ("That would be 48.", ("48",), ""),
        ("48, I think.", ("48",), ""),
        ("Probably 48.", ("48",), ""),
        ("My best guess: 48", ("48",), ""),
        ("Approximately 48% of the total.", ("48",), "percent"),
        ("48 is the total.", ("48",), ""),
        ("$48 million was the total.", ("$48",), "million"),
        ("Summing 20 and 28 gives us 48.", ("48",), ""),
        (("Adding them up: 20 + 28 = 48. Dividing by 2: 48 / 2 = 24. So the average "
          "is 24."), ("24",), ""),
        ("20 + 28 = 48, 48 / 2 = 24", ("24",), ""),
        ("(20 + 28) / 2 = 48 / 2 = 24.", ("24",), ""),
        ("Average = (20 + 28) / 2\n= 48 / 2\n= 24", ("24",), ""),
        ("Average = (20 + 28) / 2\n        = 24 (in thousands)", ("24",), "thousand"),
        (("I made an error. Let me recalculate: 20 + 30 = 50. The correct total is "
          "50."), ("50",), ""),
        ("The total is 48. Wait, that's wrong. The total is 50.", ("50",), ""),
        ("The answer is not 48 but 50.", ("50",), ""),
    ],
    "refusal": [
        ("I'm sorry, but I cannot find this information in the table.", None, ""),
        (("The table does not provide the revenue for 2017, so the growth cannot be "
          "calculated."), None, ""),
        ("The question cannot be answered based on the provided information.", None, ""),
        ("Answer: The provided text does not mention the revenue in 2017.", None, ""),
        (("Based on the given context, it is not possible to determine the 2017 "
          "revenue. The table only shows 2018 and 2019."), None, ""),
        ("**Answer:** Not enough information", None, ""),
        ("As an AI language model, I do not have access to 2019 data.", None, ""),
        ("N/A", None, ""),
        ("Unknown", None, ""),
    ],
}
# fmt: on

LIMITS = [
    # A count or a list: only the question tells.
    ("There are 3 years: 2017, 2018 and 2019.", ("2017", "2018", "2019"), ""),
    # The subject is what is asked for; a sentence's number is taken instead.
    ("The best segment is Cloud with $15.5 million.", ("$15.5",), "million"),
    ("Of the two, 2019 was the better one (15.5 vs 12.0).", ("12.0",), ""),
    # Two sentences in one, with a value each.
    (
        "It was $5.2 million in 2019 and in 2018 it was $4.8 million.",
        ("$4.8",),
        "million",
    ),
    ("The total of 48 is the sum of 20 and 28.", ("28",), ""),
    # The size of a fall counts as a change, since changes are what is asked for.
    ("How much it fell? Sales decreased by 5%.", ("-5",), "percent"),
    # A bound or a quotation.
    ("> 24.41%", ("> 24.41%",), ""),
    # The label of a choice.
    ("Answer: B. 12.5%", ("B. 12.5%",), ""),
    # A scale that is stated twice stays, as some gold answers have it.
    ("The answer is: 3 million\nThe scale is: million", ("3 million",), "million"),
]


@pytest.mark.parametrize(
    ("rule", "response", "values", "scale"),
    [(rule, *case) for rule, cases in RESPONSES.items() for case in cases],
)
def test_responses(rule, response, values, scale):
    found = find_answer(response)
    if values is None:
        assert (found.answer, found.reason) == (None, rule)
        return
    assert found.answer.values == values
    assert found.answer.scale == scale
    assert found.answer.rule == rule


@pytest.mark.parametrize(("response", "values", "scale"), LIMITS)
def test_limits(response, values, scale):
    answer = find_answer(response).answer
    assert (answer.values, answer.scale) == (values, scale)


@pytest.mark.parametrize("rule", RESPONSES)
def test_responses_behind_a_thought(rule):
    for response, values, _ in RESPONSES[rule]:
        answer = find_answer(f"<think>It may be 999.</think>\n\n{response}").answer
        assert (answer and answer.values) == values
        if "</think>" not in response:
            cut_off = find_answer(response, thinking=True)
            assert cut_off.answer is None or rule == "json"
