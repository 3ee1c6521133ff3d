"""What of a good reader's answer arrives: a model that knows which facts are wanted writes, and Parley checks it.

    python -m bench.oracle FOLDER [--corpus NAME …]

FOLDER has the form that `parley eval docs` takes. The model (`bench.oracle.reader`) is told the question's facts. It
looks for them in the passages of its prompt and writes the sentences that hold them in other words, in one of several
shapes. What it wrote and `text_end` lacks was lost by the checks, for the model made no mistake. Where nothing of it is
left the rules quote, which may bring a fact back: such answers are counted. Then the same with one number, name, date,
unit or negation made false in a sentence: those have to be withdrawn.

Questions are asked in sessions by default requests; condensing, planning and understanding are left to the rules.
"""
