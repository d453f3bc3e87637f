"""Tiny models that the tests build: real checkpoints of `transformers`, made offline.

One has random weights, so that each prompt gets an answer of its own. The other says one
text whatever it is asked: its layers add nothing, so that each token alone decides
which token follows, and the text is a chain of tokens that ends in the end of the turn.
"""

import json
from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import lm_eval_tasks


SAMPLES = sorted(Path(lm_eval_tasks.__file__).parent.glob("*/samples/*.json*"))
END = "<|im_end|>"
CHAT_TEMPLATE = (
    "{% for message in messages %}"
    "<|im_start|>{{ message.role }}\n{{ message.content }}"
    "{{ '' if loop.last and not add_generation_prompt else '<|im_end|>\n' }}"
    "{% endfor %}"
    "{{ '<|im_start|>assistant\n' if add_generation_prompt }}"
)
# Longer than the longest prompt of a sample and all that a task lets a model write.
CONTEXT = 16_384


def tokenizer(said: Sequence[str] = (), special: Iterable[str] = ()) -> Any:
    """Train a tokenizer on the samples; each text that is to be said is one token.

    Parameters
    ----------
    said
        Texts that become tokens of their own.
    special
        Those of them that are special, which decoding leaves out.
    """
    from tokenizers import (
        AddedToken,
        Tokenizer,
        decoders,
        models,
        pre_tokenizers,
        trainers,
    )
    from transformers import PreTrainedTokenizerFast

    inner = Tokenizer(models.BPE())
    inner.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    inner.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=512,
        special_tokens=["<|pad|>", "<|im_start|>", END],
        initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()),
        show_progress=False,
    )
    inner.train_from_iterator((_prose(path) for path in SAMPLES), trainer)
    inner.add_tokens(
        [AddedToken(text, normalized=False, special=text in special) for text in said]
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=inner,
        pad_token="<|pad|>",
        eos_token=END,
        chat_template=CHAT_TEMPLATE,
        model_max_length=CONTEXT,
        extra_special_tokens=list(special),
    )


def random_model(folder: Path) -> Path:
    """Write a checkpoint with random weights; what it says depends on the prompt."""
    import torch

    tokens = tokenizer()
    torch.manual_seed(0)
    model = _llama(tokens, hidden_size=64)
    for weight in model.parameters():
        # Far from the small weights of a fresh model, which only repeat their input.
        if weight.dim() > 1:
            torch.nn.init.normal_(weight, std=0.5)
    # Some backends write special tokens out, others do not.
    specials = tokens.convert_tokens_to_ids(["<|pad|>", "<|im_start|>"])
    model.generation_config.suppress_tokens = specials
    return _save(folder, model, tokens)


def saying_model(
    folder: Path, pieces: Sequence[str], *, special: Iterable[str] = ()
) -> Path:
    """Write a checkpoint that says these pieces after each prompt of our tasks.

    Parameters
    ----------
    folder
        Where to.
    pieces
        Each becomes one token, so that no two may be equal.
    special
        Pieces that are special tokens, such as `</think>` in some models.
    """
    import torch

    tokens = tokenizer(pieces, special)
    model = _llama(tokens, hidden_size=len(tokens))
    said = [tokens.convert_tokens_to_ids(piece) for piece in (*pieces, END)]
    # A prompt of ours ends in a colon, a chat template in the line of the role.
    starts = {tokens.encode(end)[-1] for end in ("\nAnswer:", "assistant\n")}
    with torch.no_grad():
        for layer in model.model.layers:
            layer.self_attn.o_proj.weight.zero_()
            layer.mlp.down_proj.weight.zero_()
        model.model.embed_tokens.weight.copy_(torch.eye(len(tokens)))
        follows = model.lm_head.weight.zero_()
        for before in starts:
            follows[said[0], before] = 1
        for before, after in pairwise(said):
            follows[after, before] = 1
    return _save(folder, model, tokens)


def _llama(tokens: Any, hidden_size: int) -> Any:
    from transformers import LlamaConfig, LlamaForCausalLM

    return LlamaForCausalLM(
        LlamaConfig(
            vocab_size=len(tokens),
            hidden_size=hidden_size,
            intermediate_size=64,
            num_hidden_layers=2,
            num_attention_heads=1,
            head_dim=16,
            max_position_embeddings=CONTEXT,
            bos_token_id=None,
            eos_token_id=tokens.eos_token_id,
            pad_token_id=tokens.pad_token_id,
            tie_word_embeddings=False,
        )
    )


def _save(folder: Path, model: Any, tokens: Any) -> Path:
    model.save_pretrained(folder)
    tokens.save_pretrained(folder)
    return folder


def _prose(path: Path) -> str:
    """Return the records of a file as text that looks like the prompts."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".jsonl":
        records = [json.loads(line) for line in text.splitlines()]
    else:
        records = json.loads(text)
    return json.dumps(records, ensure_ascii=False, indent=0)
