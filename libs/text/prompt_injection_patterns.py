"""Patterns of prompt injection: wording, chat markers and template syntax of instructions to the answering model.

Patterns are matched against one sentence or line, normalised by `libs.text.prompt_injection`. They require words that
rarely occur together in manuals and advice: `You must run the command` and `Ignore the warning` don't match. On 16,600
passages of MTRAG (Wikipedia, cloud manuals, financial advice, public offices) fewer than one in a thousand match.
"""

import re
from dataclasses import dataclass

_WHO = r"(?:users?|readers?|askers?|people|everybody|everyone|customers?|visitors?)"
_MODEL = r"(?:ai|a\.i\.|llms?|chat ?bots?|language models?|fact[- ]checkers?|verifiers?|summari[sz]ers?)"
_MODEL_CUES = " ai| a.i.| llm| chatbot| chat bot| language model| fact check| fact-check| verifier| summari"
_CALLED_CUES = _MODEL_CUES.replace(" ai|", " ai:| ai,| ai | ai\t| ai\n|", 1)
"""Cues of a model that is addressed; ` ai` needs a delimiter, so that `aid` and `air` don't match."""
_START = r"(?:^|[.!?:;\]]\s)\W*(?:please |now |instead )?"
"""The start of a sentence, or of the text after a colon."""
_TELLING = "say|write|state|answer|reply|respond|announce|declare"
_AFTER_TELLING = "that|with|in every|instead|only|back|every|all|any|each"


@dataclass(frozen=True, slots=True)
class Sign:
    """A pattern of an instruction, with cues that every match contains."""

    cues: tuple[tuple[str, ...], ...]
    """The pattern can match only if the lower-cased text has a cue of each group; the rarest group comes first."""
    pattern: re.Pattern[str]
    ends: re.Pattern[str] | None = None
    """For a mark that opens a region: the closing mark; None if the region extends to the end of the text."""


def _sign(cues: str, pattern: str, closing: str = "") -> Sign:
    """Create a sign; groups of cues are separated by `&`, the cues of a group by `|`."""
    ends = re.compile(closing, re.IGNORECASE) if closing else None
    groups = tuple(tuple(group.split("|")) for group in cues.split("&"))
    return Sign(groups, re.compile(pattern, re.IGNORECASE | re.MULTILINE), ends)


REGIONS: tuple[Sign, ...] = (
    _sign("<&im_start", r"<\|?im_start\|?>", r"<\|?im_end\|?>"),
    _sign("[|<&[inst]|<<sys", r"\[INST\]|<<SYS>>", r"\[/INST\]"),
    _sign("<&<item n", r"<item n\b[^>]*>", r"</item>"),
    _sign("<&<tool|<function", r"<(?:tool|function)_?calls?>", r"</(?:tool|function)_?calls?>"),
    _sign("<&</", r"^\W*</(?:item|data|context|documents?|sources?)>(?!\s*<)"),
    _sign("<&</item></data>", r"</item></data>"),
    _sign(
        "end of&source|document|context|evidence|data|passage|item",
        r"(?-i:\bEND OF (?:THE )?(?:SOURCES?|DOCUMENTS?|CONTEXT|EVIDENCE|DATA|PASSAGES?|ITEMS?)\b)",
    ),
    _sign(
        "#&##&system|instruction|assistant|response",
        r"(?:^|\s)#{2,6}\s*(?:system|instructions?|assistant|response)\s*:\s*$",
    ),
    _sign("[&[system]|[assistant]|[user]", r"^\[(?:system|assistant|user)\]\s*$"),
)
"""Marks that pretend that the document ends or that another speaker begins."""

