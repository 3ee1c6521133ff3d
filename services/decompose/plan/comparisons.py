"""Comparisons of two things: a sub-query for each side and, if the criterion is clear, a computed comparison."""

import re
from collections.abc import Mapping

from libs.contracts.query import FunctionCall
from libs.language.known import language_of
from libs.language.topics.grammar import Grammar, NounPhrases
from libs.language.topics.plans import ComparisonForms
from libs.text.tokens import tokenize
from services.decompose.plan.descriptions import find_description
from services.decompose.plan.parts import Split
from services.decompose.words.domain import Domain
from services.decompose.words.grammar import base_form
from services.decompose.words.noun_groups import NounGroupReader
from services.decompose.words.phrases import Phrase, find_phrases

_MAX_WORDS = 4
"""Maximum length of a side, in words without articles (taste)."""
_MAX_WORDS_WITH_ATTRIBUTES = 8
"""Maximum length of a noun group, in words (taste)."""


class SideReader:
    """Reads the sides of comparisons in a language."""

    def __init__(self, domain: Domain, language: str) -> None:
        self._domain = domain
        self._language = language

    def read(self, text: str, names_only: bool, alone: bool) -> str:
        """Return a side: a description or a single noun phrase; empty for anything else.

        Args:
            text: what stands on one side in the question.
            names_only: whether a thing without a proper name is refused.
            alone: whether the side becomes a sub-query without further words.
        """
        side = text.strip(" ,")
        if language_of(self._language).capitalises_nouns:
            return self._noun_group(side, names_only, alone)
        description = find_description(side, self._domain, self._language, bare=True)
        if description and (description.start, description.end) == (0, len(side)):
            return side
        phrase = self._phrase(side)
        if phrase is None or (names_only and not phrase.kind.is_name):
            return ""
        return phrase.with_determiner + (f" {phrase.tail}" if phrase.tail else "")

    def _noun_group(self, side: str, is_definite: bool, alone: bool) -> str:
        """The side if it is a noun group, as it stands or, alone, without its determiner.

        Capitals do not tell a name from a thing here, so a thing must be definite instead.
        """
        reader = NounGroupReader(side, self._language)
        group = reader.group_at(0)
        if group is None or group.last + 1 < len(reader.tokens) or len(reader.tokens) > _MAX_WORDS_WITH_ATTRIBUTES:
            return ""
        has_article = group.determiner in NounPhrases.of(self._language).definite_articles
        if group.determiner and is_definite and not has_article:
            return ""
        is_kept = ComparisonForms.of(self._language).keeps_determiners and not alone
        return side if is_kept or not group.determiner else side[reader.tokens[1].start :]

    def _phrase(self, text: str) -> Phrase | None:
        phrases = find_phrases(text, language=self._language)
        articles = Grammar.of(self._language).articles
        words = [token for token in tokenize(text) if token.text.lower() not in articles]
        if len(phrases) != 1 or not words:
            return None
        length = len(tokenize(phrases[0].text)) + len(tokenize(phrases[0].tail))
        return phrases[0] if length == len(words) <= _MAX_WORDS else None


def split_comparison(question: str, domain: Domain, language: str) -> Split | None:
    """Return a sub-query for each side of a comparison, and the computation on their answers.

    Returns None if nothing is compared or the sides are not clear.
    """
    comparison = _Comparison(question, domain, language)
    rules = (
        comparison.of_request, comparison.by_date, comparison.by_amount, comparison.by_quality, comparison.by_yes_or_no,
        comparison.of_difference,
    )  # fmt: skip
    return next((split for split in (rule() for rule in rules) if split), None)


