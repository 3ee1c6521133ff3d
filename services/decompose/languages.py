"""Whether a question may be in another language than English; a guess that costs nothing when it is wrong."""

from services.text.tokens import is_stop_word, tokenize

_WORDS = """
el la los las una unos unas del que qué es son con por para como cómo cuál cuáles cuándo cuánto dónde mi tengo puedo
debo les des du une est sont avec pour dans quel quelle comment quand où je mon ma puis si sí
der die das ein eine ist sind mit für wie was wann wo ich mein kann und nicht
il lo gli uno di che è sono per come quale quando dove mio ho posso
os um uma do da não são com qual quais quanto onde meu tenho
"""
_FOREIGN = frozenset(_WORDS.split())
"""Words that begin or join sentences of Spanish, French, German, Italian and Portuguese; some are English, too."""
_LEAST_SHARE = 0.25


def may_be_foreign(question: str) -> bool:
    """Whether it has words that join sentences of another language, or letters beyond Latin, and few of English."""
    words = [token.text.lower() for token in tokenize(question)]
    if not words or sum(map(is_stop_word, words)) / len(words) >= _LEAST_SHARE:
        return False
    return any(word in _FOREIGN for word in words) or any(ord(letter) > 0x24F for word in words for letter in word)
