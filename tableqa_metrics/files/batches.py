"""Rows of the result files of batch interfaces, OpenAI's and Anthropic's.

OpenAI's form is that of Azure, Mistral and vLLM's `run-batch`, too. Each row names its
question in `custom_id`. What the model wrote stands deep in the row, in one of several
places, and a request that failed is a row without it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final


ID_KEY: Final = "custom_id"


def is_batch_row(row: Mapping[str, Any]) -> bool:
    """Whether a row is one of such a file.

    Examples
    --------
    >>> is_batch_row({"custom_id": "q", "result": {"type": "expired"}})
    True
    >>> is_batch_row({"custom_id": "q", "response": "a text"})
    False
    """
    if ID_KEY not in row:
        return False
    if "response" in row:
        response = row["response"]
        return (response is None and "error" in row) or (
            isinstance(response, dict) and "body" in response
        )
    result = row.get("result")
    return isinstance(result, dict) and "type" in result


def batch_texts(row: Mapping[str, Any]) -> tuple[str, ...] | None:
    """Return what the model wrote, one text for each choice, without its thoughts.

    `None` where the request failed. A refusal that has a place of its own is a text, and
    no content an empty one.

    Raises
    ------
    ValueError
        The row has another form.

    Examples
    --------
    >>> body = {"choices": [{"message": {"content": "The answer is: 5"}}]}
    >>> batch_texts({"custom_id": "q", "response": {"status_code": 200, "body": body}})
    ('The answer is: 5',)
    """
    try:
        return _anthropic(row["result"]) if "result" in row else _openai(row)
    except (KeyError, TypeError, IndexError, AttributeError) as error:
        raise ValueError(
            "is no result of a batch that is known here: neither OpenAI's of "
            "chat/completions, completions or responses, nor Anthropic's of messages"
        ) from error


def _anthropic(result: Mapping[str, Any]) -> tuple[str, ...] | None:
    if result["type"] != "succeeded":
        return None
    return (_joined(result["message"]["content"], ("text",)),)


def _openai(row: Mapping[str, Any]) -> tuple[str, ...] | None:
    response = row["response"]
    if response is None or row.get("error"):
        return None
    body = response["body"]
    if response.get("status_code", 200) != 200 or body is None:
        return None
    if "output" in body:
        messages = [item for item in body["output"] if item["type"] == "message"]
        parts = [part for message in messages for part in message["content"]]
        return (_joined(parts, ("output_text", "refusal")),)
    if not body["choices"]:
        return None
    return tuple(map(_chosen, body["choices"]))


def _chosen(choice: Mapping[str, Any]) -> str:
    if "message" not in choice:
        return _text(choice["text"])
    message = choice["message"]
    content = message["content"]
    if isinstance(content, list):
        return _joined(content, ("text", "refusal"))
    return _text(content) or _text(message.get("refusal"))


def _joined(parts: list[Mapping[str, Any]], types: tuple[str, ...]) -> str:
    """Join the texts of the parts of some types; the others are thoughts and calls."""
    return "".join(
        _text(part["refusal" if part["type"] == "refusal" else "text"])
        for part in parts
        if part["type"] in types
    )


def _text(value: Any) -> str:
    if value is None:
        return ""
    if not isinstance(value, str):
        raise TypeError(type(value).__name__)
    return value
