"""Small records and right answers for the tests of `tableqa score`."""


def question(name, **changes):
    return {
        "uid": name,
        "order": 1,
        "question": f"What is {name}?",
        "answer": 12.5,
        "answer_type": "arithmetic",
        "answer_from": "table",
        "scale": "million",
        **changes,
    }


def contexts(*questions):
    return [
        {
            "table": {"uid": "t", "table": [["", "2019"]]},
            "paragraphs": [],
            "questions": list(questions),
        }
    ]


QUESTIONS = (
    question("q1"),
    question("q2", answer=["Oslo"], answer_type="span", answer_from="text", scale=""),
    question("q3", answer=["a", "b"], answer_type="multi-span", scale=""),
)
GOLDS = {"q1": [12.5, "million"], "q2": [["Oslo"], ""], "q3": [["a", "b"], ""]}
LINES = {
    name: f"The answer is: {'#'.join(map(str, a if isinstance(a, list) else [a]))} "
    f"#### and its corresponding scale is: {scale or 'none'}"
    for name, (a, scale) in GOLDS.items()
}


class Outcome:
    def __init__(self, status, content, out, err):
        self.status, self.content, self.out, self.err = status, content, out, err

    def value(self, metric):
        return self.content["metrics"][metric]["value"]

    def sample(self, name):
        (sample,) = (s for s in self.content["samples"] if s["id"] == name)
        return sample
