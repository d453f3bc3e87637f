"""Few-shot examples, with a clear error where there are too few to choose from."""

from collections.abc import Sequence
from typing import Any, ClassVar

from lm_eval.api.samplers import ContextSampler

from lm_eval_tasks.errors import DataError


class FewShotSampler(ContextSampler):
    """The harness's default sampler, which says what to do where the split is too small.

    A task names a subclass as `fewshot_config: {sampler: !function utils.FewShotSampler}`.

    Attributes
    ----------
    files
        Where the examples lie under a `data_dir`, for the message.
    """

    files: ClassVar[str] = "its file"

    def sample(
        self,
        n: int,
        eval_doc: dict[str, Any] | None = None,
        df: Sequence[dict[str, Any]] | None = None,
        **kwargs: Any,
    ) -> Sequence[dict[str, Any]]:
        """Draw `n` examples.

        Raises
        ------
        DataError
            If the few-shot split holds fewer, `eval_doc` left out.
        """
        pool = df or self.df
        # The harness gives the question where the examples are from its own split.
        own = eval_doc is not None
        if own and n >= len(pool):
            raise DataError(
                f"--num_fewshot {n}, but this task takes its examples from the "
                f"{len(pool)} records that it tests: at most {len(pool) - 1}"
            )
        if n > len(pool):
            raise DataError(
                f"--num_fewshot {n}, but the few-shot split of this task holds "
                f"{len(pool)} records that are not tested themselves: put {self.files} "
                f"into data_dir, or name a file for it in data_files (--metadata); if "
                f"`split` makes it the test split, test on another one"
            )
        return super().sample(n, eval_doc=eval_doc, df=df, **kwargs)
