"""What a model wrote, in the forms in which interfaces return it.

The result files of batch interfaces, OpenAI's (that of Azure, Mistral and vLLM's
`run-batch`, too) and Anthropic's, have a row for each request, which names its question
in `custom_id`. What the model wrote stands deep in the row, in one of several places, and
a request that failed is a row without it. A program that asks a model itself may save what
it was returned, whole, beside an id, or the messages of the conversation.
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


def is_returned(value: object) -> bool:
    """Whether a value is what an interface returned, or messages of a conversation.

    Examples
    --------
    >>> is_returned([{"role": "assistant", "content": "5"}]), is_returned({"choices": []})
    (True, True)
    >>> is_returned({"answer": 5, "scale": ""}), is_returned(["a"])
    (False, False)
    """
    if isinstance(value, list):
        return bool(value) and (
            all(map(_is_message, value)) or all(map(_is_choice, value))
        )
    if not isinstance(value, dict):
        return False
    return (
        isinstance(value.get("choices"), list)
        or (isinstance(value.get("output"), list) and "object" in value)
        or isinstance(value.get("candidates"), list)
        or is_returned(value.get("messages"))
        or _is_message(value)
    )


def returned_texts(value: Any) -> tuple[str, ...] | None:
    """Return what the model wrote: a text for each choice, or its last message's.

    `None` where it wrote nothing: there is no choice, or no message of its own.

    Raises
    ------
    ValueError
        The value has another form than those that are known here.

    Examples
    --------
    >>> returned_texts({"choices": [{"message": {"content": "The answer is: 5"}}]})
    ('The answer is: 5',)
    >>> asked = {"role": "user", "content": "How many?"}
    >>> returned_texts([asked, {"role": "assistant", "content": "5"}]), returned_texts([asked])
    (('5',), None)
    """
    try:
        if isinstance(value, dict) and isinstance(value.get("candidates"), list):
            parts = [c.get("content", {}).get("parts", []) for c in value["candidates"]]
            return tuple(map(_of_gemini, parts)) or None
        if isinstance(value, dict) and "messages" in value:
            value = value["messages"]
        elif isinstance(value, dict) and not _is_message(value):
            return _openai_body(value)
        if isinstance(value, list) and _is_choice(value[0]):
            return tuple(map(_chosen, value))
        messages = value if isinstance(value, list) else [value]
        own = [m for m in messages if m["role"] in ("assistant", "model")]
        return (_content(own[-1]),) if own else None
    except (KeyError, TypeError, IndexError, AttributeError) as error:
        raise ValueError(
            "holds no text where OpenAI's, Anthropic's and Gemini's interfaces have it"
        ) from error


def _is_message(value: object) -> bool:
    return isinstance(value, dict) and "role" in value and "content" in value


def _is_choice(value: object) -> bool:
    return isinstance(value, dict) and _is_message(value.get("message"))


def _of_gemini(parts: list[Mapping[str, Any]]) -> str:
    return "".join(_text(p.get("text")) for p in parts if not p.get("thought"))


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
    return _openai_body(body)


def _openai_body(body: Mapping[str, Any]) -> tuple[str, ...] | None:
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
    return _content(choice["message"])


def _content(message: Mapping[str, Any]) -> str:
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
