"""Comparisons of two things: a sub-query for each side and, if the criterion is clear, a computed comparison."""

import re
from collections.abc import Iterable

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
from services.decompose.words.phrases import find_phrases

_MAX_WORDS = 4
"""Maximum length of a side, in words without articles (taste)."""
_MAX_WORDS_WITH_ATTRIBUTES = 8
"""Maximum length of a noun group, in words (taste)."""
_ALONE = "{side}"
"""The template of a side that becomes a sub-query without further words."""


def split_comparison(question: str, domain: Domain, language: str) -> Split | None:
    """Return a sub-query for each side of a comparison, and the computation on their answers.

    Returns None if nothing is compared or the sides are not clear.
    """
    return next((split for split in _Comparison(question, domain, language).splits() if split), None)


class _Comparison:
    """The rules for one question; each returns None if it does not apply."""

    def __init__(self, question: str, domain: Domain, language: str) -> None:
        self._question = question
        self._domain = domain
        self._language = language
        self._forms = ComparisonForms.of(language)

    def splits(self) -> Iterable[Split | None]:
        """Yield the split by each form that matches, the most specific form first."""
        forms = self._forms
        rules = (
            ((forms.compare,), self._request), (forms.chosen_by_date.values(), self._by_date),
            (forms.chosen_by_amount.values(), self._by_amount), (forms.chosen_by_quality.values(), self._by_quality),
            (forms.yes_no.values(), self._yes_or_no), (forms.differences.values(), self._difference),
        )  # fmt: skip
        for patterns, rule in rules:
            for match in filter(None, (pattern.fullmatch(self._question) for pattern in patterns)):
                yield rule(match)

    def _request(self, match: re.Match[str]) -> Split | None:
        """ "Compare the cameras of Viking 1 and Viking 2"."""
        template = self._forms.quality_of.format(quality=match["quality"], side="{side}")
        return self._split(match, template if match["quality"] else _ALONE)

    def _by_date(self, match: re.Match[str]) -> Split | None:
        """ "Which was launched earlier, Viking 1 or Viking 2"."""
        return self._split(match, self._fill(self._forms.date_question, match), self._chooser(match))

    def _by_amount(self, match: re.Match[str]) -> Split | None:
        """ "Which brought back more soil, Luna 16 or Luna 24"."""
        return self._split(match, self._amount_template(match), self._chooser(match))

    def _by_quality(self, match: re.Match[str]) -> Split | None:
        """ "Which is larger, Jupiter or Saturn", "which launched earlier, …", "did A or B drive farther"."""
        return self._split(match, self._quality_template(match), self._chooser(match))

    def _yes_or_no(self, match: re.Match[str]) -> Split | None:
        """ "Is Jupiter larger than Saturn", "did Venera 13 survive longer than Venera 14"."""
        template = self._amount_template(match) if "more" in match.groupdict() else self._quality_template(match)
        function = self._forms.yes_no_functions.get(self._chooser(match), "")
        return self._split(match, template, function, names_only=True)

    def _difference(self, match: re.Match[str]) -> Split | None:
        """ "What is the difference between Viking 1 and Viking 2"."""
        return self._split(match, _ALONE, names_only=True)

    def _split(self, match: re.Match[str], template: str, function: str = "", names_only: bool = False) -> Split | None:
        """A split that asks both sides in the same way and, with a function, computes on the two answers."""
        sides = [self._side(match[name].strip(" ,"), names_only, template == _ALONE) for name in ("one", "other")]
        if not template or not all(sides) or sides[0].lower() == sides[1].lower():
            return None
        texts, reason = [template.format(side=side) for side in sides], f'it compares "{sides[0]}" with "{sides[1]}"'
        if not function:
            return Split.of(texts, reason)
        arguments = ("#1", "#2") if function.startswith("is_") else (sides[0], "#1", sides[1], "#2")
        question = match.string[:1].lower() + match.string[1:]
        return Split.computed(texts, question, FunctionCall(function, arguments), reason)

    def _side(self, side: str, names_only: bool, alone: bool) -> str:
        """A side: a description or a single noun phrase; empty for anything else.

        Args:
            side: what stands on one side in the question.
            names_only: whether a thing without a proper name is refused.
            alone: whether the side becomes a sub-query without further words.
        """
        if language_of(self._language).capitalises_nouns:
            return self._noun_group(side, names_only, alone)
        description = find_description(side, self._domain, self._language, bare=True)
        if description and (description.start, description.end) == (0, len(side)):
            return side
        phrases, articles = find_phrases(side, language=self._language), Grammar.of(self._language).articles
        count = sum(token.text.lower() not in articles for token in tokenize(side))
        if len(phrases) != 1 or not len(tokenize(f"{phrases[0].text} {phrases[0].tail}")) == count <= _MAX_WORDS:
            return ""
        is_refused = names_only and not phrases[0].kind.is_name
        return "" if is_refused else f"{phrases[0].with_determiner} {phrases[0].tail}".strip()

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
        is_kept = self._forms.keeps_determiners and not alone
        return side if is_kept or not group.determiner else side[reader.tokens[1].start :]

    def _chooser(self, match: re.Match[str]) -> str:
        """The function that chooses by the adjective's quality or the greater amount; empty if none is known."""
        if "more" in match.groupdict():
            return "greatest" if match["more"].lower() in self._forms.more else "least"
        adjective = match["adjective"].lower()
        return next((name for name, adjectives in self._domain.comparing.items() if adjective in adjectives), "")

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
