"""Run in a process of its own: say what the harness makes of its built-in tasks.

    python upstream_facts.py METADATA NAME…

The harness is the first `lm_eval` on the path. One JSON object by task name goes to
stdout.
"""

import inspect
import json
import sys
from itertools import islice
from pathlib import Path
from typing import Any


LIMIT = 10  # as the harness's own tests


def facts(task: Any) -> dict[str, Any]:
    config = task.config
    task.download()
    documents = list(islice(task.test_docs(), LIMIT))
    task.build_all_requests(limit=LIMIT, rank=0, world_size=1)
    prompts = [task.doc_to_text(document) for document in documents]
    requests = [
        task.construct_requests(doc=document, ctx=prompt)
        for document, prompt in zip(documents, prompts, strict=True)
    ]
    scored = task.process_results(documents[0], [""])
    return {
        "file": str(Path(inspect.getfile(config.process_results)).resolve()),
        "output_type": config.output_type,
        "has_docs": [
            task.has_training_docs(),
            task.has_validation_docs(),
            task.has_test_docs(),
        ],
        "decontaminate": task.should_decontaminate(),
        "version": config.metadata["version"],
        "delimiter": config.target_delimiter,
        "generation": config.generation_kwargs,
        "prompts": prompts,
        "built": [instance.args[0] for instance in task.instances],
        "requests": len(requests),
        "targets": [task.doc_to_target(document) for document in documents],
        "metrics": sorted(scored),
        "aggregations": sorted(task.aggregation()),
        "directions": task.higher_is_better(),
    }


def main(metadata: str, *names: str) -> None:
    from lm_eval.tasks import TaskManager, get_task_dict

    manager = TaskManager(metadata=json.loads(metadata))
    found = get_task_dict(list(names), manager)
    known = set(manager.all_tasks)
    json.dump(
        {"known": sorted(known), "tasks": {name: facts(found[name]) for name in names}},
        sys.stdout,
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
