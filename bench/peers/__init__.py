"""Parley beside other engines on the same work, in one run.

    python -m bench.peers MTRAG_FOLDER --rivals-env FOLDER

MTRAG_FOLDER holds the benchmark's files by domain: `<domain>.passages.jsonl.gz` {id, title, text},
`<domain>.minilm.f16.npy` (their MiniLM vectors, rows in order) and `<domain>.mtrag_human.tasks.jsonl.gz`
{history [{speaker, text}], last_turn, qrels}. The other engines live in an environment of their own, since they bring
torch along; `requirements.txt` lists what it needs:

    python -m venv FOLDER && FOLDER/bin/pip install -r bench/peers/requirements.txt

`make peers MTRAG=folder` does both.

Everybody gets the same 20,000 passages with their vectors, the same recorded conversations and the same stub language
model, which answers at once: what is left is what the software costs. A question is rewritten by one call to it and
answered by a second one from ten passages, the best of twenty by words and twenty by vectors; the query is really
embedded. Parley checks every sentence besides, which nobody else does. These numbers are chosen by hand, as are the
numbers of callers, rounds and seconds.

The stub repeats the question, so only questions are taken that stand alone by Parley's rules: for such a one it
searches while the model is asked for the rewrite, here never in vain. Of MTRAG's 800 development turns 74 % stand so.
"""
