"""Code outside the language room holds no words of a language that it reads, but for what is listed here."""

from pathlib import Path
from typing import Final

from tools.house import modules, reads_language

_ROOT: Final = Path(__file__).parents[3]
_EXCEPTIONS: Final = {
    "doors/mcp_api/tools.py": "fields of results, descriptions of tools",
    "doors/openai_api/chat_request.py": "names of roles",
    "gateway/audit/calls.py": "names of fields",
    "gateway/events/activities.py": "activities that clients are told",
    "gateway/graph/functions.py": "names of functions",
    "gateway/names.py": "names of stages",
    "gateway/store/": "statements of SQL, fields of mappings",
    "gateway/events/whole_turn.py": "names of event fields",
    "services/retrieve/engines/elasticsearch/mapping.py": "fields of a mapping",
    "services/retrieve/corpus/writing.py": "columns of a table",
    "services/retrieve/indexing/visible_length.py": "syntax of identifiers",
    "services/retrieve/sources/urls.py": "syntax of addresses",
    "services/timeline/non_event_dates.py": "abbreviations of bibliographies, in all languages",
    "libs/chronology/export/json.py": "fields of an export",
    "libs/documents/picture_quality.py": "names of picture files",
    "libs/engines/catalog.py": "names of tasks",
    "libs/graph/signatures.py": "names of functions",
    "libs/llm/capabilities.py": "error messages of model servers",
    "libs/llm/evidence.py": "marks of a prompt",
    "libs/runtime/telemetry/logs.py": "names of libraries",
    "libs/text/holidays.py": "codes of weekdays and rules",
    "libs/text/relative_readers.py": "codes of units",
    "libs/text/calendar_periods.py": "codes of units",
    "libs/text/unit_sizes.py": "codes of units",
    "libs/web/blocks.py": "names of HTML elements and classes",
    "libs/web/pages.py": "syntax of HTML",
    "cli/ask/drawing.py": "columns of a table",
    "cli/ask/event_renderer.py": "names of event fields",
    "cli/ask/full_event_renderer.py": "names of event fields",
    "cli/corpus.py": "columns of a table",
    "cli/view/documents.py": "columns of a table",
    "cli/ingest/tally.py": "outcomes of an ingest",
    "cli/suite/processes.py": "names of stages",
    "ingest/detection/charsets.py": "syntax of HTML",
    "ingest/content.py": "syntax of file formats",
    "ingest/fields.py": "keys of documents",
    "ingest/formats/markup.py": "syntax of markup",
    "ingest/formats/office.py": "syntax of file formats",
    "ingest/formats/pdf.py": "syntax of file formats",
    "ingest/formats/pdf_blocks.py": "syntax of file formats",
    "ingest/formats/pdf_layout.py": "names of fonts",
    "ingest/formats/word_styles.py": "names of styles",
    "evaluation/documents/scoring.py": "columns of a table",
    "evaluation/experiment/mtrag.py": "names of data sets",
    "evaluation/observation.py": "names of event fields",
    "services/answer/question.py": "codes of units",
    "services/answer/short_answers.py": "codes of units",
    "services/answer/quoting/units.py": "codes of characters",
    "services/answer/verification/checks.py": "syntax of addresses",
    "services/answer/verification/measures.py": "codes of units",
    "services/answer/writing/prompt_building.py": "placeholders of a prompt",
    "services/answer/writing/plain_prose.py": "names of HTML elements",
    "services/decompose/prepare_llm.py": "placeholders of a prompt, syntax of a plan",
    "services/decompose/query/llm_variants.py": "placeholders of a prompt",
    "services/intent/policy.py": "keys of a policy file",
    "services/intent/reading.py": "placeholders of a prompt, fields of a form",
    "libs/documents/furniture.py": "Roman numerals",
    "libs/documents/furniture_headings.py": "syntax of addresses",
    "libs/documents/plain.py": "Roman numerals",
    "libs/documents/reading.py": "syntax of addresses",
    "libs/text/tokens.py": "comments in a pattern",
    "libs/elastic/settings.py": "syntax of a setting",
    "libs/runtime/settings.py": "message of a library",
    "libs/runtime/serving/validation.py": "message of a library",
    "libs/text/prompt_injection_signs.py": "marks of chat formats",
    "services/timeline/event_text.py": "citations in bibliographies, in all languages",
}
"""Modules, or folders, with word lists or patterns that are words of a format, a contract or the code, and which."""


def _modules_with_words() -> frozenset[str]:
    paths = (module.path.as_posix() for module in modules(_ROOT) if reads_language(module))
    return frozenset(path for path in paths if not path.startswith("libs/language/"))


def test_words_of_a_language_stand_in_the_language_room() -> None:
    paths = _modules_with_words()
    assert [path for path in sorted(paths) if not path.startswith(tuple(_EXCEPTIONS))] == []


def test_no_entry_is_stale() -> None:
    paths = _modules_with_words()
    assert [entry for entry in _EXCEPTIONS if not any(path.startswith(entry) for path in paths)] == []
