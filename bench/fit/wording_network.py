"""The tagger's network in torch, for fitting: the same as `services.decompose.wording.tagger`, in batches."""

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from services.decompose.wording.inputs import AGES, FEATURES, PLACES, TURN_WORDS, Inputs

HEADS, WIDTH, LAYERS = 4, 64, 2
"""How to fit, as the numbers below: chosen by hand among some twelve."""
EPOCHS, BATCH, RATE, DECAY = 5, 16, 5e-4, 0.05
DROPOUT = 0.5
"""Of the states' and features' channels; within layers it is .1."""
MADE = 0.2
"""Share of the made rows, drawn anew in each epoch."""
WANTED_WEIGHT, NEED_WEIGHT = 1.5, 0.3
NOWHERE = -1e4
_CLIP = 4.0


@dataclass(frozen=True, slots=True)
class Example:
    """A row's inputs, with indices into the table of states in place of vectors, and what it needs."""

    inputs: Inputs
    wanted: Tensor
    """Of each stem: whether it is needed."""
    needs_any: bool
    weight: float


class Layer(nn.Module):  # type: ignore[misc]  # torch is not installed where types are checked
    """Attention of the turn to all, of the history to the turn, and a feed-forward part that they share."""

    def __init__(self, width: int, dropout: float = 0.1) -> None:
        super().__init__()
        self.n1, self.n2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.q, self.k, self.v, self.o = (nn.Linear(width, width) for _ in range(4))
        inner = nn.GELU(approximate="tanh"), nn.Dropout(dropout)
        self.f = nn.Sequential(nn.Linear(width, 2 * width), *inner, nn.Linear(2 * width, width))
        self.drop = nn.Dropout(dropout)

    def forward(self, turn: Tensor, words: Tensor, turn_mask: Tensor, word_mask: Tensor) -> tuple[Tensor, Tensor]:
        """The next states of both."""
        own, others = self.n1(turn), self.n1(words)
        both, both_mask = torch.cat([own, others], 1), torch.cat([turn_mask, word_mask], 1)
        turn = turn + self._attention(own, both, both_mask)
        words = words + self._attention(others, own, turn_mask)
        return turn + self.drop(self.f(self.n2(turn))), words + self.drop(self.f(self.n2(words)))

    def _attention(self, queries: Tensor, keys: Tensor, mask: Tensor) -> Tensor:
        def by_head(x: Tensor) -> Tensor:
            return x.view(len(x), x.shape[1], HEADS, -1).transpose(1, 2)

        mixed = functional.scaled_dot_product_attention(
            by_head(self.q(queries)), by_head(self.k(keys)), by_head(self.v(keys)), attn_mask=mask[:, None, None, :]
        )
        attended: Tensor = self.drop(self.o(mixed.transpose(1, 2).reshape(queries.shape)))
        return attended


