"""Turns with a language model that takes a real one's time, Parley beside txtai in the same run.

    python -m bench.model MTRAG_FOLDER --rivals-env FOLDER

MTRAG_FOLDER is as for `bench.peers`, and so is the environment of the rivals; `make bench-model MTRAG=folder` makes it.
Both get the same 20,000 passages with their vectors and all development turns of the benchmark with its recorded
histories, one after the other. The model (`bench.model.slow_model`) sends its first token after 400 ms and each further
one, forms included, after 10 ms; it rewrites a turn as the benchmark does, splits one turn in ten and answers with 60
tokens in sentences of the passages that it is given. These times and lengths are chosen by hand.

Parley is asked by default requests. Only turns that end ANSWERED with the model's text count in its times; their share
is printed. nDCG@10 and R@10 are those of the ranking that the shown answer was written from.
"""
