"""The same measuring for everybody: one caller, then many; CPU and memory of the processes that do the work.

Needs psutil alone, so that it runs in the other engines' environment, too. What an engine raises is counted.
"""

import asyncio
import json
import statistics
import sys
import time
import urllib.request
from collections.abc import AsyncIterator, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Protocol

import psutil

from bench.peers.base import Turn

WARM = 10
"""Questions before anything is measured (taste)."""


class Engine(Protocol):
    """What is measured."""

    def ask(self, turn: Turn, passage_ids: list[str]) -> AsyncIterator[str]:
        """The pieces of the answer; the ids of its passages are added to `found`."""
        ...


@dataclass(frozen=True, slots=True)
class Load:
    """How much is asked (taste)."""

    questions: int = 60
    callers: int = 32
    seconds: float = 20.0


@dataclass(slots=True)
class Figures:
    """Milliseconds, megabytes (10^6 bytes), CPU in milliseconds a question by process."""

    name: str
    first_p50: float = 0.0
    first_p95: float = 0.0
    whole_p50: float = 0.0
    cpu: dict[str, float] = field(default_factory=dict)
    rewrites: float = 0.0
    """Calls to the language model for a rewrite, a question."""
    answers: float = 0.0
    hits: float = 0.0
    """Share of questions with a judged passage among those that the answer is written from."""
    rate: float = 0.0
    """Questions a second of all callers together."""
    many_first_p50: float = 0.0
    many_first_p95: float = 0.0
    many_cpu: dict[str, float] = field(default_factory=dict)
    errors: int = 0
    resident: dict[str, float] = field(default_factory=dict)
    """Pages that processes share are counted in each."""
    proportional: float = 0.0
    """All processes; a shared page is counted once."""

    def as_json(self) -> str:
        """One line."""
        return json.dumps(asdict(self))


def median_of(several: Sequence[Figures]) -> Figures:
    """Of one engine's figures; errors are added up."""
    whole = Figures(several[0].name)
    for each in fields(Figures):
        values = [getattr(figures, each.name) for figures in several]
        if isinstance(values[0], dict):
            setattr(whole, each.name, {key: statistics.median(value[key] for value in values) for key in values[0]})
        elif each.name != "name":
            setattr(whole, each.name, sum(values) if each.name == "errors" else statistics.median(values))
    return whole


@dataclass(slots=True)
class _Times:
    first: list[float] = field(default_factory=list)
    whole: list[float] = field(default_factory=list)
    hits: int = 0
    errors: int = 0


async def measure(
    name: str, engine: Engine, turns: Sequence[Turn], processes: dict[str, psutil.Process], model: str, load: Load
) -> Figures:
    """Ask the turns in their order.

    Args:
        processes: those that do the work, by name.
        model: the stub's address, `http://127.0.0.1:N`.
    """
    warming = _Times()
    for turn in turns[-WARM:]:
        await _ask(engine, turn, warming)
    figures = Figures(name)
    await _one_caller(figures, engine, turns[: load.questions], processes, model)
    await _many_callers(figures, engine, turns, processes, load)
    figures.errors += warming.errors
    figures.resident = {name: process.memory_info().rss / 1e6 for name, process in processes.items()}
    figures.proportional = sum(process.memory_full_info().pss / 1e6 for process in processes.values())
    return figures


async def _one_caller(
    figures: Figures, engine: Engine, turns: Sequence[Turn], processes: dict[str, psutil.Process], model: str
) -> None:
    ask_stub(model, "reset")
    times, before = _Times(), _cpu(processes)
    for turn in turns:
        await _ask(engine, turn, times)
    calls = ask_stub(model, "stats")
    figures.cpu = _processor_time(before, processes, len(turns))
    figures.first_p50, figures.first_p95 = quantile(times.first, 50), quantile(times.first, 95)
    figures.whole_p50 = quantile(times.whole, 50)
    figures.rewrites, figures.answers = calls.get("rewrite", 0) / len(turns), calls.get("answer", 0) / len(turns)
    figures.hits, figures.errors = times.hits / len(turns), times.errors


async def _many_callers(
    figures: Figures, engine: Engine, turns: Sequence[Turn], processes: dict[str, psutil.Process], load: Load
) -> None:
    times, before, start = _Times(), _cpu(processes), time.perf_counter()

    async def call(place: int) -> None:
        while time.perf_counter() < start + load.seconds:
            await _ask(engine, turns[place % len(turns)], times)
            place += load.callers

    await asyncio.gather(*(call(place) for place in range(load.callers)))
    figures.rate = len(times.whole) / (time.perf_counter() - start)
    figures.many_cpu = _processor_time(before, processes, max(1, len(times.whole)))
    figures.many_first_p50, figures.many_first_p95 = quantile(times.first, 50), quantile(times.first, 95)
    figures.errors += times.errors


async def _ask(engine: Engine, turn: Turn, times: _Times) -> None:
    """One question; whatever goes wrong is an error of the engine."""
    start, first = time.perf_counter(), 0.0
    passage_ids: list[str] = []
    try:
        async for piece in engine.ask(turn, passage_ids):
            if piece and not first:
                first = time.perf_counter() - start
    except Exception as error:
        if not times.errors:
            sys.stderr.write(f"{type(error).__name__}: {str(error)[:300]}\n")  # enough to tell the cause
        times.errors += 1
        return
    if not first:
        times.errors += 1
        return
    times.first.append(first * 1000)
    times.whole.append((time.perf_counter() - start) * 1000)
    times.hits += not set(passage_ids).isdisjoint(turn.judged)


def quantile(values: Sequence[float], percent: int) -> float:
    """By linear interpolation; 0 of none."""
    if len(values) < 2:
        return values[0] if values else 0.0
    return statistics.quantiles(values, n=100, method="inclusive")[percent - 1]


def _cpu(processes: dict[str, psutil.Process]) -> dict[str, float]:
    """Seconds of user and system time so far."""
    return {name: sum(process.cpu_times()[:2]) for name, process in processes.items()}


def _processor_time(before: dict[str, float], processes: dict[str, psutil.Process], questions: int) -> dict[str, float]:
    return {name: 1000 * (seconds - before[name]) / questions for name, seconds in _cpu(processes).items()}


def ask_stub(address: str, action: str) -> dict[str, int]:
    """How often a stub was asked for what (`stats`); `reset` begins anew."""
    with urllib.request.urlopen(f"{address}/{action}", timeout=10) as answer:
        counts: dict[str, int] = json.load(answer)
    return counts
