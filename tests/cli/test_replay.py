"""Saved responses in place of a model, through the harness itself."""

import gzip
import json
import sys

import pytest
from tiny_tasks import DOCS, write_jsonl

from lm_eval_tasks.errors import TableqaError
from lm_eval_tasks.replay import ReplayLM


def replayed(results, task="capitals") -> dict[str, str]:
    """What the sample log says that each document was answered with."""
    return {
        sample["doc"].get("id", sample["doc"]["question"]): sample["resps"][0][0]
        for sample in results["samples"][task]
    }


def exact(results, task="capitals") -> float:
    return results["results"][task]["exact,all"]


@pytest.mark.parametrize(
    ("options", "ids"),
    [
        ({}, ["fr", "it", "es", "pt", "no"]),
        ({"limit": 2}, ["fr", "it"]),
        ({"samples": {"capitals": [1, 4]}}, ["it", "no"]),
        ({"num_fewshot": 2}, ["fr", "it", "es", "pt", "no"]),
        (
            {
                "num_fewshot": 2,
                "apply_chat_template": True,
                "fewshot_as_multiturn": True,
                "system_instruction": "Be brief.",
            },
            ["fr", "it", "es", "pt", "no"],
        ),
    ],
)
def test_every_document_gets_its_own_response(
    evaluate, responses, answers, options, ids
):
    results = evaluate("capitals", {"responses": str(responses)}, **options)
    assert replayed(results) == {key: answers[key] for key in ids}
    right = [answers[doc["id"]] == doc["answer"] for doc in DOCS if doc["id"] in ids]
    assert exact(results) == sum(right) / len(right)


def test_predict_only(evaluate, responses, answers):
    results = evaluate("capitals", {"responses": str(responses)}, predict_only=True)
    assert replayed(results) == answers
    assert "exact,all" not in results["results"]["capitals"]


def test_a_response_is_not_cut_at_stop_strings(evaluate, tmp_path):
    text = "Paris STOP\n\nand more"
    path = tmp_path / "responses.json"
    path.write_text(json.dumps(dict.fromkeys([doc["id"] for doc in DOCS], text)))
    results = evaluate("capitals", {"responses": str(path)}, limit=1)
    assert replayed(results) == {"fr": text}


def test_named_keys_and_gzip(evaluate, tmp_path, answers):
    rows = [{"ref": key, "out": {"text": text}} for key, text in answers.items()]
    path = tmp_path / "batch.jsonl.gz"
    path.write_bytes(gzip.compress("\n".join(map(json.dumps, rows)).encode()))
    args = {"responses": str(path), "id_key": "ref", "response_key": "out.text"}
    assert replayed(evaluate("capitals", args)) == answers


def test_missing_responses_stop_the_run_or_are_counted(evaluate, tmp_path, log):
    rows = [{"id": "fr", "response": "Paris"}, {"id": "it", "response": None}]
    path = write_jsonl(tmp_path / "some.jsonl", rows)
    with pytest.raises(TableqaError) as error:
        evaluate("capitals", {"responses": str(path)})
    assert "4 of 5 documents of capitals have no response" in str(error.value)
    assert "(1 of them null in the file): 'it', 'es', 'pt', 'no'" in str(error.value)
    assert "\n" not in str(error.value)

    results = evaluate("capitals", {"responses": str(path), "missing": "empty"})
    assert replayed(results) == {"fr": "Paris"} | dict.fromkeys(
        ["it", "es", "pt", "no"], ""
    )
    assert exact(results) == 1 / 5
    warned = [r.getMessage() for r in log.records if "no response" in r.getMessage()]
    assert len(warned) == 1
    assert "4 of 5 documents of capitals" in warned[0]


def test_missing_ids_beyond_the_first_few_are_counted(tmp_path):
    path = write_jsonl(tmp_path / "one.jsonl", [{"id": "x", "response": "y"}])
    requests = [_request({"id": n}, n) for n in range(8)]
    with pytest.raises(TableqaError, match=r"'0', '1', '2', '3', '4' and 3 more"):
        ReplayLM(responses=path).generate_until(requests)


def test_ids_that_are_numbers(tmp_path):
    path = write_jsonl(tmp_path / "one.jsonl", [{"id": 7, "response": "seven"}])
    model = ReplayLM(responses=path)
    assert model.generate_until([_request({"id": 7}, 0)]) == ["seven"]
    assert model.generate_until([_request({"id": "7"}, 0)]) == ["seven"]


def test_responses_that_nobody_asks_for_are_counted(evaluate, responses, log):
    evaluate("capitals", {"responses": str(responses)}, limit=1)
    assert f"{responses}: 4 responses are not asked for" in log.messages


def test_messages_are_replayed_as_what_the_model_wrote(evaluate, tmp_path, answers):
    asked = {"role": "user", "content": "Which capital?"}
    rows = [
        {"id": key, "response": [asked, {"role": "assistant", "content": text}]}
        for key, text in answers.items()
    ]
    path = write_jsonl(tmp_path / "r.jsonl", rows)
    results = evaluate("capitals", {"responses": str(path)})
    replayed = {s["doc"]["id"]: s["resps"] for s in results["samples"]["capitals"]}
    assert replayed == {key: [[text]] for key, text in answers.items()}