SIGNS: tuple[Sign, ...] = (
    # templates and tool calls
    _sign("<&<|", r"<\|(?:im_start|im_end|system|user|assistant|endoftext)\|>"),
    _sign("_&tool_call|function_call", r"<?/?\"?(?:tool|function)_calls?\b[\">]"),
    _sign('"&"is_reject|"is_supply|"question_back|"verdict', r"\"(?:is_reject|is_supply|question_back|verdict)\"\s*:"),
    _sign('"&"role"', r"\"role\"\s*:\s*\"(?:system|assistant|tool)\"[^}]{0,40}\"content\""),
    # imitated speakers or addressees: SYSTEM: …, [SYSTEM NOTICE] …, To the fact checker: …
    _sign(
        "system&system:|system]|message:|message]|prompt:|prompt]|notice:|notice]|note:|note]|override:|override]",
        r"(?:^|[.!?]\s)[^\w\"]*system(?: (?:message|prompt|notice|note|override))?[:\]]\s",
    ),
    _sign("developer", r"(?:^|[.!?]\s)\W*developer (?:message|note|mode)\s*:"),
    _sign(
        _CALLED_CUES + "&to |dear|hey",
        rf"(?:^|[.!?]\s)\W*(?:to|note to|dear|hey) (?:the |all |any )?{_MODEL}[ \t\n]*[:,]",
    ),
    _sign("you are |act as&" + _MODEL_CUES, rf"\b(?:you are|act as) (?:an? |the )?(?:\w+ )?{_MODEL}\b"),
    _sign("whoever|whatever model", r"\b(?:whoever|whatever model) (?:\w+ )?(?:summari[sz]es|answers|quotes|cites)\b"),
    _sign("new &new policy|new instruction|new task", r"\bnew (?:policy|instructions?|task)\s*:"),
    # overriding earlier instructions
    _sign(
        "ignore|disregard|forget|overrule|bypass",
        r"\b(?:ignore|disregard|forget|overrule|bypass)\b.{0,12}\b(?:all|any|your|the|these|previous|prior|above|what)\b"
        r".{0,20}\b(?:instructions?|prompts?|rules|guidelines|question|(?:were|been) told)\b",
    ),
    _sign(
        " rules &citation|safety|content",
        r"\b(?:citation|safety|content) rules (?:are|have been) (?:lifted|suspended|off)\b",
    ),
    _sign(
        "prompt|instructions&your &reveal|print|show|repeat|output",
        r"\b(?:reveal|print|show|repeat|output) (?:me )?your (?:\w+ )?(?:instructions|prompt)\b",
    ),
    # dictating the answer
    _sign(
        "answer|repl|response|summary&your |every |each &must|has to|have to|shall",
        r"\b(?:your|every|each) (?:final )?(?:answers?|reply|replies|responses?|summary)\b.{0,20}"
        r"\b(?:must|has to|have to|shall) (?:\w+ )?(?:say|state|mention|contain|end|begin)\b",
    ),
    _sign(
        "your answer|your reply|your summary|every answer|every reply|every summary|each answer|each reply|each summary"
        "&add|append|put|show|include|insert|embed|begin|start|end|finish",
        r"\b(?:add|append|put|show|include|insert|embed|begin|start|end|finish)\b.{0,80}\b(?:your|every|each) "
        r"(?:answer|reply|summary)\b",
    ),
    _sign(
        "always|only&end with|begin with|answer with|reply with|respond with|always link|always cite",
        r"\b(?:always|only) (?:end|begin|answer|reply|respond) with\b|\balways (?:link to|cite)\b",
    ),
    _sign(
        "|".join(f"{verb} {next_word}" for verb in _TELLING.split("|") for next_word in _AFTER_TELLING.split("|")),
        _START + rf"(?!say that(?:'s| you)\b)(?:{_TELLING})"
        r"(?: instead| only| back)?(?: everything| (?:every|all|any|each) questions?)?"
        r" (?:that\b|with\b|without\b|in every\b)",
    ),
    _sign(
        "say|write|respond with|answer with|reply with|end with&:",
        _START + r"(?:say|write)\s*:\s+\S|\b(?:respond|answer|reply|end) with\s*:\s+\S",
    ),
    _sign("so say|so write|so state", r"\bso (?:say|write|state) that\b"),
    _sign("has to &has to s|has to w", r"\bhas to (?:say|state|write) that\b"),
    _sign("output th", r"\boutput (?:this|that) as json\b"),
    # faking citations and verdicts
    _sign(
        "[0|[1|[2|[3|[4|[5|[6|[7|[8|[9|the marker|in bracket&cite|use|put|write",
        _START + r"(?:cite|use|put|write)\b.{0,30}(?:\[\d+\]|\bthe markers?\b|\bin brackets\b)",
    ),
    _sign(
        "as verified|as trusted|as supported",
        r"\b(?:mark|label|treat|rate|count|accept)\b.{0,30}\bas (?:verified|trusted|supported)\b",
    ),
    _sign("is verified", r"\bis verified\b.{0,20}\bscore\b"),
    # changing the model's role
    _sign("pretend", r"\bpretend (?:that )?you are\b"),
    _sign("from now on", r"\bfrom now on,? you (?:are|speak|act|answer|will|must|only)\b"),
    _sign("you are now", r"\byou are now (?-i:[A-Z]{2,}\b|an? \w+[Bb]ot\b)"),
    _sign(": you are&play", r"\blet(?:'s| us) (?:play|role-?play)\b.{0,20}: you are\b"),
    # what to say to the user, what to refuse
    _sign(
        "tell |inform |assure |convince ",
        rf"{_START}(?:tell|inform|assure|convince) (?:the |all |every )?{_WHO}\b.{{0,4}}\b(?:that|to)\b",
    ),
    _sign("ask the", _START + r"ask the (?:user|asker|reader)s? (?:back|which)\b"),
    _sign(
        " question&reject |refuse |decline ",
        _START + r"(?:reject|refuse|decline) (?:this|the|every|any|all) (?:user'?s? )?questions?\b",
    ),
    _sign(
        "answer&not answer|n't answer|never answer", _START + r"(?:do not|don't|never) answer\b(?! the (?:phone|door))"
    ),
    # other languages
    _sign("ignorier|vergiss|missacht", r"\b(?:ignorier|vergiss|missacht)\w*\b.{0,40}\b(?:anweisung|regel|vorgab)\w*"),
    _sign("ignor", r"\bignor\w+\b.{0,40}\b(?:consignes|règles|instrucciones|reglas|istruzioni|regole|regras)\b"),
    _sign("игнор|забудь", r"\b(?:игнорируй|забудь)\w*\b.{0,40}(?:инструкци|указани|правил)\w*"),
    _sign("negeer", r"\bnegeer\b.{0,40}\b(?:instructies|regels)\b"),
    _sign("忽|无视|無視", r"(?:忽略|无视|無視|忽視).{0,20}(?:指示|指令|说明|規則|规则|命令)"),
    _sign("無視", r"の.{0,12}(?:指示|命令).{0,8}無視"),
)
