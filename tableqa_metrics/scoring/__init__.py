"""`tableqa score`: files of references and of predictions to figures, without a model.

`questions` reads the references, `formats` finds out what a file of predictions holds,
`scorer` scores one of them as the harness's tasks do, `run` scores a file, `output` and
`text` write the result, and `command` is the command.
"""
