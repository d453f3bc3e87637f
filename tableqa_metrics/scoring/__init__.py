"""`tableqa score`: files of references and of predictions to figures, without a model.

`questions` read the references, `formats` find out what a file of predictions holds, a
`glance` at each row says which question it answers, and `scorer` scores it as the
harness's tasks do (`tasks`, `tanq`, `tat`, `finqa`). These work on blocks of rows, in
several processes if asked (`pool`). The first process puts together what they return:
`references` and `plan`, which question is where, then the `sheet` of scores, then
`figures`. `run` does this for a file, `output` and `text` write the figures, and `command`
is the command.

Files in JSON Lines or CSV are read block by block, and never held in memory; nor is what
is known of a question, or its scores (`store`), or the samples of the output (`samples`).
In memory is one byte a question, and the ids that are missing, of no question or there
twice. Whole JSON files are held while they are read, and a comparison of two files holds
one metric of both.
"""
