"""Stand-ins for vLLM and SGLang, which need a GPU: the harness's own classes run on them.

They take the sampling parameters that the real ones take and refuse what those refuse
(`SamplingParams` of vLLM at commit 00388f65 and of SGLang 0.5.23), and generate with a
checkpoint of `transformers`.
"""

import importlib.machinery
import importlib.metadata
import sys
from collections.abc import Mapping, Sequence
from types import ModuleType, SimpleNamespace
from typing import Any, Final

import pytest


VLLM_FIELDS: Final = (
    "n presence_penalty frequency_penalty repetition_penalty temperature top_p top_k "
    "min_p seed stop stop_token_ids ignore_eos max_tokens min_tokens logprobs "
    "prompt_logprobs detokenize skip_special_tokens spaces_between_special_tokens "
    "include_stop_str_in_output logit_bias allowed_token_ids extra_args bad_words "
    "thinking_token_budget"
)
SGLANG_FIELDS: Final = (
    "max_new_tokens stop stop_token_ids stop_regex temperature top_p top_k min_p "
    "frequency_penalty presence_penalty repetition_penalty min_new_tokens n "
    "json_schema regex ebnf structural_tag ignore_eos skip_special_tokens "
    "spaces_between_special_tokens no_stop_trim custom_params stream_interval "
    "logit_bias sampling_seed"
)


def check_parameters(given: Mapping[str, Any], fields: str, longest: str) -> None:
    """Refuse sampling parameters as the real engines do.

    Raises
    ------
    TypeError
        For a name that they do not know.
    ValueError
        For a value out of its range.
    """
    unknown = given.keys() - set(fields.split())
    if unknown:
        raise TypeError(f"unexpected keyword argument {', '.join(sorted(unknown))}")
    stops = given.get("stop", [])
    if not isinstance(stops, list) or not all(isinstance(s, str) for s in stops):
        raise ValueError(f"stop: {stops!r} is no list of texts")
    if not all(stops):
        raise ValueError("stop cannot contain an empty string")
    if type(given[longest]) is not int or given[longest] < 1:
        raise ValueError(f"{longest}: {given[longest]!r} is not at least 1")
    if not 0 <= given.get("temperature", 1.0) <= 2:
        raise ValueError(f"temperature: {given['temperature']} is out of its range")


class SamplingParams:
    """What vLLM is given with each prompt."""

    def __init__(self, **given: Any) -> None:
        check_parameters(given, VLLM_FIELDS, "max_tokens")
        self.given = given


class Checkpoint:
    """Greedy generation, one prompt at a time."""

    def __init__(self, path: str) -> None:
        from transformers import AutoModelForCausalLM, AutoTokenizer

        self.model = AutoModelForCausalLM.from_pretrained(path)
        self.tokenizer = AutoTokenizer.from_pretrained(path)

    def generate(
        self, prompt: Sequence[int], longest: int, stops: Sequence[str]
    ) -> str:
        import torch

        tokens = self.model.generate(
            torch.tensor([prompt]), max_new_tokens=longest, do_sample=False
        )
        text = self.tokenizer.decode(tokens[0, len(prompt) :])
        for stop in stops:
            text = text.split(stop)[0]
        return text


class VllmEngine:
    """`vllm.LLM`."""

    def __init__(self, model: str, **_: Any) -> None:
        self.checkpoint = Checkpoint(model)
        length = self.checkpoint.model.config.max_position_embeddings
        config = SimpleNamespace(max_model_len=length)
        self.llm_engine = SimpleNamespace(model_config=config)
        self.asked: list[dict[str, Any]] = []

    def generate(
        self, prompts: Any, sampling_params: Sequence[SamplingParams], **_: Any
    ) -> list[Any]:
        outputs = []
        for prompt, parameters in zip(prompts, sampling_params, strict=True):
            given = parameters.given
            text = self.checkpoint.generate(
                prompt["prompt_token_ids"], given["max_tokens"], given["stop"]
            )
            outputs.append(SimpleNamespace(outputs=[SimpleNamespace(text=text)]))
        return outputs


class SglangEngine:
    """`sglang.Engine`."""

    def __init__(self, model_path: str, **_: Any) -> None:
        self.checkpoint = Checkpoint(model_path)
        self.tokenizer_manager = SimpleNamespace(
            tokenizer=self.checkpoint.tokenizer,
            context_len=self.checkpoint.model.config.max_position_embeddings,
        )

    def generate(
        self, input_ids: Any, sampling_params: Sequence[dict[str, Any]], **_: Any
    ) -> list[dict[str, str]]:
        texts = []
        for prompt, given in zip(input_ids, sampling_params, strict=True):
            check_parameters(given, SGLANG_FIELDS, "max_new_tokens")
            text = self.checkpoint.generate(
                prompt, given["max_new_tokens"], given["stop"]
            )
            texts.append({"text": text})
        return texts


def install(patch: pytest.MonkeyPatch) -> None:
    """Put the stand-ins where the harness imports the real ones from."""

    def template(tokenizer: Any, **_: Any) -> str:
        return tokenizer.chat_template

    def tokenizer(path: str, **_: Any) -> Any:
        from transformers import AutoTokenizer

        return AutoTokenizer.from_pretrained(path)

    modules = {
        "vllm": {"LLM": VllmEngine, "SamplingParams": SamplingParams},
        "vllm.lora": {},
        "vllm.lora.request": {"LoRARequest": object},
        "vllm.renderers": {},
        "vllm.renderers.hf": {"resolve_chat_template": template},
        "vllm.tokenizers": {"get_tokenizer": tokenizer},
        "sglang": {"Engine": SglangEngine},
    }
    modules["vllm"]["TokensPrompt"] = dict
    for name, contents in modules.items():
        module = ModuleType(name)
        module.__spec__ = importlib.machinery.ModuleSpec(name, None, is_package=True)
        module.__dict__.update(contents, __path__=[])
        patch.setitem(sys.modules, name, module)
    version = importlib.metadata.version
    patch.setattr(
        importlib.metadata,
        "version",
        lambda name: "0.33.0" if name == "vllm" else version(name),
    )