def test_a_scale_that_is_not_replayed_is_told(evaluate, tmp_path, answers, log):
    rows = [{"id": k, "response": v, "scale": "million"} for k, v in answers.items()]
    path = write_jsonl(tmp_path / "r.jsonl", rows)
    evaluate("capitals", {"responses": str(path)})
    assert "r.jsonl: its column scale is not replayed" in log.text


def test_tasks_that_share_ids_need_a_file_each(evaluate, tmp_path, responses, answers):
    with pytest.raises(TableqaError, match="capitals and capitals_again both have"):
        evaluate("capitals,capitals_again", {"responses": str(responses)})

    folder = tmp_path / "by_task"
    folder.mkdir()
    write_jsonl(
        folder / "capitals.jsonl",
        [{"id": key, "response": text} for key, text in answers.items()],
    )
    other = dict.fromkeys(answers, "Paris")
    (folder / "capitals_again.json").write_text(json.dumps(other))
    for given in (
        str(folder),
        {
            "capitals": folder / "capitals.jsonl",
            "capitals_again": folder / "capitals_again.json",
        },
    ):
        results = evaluate("capitals,capitals_again", {"responses": given})
        assert replayed(results) == answers
        assert replayed(results, "capitals_again") == other


def test_a_task_without_a_file(evaluate, tmp_path, responses):
    with pytest.raises(TableqaError, match=r"no responses to capitals: .*notes\.txt"):
        (tmp_path / "folder").mkdir()
        (tmp_path / "folder" / "notes.txt").touch()
        evaluate("capitals", {"responses": str(tmp_path / "folder")})
    with pytest.raises(TableqaError, match="no file for capitals; there is other"):
        evaluate("capitals", {"responses": {"other": str(responses)}})


@pytest.mark.parametrize("predict_only", [False, True])
@pytest.mark.parametrize("task", ["capitals", "unnamed", "capitals_twice"])
def test_a_sample_log_replays_itself(
    evaluate, tmp_path, responses, answers, task, predict_only
):
    if task == "unnamed":
        saved = [{"id": n, "response": answers[d["id"]]} for n, d in enumerate(DOCS)]
        responses = write_jsonl(tmp_path / "by_place.jsonl", saved)
    out = tmp_path / "out"
    first = logged(evaluate, task, responses, out, predict_only=predict_only)
    log_files = list(out.rglob("samples_*.jsonl"))
    assert len(log_files) == 1
    for given in (log_files[0], out, log_files[0].parent):
        again = evaluate(task, {"responses": str(given)})
        assert replayed(again, task) == replayed(first, task)
        assert exact(again, task) == 4 / 5
    # The log's doc_id is a place in the task, a request's one in the chosen documents.
    some = evaluate(task, {"responses": str(out)}, samples={task: [2, 4]})
    assert list(replayed(some, task).values()) == ["Madrid", "Bergen"]


def test_documents_without_ids_are_matched_by_place_with_a_warning(
    evaluate, tmp_path, log
):
    saved = {str(n): doc["answer"] for n, doc in enumerate(DOCS)}
    path = tmp_path / "by_place.json"
    path.write_text(json.dumps(saved))
    assert exact(evaluate("unnamed", {"responses": str(path)}), "unnamed") == 1.0
    assert any("have no id" in message for message in log.messages)


def test_the_newest_log_counts_and_those_of_two_models_are_refused(
    evaluate, tmp_path, responses, answers
):
    out = tmp_path / "out"
    logged(evaluate, "capitals", responses, out, model="a")
    newer = write_jsonl(
        tmp_path / "newer.jsonl", [{"id": key, "response": "newer"} for key in answers]
    )
    logged(evaluate, "capitals", newer, out, model="a")
    assert set(replayed(evaluate("capitals", {"responses": str(out)})).values()) == {
        "newer"
    }
    logged(evaluate, "capitals", newer, out, model="b")
    with pytest.raises(TableqaError, match=r"several folders, a, b; name one"):
        evaluate("capitals", {"responses": str(out)})


def test_a_log_of_another_task_is_replayed_with_a_warning(
    evaluate, tmp_path, responses, answers, log
):
    logged(evaluate, "capitals", responses, tmp_path / "out")
    (path,) = (tmp_path / "out").rglob("samples_*")
    results = evaluate("capitals_again", {"responses": str(path)})
    assert replayed(results, "capitals_again") == answers
    assert f"{path}: responses to capitals replayed for capitals_again" in log.messages


def test_repeats(evaluate, tmp_path, responses):
    once = evaluate("capitals_twice", {"responses": str(responses)}, limit=1)
    assert once["samples"]["capitals_twice"][0]["resps"] == [["Paris", "Paris"]]

    name = "samples_capitals_twice_2026-01-02T03-04-05.678.jsonl"
    for saved, expected in (
        (["Rome", "Paris"], ["Rome", "Paris"]),
        (["Rome", "Paris", "Oslo"], ["Rome", "Paris"]),
        (["Rome"], ["Rome", "Rome"]),
    ):
        row = {"doc_id": 0, "doc": {"id": "fr"}, "resps": [saved]}
        path = write_jsonl(tmp_path / name, [row])
        results = evaluate("capitals_twice", {"responses": str(path)}, limit=1)
        assert results["samples"]["capitals_twice"][0]["resps"] == [expected]


