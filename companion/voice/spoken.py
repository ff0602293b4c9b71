"""A sentence of the screen as it is to be read aloud: signs that a voice would swallow become words. Pure."""

from __future__ import annotations

import re

from companion.language import Language

_MINUS = re.compile(r"[\u2212-](?=\d)")
_PLUS_MINUS = re.compile("±")
_TIMES = re.compile(r"\s*×\s*")
_BETWEEN = re.compile(r"(?<=\d)\s*[–—]\s*(?=\d)")
_INITIAL = re.compile(r"\b([^\W\d_])\.\s(?=[^\W\d_])")
_PAUSE = re.compile(r"\s*[·…]\s*|\s[–—]\s")
_ORDINAL = {"fr": ((re.compile(r"\b1re\b"), "première"), (re.compile(r"\b(\d+)e\b"), r"\1ième"))}
_SECOND = re.compile(r"\b2ième\b")
_SPACES = re.compile(r"[\s\u00a0\u202f_]+")


def spoken(sentence: str, language: str) -> str:
    """The sentence for a voice of that language."""
    words = Language(language)
    text = _PLUS_MINUS.sub(f" {words('voice.plus_minus')} ", sentence)
    text = _BETWEEN.sub(f" {words('voice.to')} ", text)
    text = _MINUS.sub(f" {words('voice.minus')} ", text)
    text = _TIMES.sub(f" {words('voice.times')} ", text)
    text = _INITIAL.sub(r"\1 ", text)
    text = _PAUSE.sub(", ", text)
    for pattern, ordinal in _ORDINAL.get(language, ()):
        text = pattern.sub(ordinal, text)
    return _SPACES.sub(" ", _SECOND.sub("deuxième", text)).strip(" ,")