class _Comparison:
    """The rules for one question; each returns None if it does not apply."""

    def __init__(self, question: str, domain: Domain, language: str) -> None:
        self._question = question
        self._domain = domain
        self._language = language
        self._forms = ComparisonForms.of(language)

    def of_request(self) -> Split | None:
        """ "Compare the cameras of Viking 1 and Viking 2"."""
        match = self._forms.compare.fullmatch(self._question)
        if not match:
            return None
        template = self._forms.quality_of.format(quality=match["quality"], side="{side}")
        return self._split(match, template if match["quality"] else "{side}")

    def by_date(self) -> Split | None:
        """ "Which was launched earlier, Viking 1 or Viking 2"."""
        for match in self._matches(self._forms.chosen_by_date):
            return self._split(match, self._fill(self._forms.date_question, match), self._chooser(match))
        return None

    def by_amount(self) -> Split | None:
        """ "Which brought back more soil, Luna 16 or Luna 24"."""
        for match in self._matches(self._forms.chosen_by_amount):
            if template := self._amount_template(match):
                return self._split(match, template, self._amount_chooser(match))
        return None

    def by_quality(self) -> Split | None:
        """ "Which is larger, Jupiter or Saturn", "which launched earlier, …", "did A or B drive farther"."""
        for match in self._matches(self._forms.chosen_by_quality):
            if template := self._quality_template(match):
                return self._split(match, template, self._chooser(match))
        return None

    def by_yes_or_no(self) -> Split | None:
        """ "Is Jupiter larger than Saturn", "did Venera 13 survive longer than Venera 14"."""
        for match in self._matches(self._forms.yes_no):
            has_amount = "more" in match.groupdict()
            template = self._amount_template(match) if has_amount else self._quality_template(match)
            chooser = self._amount_chooser(match) if has_amount else self._chooser(match)
            return self._split(match, template, self._forms.yes_no_functions.get(chooser, ""), names_only=True)
        return None

    def of_difference(self) -> Split | None:
        """ "What is the difference between Viking 1 and Viking 2"."""
        for match in self._matches(self._forms.differences):
            return self._split(match, "{side}", names_only=True)
        return None

    def _matches(self, patterns: Mapping[str, re.Pattern[str]]) -> list[re.Match[str]]:
        matches = (pattern.fullmatch(self._question) for pattern in patterns.values())
        return [match for match in matches if match]

    def _split(self, match: re.Match[str], template: str, function: str = "", names_only: bool = False) -> Split | None:
        """A split that asks both sides in the same way and, with a function, computes on the two answers."""
        reader = SideReader(self._domain, self._language)
        sides = [reader.read(match[name], names_only, alone=template == "{side}") for name in ("one", "other")]
        if not template or not all(sides) or sides[0].lower() == sides[1].lower():
            return None
        texts, reason = [template.format(side=side) for side in sides], f'it compares "{sides[0]}" with "{sides[1]}"'
        if not function:
            return Split.of(texts, reason)
        arguments = ("#1", "#2") if function.startswith("is_") else (sides[0], "#1", sides[1], "#2")
        question = match.string[:1].lower() + match.string[1:]
        return Split.computed(texts, question, FunctionCall(function, arguments), reason)

    def _chooser(self, match: re.Match[str]) -> str:
        """The function that compares two things by the adjective's quality; empty if none is known."""
        adjective = match["adjective"].lower()
        return next((name for name, adjectives in self._domain.comparing.items() if adjective in adjectives), "")

    def _amount_chooser(self, match: re.Match[str]) -> str:
        """The function that chooses the greater or smaller amount."""
        return "greatest" if match["more"].lower() in self._forms.more else "least"

    def _quality_template(self, match: re.Match[str]) -> str:
        """The question for one side: "how large is {side}", "when did {side} launch"; empty if no rule applies."""
        forms, adjective = self._forms, match["adjective"].lower()
        question = self._domain.adjectives.get(adjective, "")
        if match["verb"].lower() not in forms.be_forms:
            is_clear = question or adjective in forms.timed_adjectives
            return self._fill(forms.action_question, match, question=question or forms.when) if is_clear else ""
        quality = adjective.split()[-1] if " " in adjective else ""
        if not question and not quality:
            return ""
        template = forms.quality_question if question else forms.unnamed_quality_question
        return self._fill(template, match, question=question, quality=quality)

    def _amount_template(self, match: re.Match[str]) -> str:
        """The question for "brought back more soil": how much soil a side brought back; empty without a known verb."""
        forms, thing = self._forms, match["thing"].split()[-1].lower()
        is_mass = match["more"].lower() in forms.uncounted_more or thing in forms.uncounted
        quantifier = forms.quantifiers.get("mass" if is_mass else "count", "")
        return self._fill(forms.amount_question, match, quantifier=quantifier)

    def _fill(self, template: str, match: re.Match[str], **words: str) -> str:
        """A template with the groups of a match, and `{side}` left open; empty if it needs the base of another word."""
        groups = {name: text or "" for name, text in match.groupdict().items()}
        verb = groups["verb"].lower()
        base = base_form(verb, self._language)
        if base is None and "{base}" in template:
            return ""
        parts = {**groups, **words, "verb": verb, "base": base, "side": "{side}"}
        return " ".join(template.format(**parts).split())