def test_fewer_responses_than_repeats_are_refused(tmp_path):
    row = {"doc_id": 0, "doc": {"id": "fr"}, "resps": [["Rome", "Paris"]]}
    path = write_jsonl(tmp_path / "log.jsonl", [row])
    with pytest.raises(TableqaError, match="asks 3 times per document"):
        ReplayLM(responses=path).generate_until([_request({"id": "fr"}, 0, 3)] * 3)


def test_padding_of_a_rank_does_not_run_out_of_responses(tmp_path):
    row = {"doc_id": 0, "doc": {"id": "fr"}, "resps": [["Rome", "Paris"]]}
    path = write_jsonl(tmp_path / "log.jsonl", [row])
    request = _request({"id": "fr"}, 0, 2)
    assert ReplayLM(responses=path).generate_until([request] * 4) == [
        *("Rome", "Paris"),
        *("Rome", "Paris"),
    ]


def test_likelihoods_are_refused(evaluate, responses):
    with pytest.raises(TableqaError, match="choices compares likelihoods"):
        evaluate("choices", {"responses": str(responses)})


def test_a_response_cache_is_refused(evaluate, responses, tmp_path):
    with pytest.raises(TableqaError, match="--use_cache"):
        evaluate(
            "capitals", {"responses": str(responses)}, use_cache=str(tmp_path / "c")
        )


def test_the_results_say_whose_responses_and_which_bytes(evaluate, responses):
    import hashlib

    results = evaluate("capitals", {"responses": str(responses), "model": "gpt-2"})
    assert results["config"]["model_name"] == "gpt-2"
    digest = hashlib.sha256(responses.read_bytes()).hexdigest()
    assert results["config"]["responses"] == [
        {"file": "responses.jsonl", "sha256": digest}
    ]


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("runs/gpt-4.jsonl", "gpt-4"),
        ("runs/gpt-4.jsonl.gz", "gpt-4"),
        ("runs/v1.2", "v1.2"),
        ("runs/meta__llama/", "meta__llama"),
    ],
)
def test_the_default_name(tmp_path, path, name):
    place = tmp_path / path
    place.parent.mkdir(exist_ok=True)
    place.mkdir()
    assert ReplayLM(responses=f"{tmp_path}/{path}").name == name


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ({}, "responses=PATH"),
        ({"responses": ".", "missing": "zero"}, "error or empty, not zero"),
        ({"responses": ".", "key": 1}, "unknown model argument key"),
        ({"responses": "nope.jsonl"}, r"nope\.jsonl: there is no such file"),
    ],
)
def test_wrong_arguments(args, message):
    with pytest.raises(TableqaError, match=message):
        ReplayLM(**args)


def test_chat_messages_are_rendered_plainly(responses):
    model = ReplayLM(responses=responses)
    chat = [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "{{question}}"},
    ]
    assert model.apply_chat_template(chat) == (
        "system: Be brief.\n\nuser: {{question}}\n\nassistant:"
    )
    prefilled = [*chat, {"role": "assistant", "content": "It is"}]
    assert model.apply_chat_template(prefilled, add_generation_prompt=False) == (
        "system: Be brief.\n\nuser: {{question}}\n\nassistant: It is"
    )
    assert "message.role" in model.chat_template(True)


def test_several_processes_without_torch(responses, monkeypatch):
    monkeypatch.setenv("WORLD_SIZE", "2")
    monkeypatch.setenv("LOCAL_RANK", "0")
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.delitem(sys.modules, "lm_eval_tasks.processes", raising=False)
    with pytest.raises(TableqaError, match="2 processes need torch"):
        ReplayLM(responses=responses)


def test_a_lone_surrogate_does_not_cost_the_sample_log(evaluate, tmp_path):
    path = tmp_path / "odd.jsonl"
    path.write_text('{"id": "fr", "response": "\\ud83d \\ud83d\\ude00"}')
    results = evaluate("capitals", {"responses": str(path)}, limit=1)
    assert replayed(results) == {"fr": "\ufffd \U0001f600"}


def logged(evaluate, task, responses, out, *, model="m", predict_only=False):
    """Evaluate and write the files that lm_eval writes under --output_path."""
    from lm_eval.loggers import EvaluationTracker

    tracker = EvaluationTracker(output_path=str(out))
    results = evaluate(
        task,
        {"responses": str(responses), "model": model},
        evaluation_tracker=tracker,
        predict_only=predict_only,
    )
    tracker.save_results_aggregated(results=results, samples=results["samples"])
    tracker.save_results_samples(task_name=task, samples=results["samples"][task])
    return results


def _request(doc, doc_id, repeats=1):
    from lm_eval.api.instance import Instance

    return Instance(
        "generate_until", doc, ("prompt", {}), 0, metadata=("t", doc_id, repeats)
    )
