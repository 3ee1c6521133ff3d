"""Turn statements into questions by sentence pattern; only patterns that give natural sentences. Pure, with a cache."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from libs.language.calendar_names import month_names
from libs.language.topics.clauses import StatementForms
from libs.text.memoize import memoized
from libs.text.numbers.units import unit_named
from libs.text.tokens import is_stop_word
from services.answer.answer_types import holds_date
from services.answer.lexicon.words import base_forms

TOPIC = "topic"
_MAX_COMPLEMENT_WORDS = 5  # a longer complement makes no question (taste)


@dataclass(frozen=True, slots=True)
class GeneratedQuestion:
    """A generated question with its form (`when`, `what`, `topic` …) and the name that it asks about."""

    form: str
    subject: str
    text: str


@memoized(texts=2048, longest=1024)  # characters (taste)
def questions_of(sentence: str, title: str, language: str) -> tuple[GeneratedQuestion, ...]:
    """Return questions that the sentence answers; the title is its document's topic."""
    return tuple(_StatementReader(language).questions_of(sentence, title))


@dataclass(frozen=True, slots=True)
class _StatementReader:
    """Reads statements of one language."""

    language: str

    @property
    def forms(self) -> StatementForms:
        """The forms of the language; without data none matches."""
        return StatementForms.of(self.language)

    def questions_of(self, sentence: str, title: str) -> Iterator[GeneratedQuestion]:
        forms = self.forms
        body = forms.leading_date.sub("", sentence)
        dated = holds_date(sentence, self.language)
        if match := forms.measure.match(body):
            yield from self._question("measure", match["subject"], thing=match["thing"], article=_article(match))
        elif match := forms.passive.match(body):
            yield from self._from_passive(match) if dated else ()
        elif (match := forms.active.match(body)) and (
            match["verb"] in base_forms(self.language) or match["verb"] in forms.finite
        ):
            yield from self._from_active(match, dated)
        if (topic := forms.name.match(title)) and topic[0] in sentence:
            text = forms.questions[TOPIC].format(subject=topic[0])
            yield GeneratedQuestion(TOPIC, topic[0], text)

    def _from_passive(self, match: re.Match[str]) -> Iterator[GeneratedQuestion]:
        words = {**match.groupdict(default=""), "article": _article(match)}
        predicate = self.forms.predicates["passive"].format(**words)
        yield from self._question("when", match["subject"], predicate=predicate)

    def _from_active(self, match: re.Match[str], dated: bool) -> Iterator[GeneratedQuestion]:
        forms, subject, verb, rest = self.forms, match["subject"], match["verb"], match["rest"]
        base, article = base_forms(self.language).get(verb, verb), _article(match)
        predicate = forms.predicates["active"].format(subject=subject, verb=verb, base=base, article=article)
        if count := forms.count.match(rest):
            if unit_named(count["thing"], self.language) is None:
                yield from self._question("how_many", subject, thing=count["thing"], predicate=predicate)
        elif verb in forms.finding and forms.object_after.match(rest):
            yield from self._question("what", subject, predicate=predicate)
        elif dated and verb not in forms.stative and (complement := self._short_complement(rest)) is not None:
            yield from self._question("when", subject, predicate=f"{predicate}{complement}")

    def _short_complement(self, rest: str) -> str | None:
        """Return the words after the verb up to the date or the end of the clause; None if too many or unclear."""
        complement = self.forms.complement_end.split(rest)[0]
        is_short = len(complement.split()) <= _MAX_COMPLEMENT_WORDS
        return complement if is_short and not self.forms.unclear.search(complement) else None

    def _question(self, form: str, subject: str, **words: str) -> Iterator[GeneratedQuestion]:
        """Yield a question if its subject is a name and not `The`, `Three` or `Early`."""
        first = subject.split()[0].lower()
        if first not in month_names(self.language) and not is_stop_word(first, self.language):
            text = self.forms.questions[form].format(subject=subject, **words)
            yield GeneratedQuestion(form.replace("_", " "), subject, text)


def _article(match: re.Match[str]) -> str:
    """Return the article of a statement's subject as within a sentence, with the space; empty if it has none."""
    article = match.groupdict(default="").get("article", "")
    return f"{article.lower()} " if article else ""