class Network(nn.Module):  # type: ignore[misc]  # as above
    """Scores of stems, and of the need of anything."""

    def __init__(self, states: int) -> None:
        super().__init__()
        width = WIDTH
        self.proj, self.feat, self.lin = nn.Linear(states, width), nn.Linear(FEATURES, width), nn.Linear(FEATURES, 1)
        self.kind, self.age = nn.Embedding(3, width), nn.Embedding(2 * AGES, width)
        self.pos, self.tpos = nn.Embedding(PLACES, width), nn.Embedding(TURN_WORDS, width)
        self.cls = nn.Parameter(torch.zeros(width))
        self.blocks = nn.ModuleList(Layer(width) for _ in range(LAYERS))
        self.fin, self.word, self.need = nn.LayerNorm(width), nn.Linear(width, 1), nn.Linear(width, 1)
        self.drop = nn.Dropout(DROPOUT)
        for embedding in (self.kind, self.age, self.pos, self.tpos):
            nn.init.normal_(embedding.weight, std=0.1)
        nn.init.zeros_(self.lin.weight)
        nn.init.constant_(self.word.bias, -2.5)

    def forward(self, states: Tensor, inputs: Sequence[Inputs]) -> tuple[Tensor, Tensor]:
        """Shapes (rows, stems) and (rows,)."""
        weight = self.proj.weight
        if self.training:  # whole channels are dropped: a mask of every value would take longer than the product
            weight = weight * (torch.rand(weight.shape[1]) > DROPOUT) / (1 - DROPOUT)
        turn, turn_mask = padded([i.turn[:, 0].astype(np.int64) for i in inputs])
        words, word_mask = padded([i.words[:, 0].astype(np.int64) for i in inputs])
        stem_of, _ = padded([i.stem_of for i in inputs])
        features = nn.utils.rnn.pad_sequence([torch.from_numpy(i.features) for i in inputs], batch_first=True)
        if not features.shape[1]:  # no row has anything to take
            features = functional.pad(features, (0, 0, 0, 1))
        t = functional.linear(states[turn], weight, self.proj.bias) + self.kind(padded([i.kinds for i in inputs])[0])
        t = torch.cat([self.cls.expand(len(inputs), 1, -1), t + self.tpos.weight[: t.shape[1]]], 1)
        turn_mask = functional.pad(turn_mask, (1, 0), value=True)
        h = functional.linear(states[words], weight, self.proj.bias) + self.age(padded([i.ages for i in inputs])[0])
        h = h + self.pos(padded([i.places for i in inputs])[0])
        of_stem = self.feat(self.drop(features))
        h = h + of_stem.gather(1, stem_of[..., None].expand(-1, -1, of_stem.shape[2]))
        for block in self.blocks:
            t, h = block(t, h, turn_mask, word_mask)
        scores = self.word(self.fin(h))[..., 0].masked_fill(~word_mask, NOWHERE)
        best = torch.full(features.shape[:2], NOWHERE).scatter_reduce(1, stem_of, scores, "amax")
        return best + self.lin(features)[..., 0], self.need(self.fin(t[:, 0]))[:, 0]


def padded(arrays: "Sequence[np.ndarray[tuple[int], np.dtype[np.int64]]]") -> tuple[Tensor, Tensor]:
    """One tensor of rows of unequal length, at least one wide, and the mask of what is there."""
    width = max(1, *(len(array) for array in arrays))
    values, mask = torch.zeros(len(arrays), width, dtype=torch.long), torch.zeros(len(arrays), width, dtype=torch.bool)
    for row, array in enumerate(arrays):
        values[row, : len(array)] = torch.from_numpy(array)
        mask[row, : len(array)] = True
    return values, mask


def fit(states: Tensor, own: Sequence[Example], made: Sequence[Example], seed: int) -> Network:
    """A network fitted to rows that people rewrote and, in part, to made ones."""
    torch.manual_seed(seed)
    chance = random.Random(seed)
    network = Network(states.shape[1])
    optimizer = torch.optim.AdamW(network.parameters(), lr=RATE, weight_decay=DECAY)
    drawn = int(MADE * len(made))
    steps, step = EPOCHS * math.ceil((len(own) + drawn) / BATCH), 0
    network.train()
    for _ in range(EPOCHS):
        examples = [*own, *chance.sample(made, drawn)]
        examples.sort(key=lambda example: len(example.inputs.words) + chance.random() * 60)  # batches of like length
        batches = [examples[i : i + BATCH] for i in range(0, len(examples), BATCH)]
        chance.shuffle(batches)
        for batch in batches:
            for group in optimizer.param_groups:
                group["lr"] = RATE * min(1, (step + 1) / 40) * max(0.02, 1 - step / steps)
            optimizer.zero_grad()
            _loss(network, states, batch).backward()
            nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            optimizer.step()
            step += 1
    network.eval()
    return network


def _loss(network: Network, states: Tensor, batch: Sequence[Example]) -> Tensor:
    """A row's loss is divided by the root of its stems, lest those after long answers outweigh all others."""
    scores, needs = network(states, [example.inputs for example in batch])
    weight = torch.tensor(WANTED_WEIGHT)
    total, weights = torch.zeros(()), 0.0
    for example, row in zip(batch, scores, strict=True):
        if count := len(example.wanted):
            losses = functional.binary_cross_entropy_with_logits(
                row[:count], example.wanted, pos_weight=weight, reduction="sum"
            )
            total = total + example.weight * losses / math.sqrt(count)
            weights += example.weight
    needed = torch.tensor([float(example.needs_any) for example in batch])
    need_loss = functional.binary_cross_entropy_with_logits(needs, needed)
    return total / max(weights, 1.0) + NEED_WEIGHT * need_loss
