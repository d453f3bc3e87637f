"""`tableqa score` on the real files: the figures that were published for them."""

import json

import pytest


def test_tanq_official_samples(shared, reference, score):
    path = shared / "data" / "tanq" / "test_input.jsonl"
    found = score("tanq", path, path)
    official = reference("tanq_official_samples.json")
    for name in ("precision", "recall", "f1"):
        wanted = official["aggregate"][f"table_datapoints_{name}"]
        assert found.value(f"rms_{name}") == pytest.approx(wanted, abs=1e-12)
    assert found.content["files"][-1]["input"] == "extracted"
    assert found.content["n"] == 10


def test_tatqa_sample_prediction_with_its_pivot(shared, reference, score):
    data = shared / "data" / "tatqa"
    found = score(
        "tatqa", data / "tatqa_dataset_dev.json", data / "sample_prediction.json"
    )
    official = reference("tatqa_dev_sample_prediction.json")
    for name, theirs in (("em", "em"), ("f1", "f1"), ("scale_acc", "scale")):
        wanted = official["aggregate"][theirs]
        assert found.value(name) == pytest.approx(wanted, abs=1e-12)
    rounded = [round(100 * found.value(m), 2) for m in ("em", "f1", "scale_acc")]
    assert rounded == [45.92, 58.88, 90.95]
    defects = {
        row["known_defect"]: row["n"]
        for row in found.content["breakdowns"]["known_defect"]
    }
    assert defects == {
        "no known defect": 1655,
        "wrong_reference": 3,
        "scale_twice": 1,
        "scale_on_year": 2,
        "blank_value": 1,
        "stray_mark": 1,
        "zero_reference": 5,
    }
    cells = found.content["breakdowns"]["answer_type_by_source"]
    assert len(cells) == 12
    for cell in cells:
        source, kind = cell["source"], cell["answer_type"]
        assert cell["n"] == official["pivot"]["count"][source][kind]
        for name in ("em", "f1"):
            value = cell["metrics"][name]["value"]
            if cell["n"]:
                wanted = official["pivot"][name][source][kind]
                assert value == pytest.approx(wanted, abs=1e-12)
            else:
                assert value is None
    for sample in found.content["samples"]:
        wanted = official["per_example"][sample["id"]]
        assert (sample["em"], sample["f1"]) == (wanted["em"], wanted["f1"])


def test_program_of_thoughts(shared, reference, score):
    data = shared / "data"
    predictions = data / "pot" / "tatqa_dev_program_of_thoughts.jsonl"
    dev = data / "tatqa" / "tatqa_dataset_dev.json"
    found = score("tatqa", dev, predictions, options=["--missing", "drop"])
    official = reference("tatqa_dev_pot.json")["tatqa_s0_e-1_11_08_11_09.jsonl"]
    wanted = official["pot_repo_evaluator(eval_tatqa; last number)"]
    for name, theirs in (("em", "em"), ("f1", "f1"), ("scale_acc", "scale")):
        assert found.value(name) == pytest.approx(wanted[theirs], abs=1e-12)
    assert round(100 * found.value("em"), 2) == 68.99
    assert round(100 * found.value("f1"), 2) == 75.90
    assert found.content["n"] == 1667
    assert len(found.content["missing"]) == 1
    assert "|missing:drop|" in found.content["signature"]


def test_tatllm_replies_by_its_own_scorer_and_blindly(shared, reference, score):
    data = shared / "data"
    names = ("tatqa_dataset_dev.json", "tatqa_dataset_test_gold.json")
    found = score(
        "tatqa",
        [data / "tatqa" / name for name in names],
        data / "tatllm" / "tatqa_responses_tat_llm_7b_fft.json",
        options=["--missing", "drop"],
    )
    assert found.value("tatllm_em") == pytest.approx(0.779, abs=1e-12)
    assert found.value("em") >= 0.75
    assert found.content["files"][-1]["format"] == "tatllm"
    assert found.content["files"][-1]["input"] == "raw"
    for row in reference("tatllm_real_7b_tatqa_1000.json")["per_example"]:
        assert found.sample(row["uid"])["tatllm_em"] == row["em"]
    assert {s["rule"] for s in found.content["samples"]} >= {"step_table"}


@pytest.mark.parametrize(
    ("missing", "n", "exe_acc", "prog_acc"),
    [("drop", 1050, 735 / 1050, 722 / 1050), ("zero", 1147, 735 / 1147, 722 / 1147)],
)
def test_finqa_example_predictions(shared, score, missing, n, exe_acc, prog_acc):
    data = shared / "data" / "finqa"
    found = score(
        "finqa",
        data / "finqa_test_assembled.json",
        data / "example_predictions.json",
        options=["--missing", missing],
    )
    assert found.value("exe_acc") == pytest.approx(exe_acc, abs=1e-12)
    assert found.value("prog_acc") == pytest.approx(prog_acc, abs=1e-12)
    assert found.content["n"] == n
    assert len(found.content["missing"]) == 97
    steps = {row["steps"]: row["n"] for row in found.content["breakdowns"]["steps"]}
    assert sum(steps.values()) == n
    evidence = found.content["breakdowns"]["evidence"]
    assert sum(row["n"] for row in evidence) == n
    assert {row["evidence"] for row in evidence} > {"table", "text", "table-text"}


def test_missing_predictions_are_an_error_by_default(shared, score):
    data = shared / "data" / "finqa"
    found = score(
        "finqa", data / "finqa_test_assembled.json", data / "example_predictions.json"
    )
    assert found.status == 1
    assert "97 of 1147 questions have no prediction" in found.err
    assert found.err.count("\n") == 1


def test_tatllm_replies_to_finqa(shared, score, tmp_path):
    data = shared / "data"
    prompts = data / "tatllm" / "sft_end_to_end_finqa_dataset_dev.json"
    records = json.loads(prompts.read_text())[:60]
    path = tmp_path / "replies.json"
    path.write_text(
        json.dumps([{"id": r["id"], "prediction": r["resp"]} for r in records])
    )
    found = score(
        "finqa",
        data / "finqa" / "finqa_dev_assembled.json",
        path,
        options=["--missing", "drop", "--format", "tatllm"],
    )
    assert found.value("tatllm_em") == 1
    assert found.content["n"] == 60
    assert "references left out: 21" in found.out
