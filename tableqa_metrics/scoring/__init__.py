"""`tableqa score`: files of references and of predictions to figures, without a model.

`references` and `questions` read the one, `formats` finds out what the other holds, `plan`
matches them, and `scorer` scores each prediction as the harness's tasks do (`tasks`,
`tanq`, `tat`, `finqa`), in several processes if asked (`pool`). `run` makes figures of the
scores, `output` and `text` write them, and `command` is the command.

Predictions in JSON Lines or CSV are read row by row, twice, and never held in memory; nor
are the samples of the output, or the gold. What stays is about 350 bytes a question.
Whole JSON files are held while they are read.
"""
