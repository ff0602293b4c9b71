"""Detects the language of terminal output by words that exist in only one of the two languages."""

from __future__ import annotations

import re
from pathlib import Path

_ENGLISH = """
about and any are at be been beside board both but by cannot changed closed copy damaged denied did directory does done
each every exists expected failed file files first folder for found from game given has have help how if in input into
is it its journal's known lacks left line lines look made may missing more must name names needed needs network no
nobody nor not nothing of once only opened or other output permission pictures player prints read real refused reload
result rows rolls see settings should so such take taken takes that the their them then there these this those to
together too two unknown was what when which who whole with without words write written wrong you your
"""
_FRENCH = """
afin aide alors au aucun aucune aussi aux avant avec avoir ce cela celle celui ces cet cette chaque chemin chez comme
contre dans de depuis doit donc du elle elles en encore entre est et être faut fichier hors ici inconnu inconnue jeu
joueur la le les leur lancez ligne lignes lire lu lues lus mais manque même moins mot ne ni nom nombre nous ou où pas
peut peuvent qu que qui quoi rien sa sans sauf sera ses seul sont sous sur tous tout toute toutes trop une utilisez
vaut vers vos votre vous à était été dossier existe écrit écrire
"""
ENGLISH, FRENCH = frozenset(_ENGLISH.split()), frozenset(_FRENCH.split())

_LEFT_OUT = (
    re.compile(r"\S*[/\\@~]\S*"),  # paths, addresses
    re.compile(r"«[^»]*»|“[^”]*”|\"[^\"]*\"|'[^']*'|`[^`]*`"),  # quoted text is data
    re.compile(r"(?<!\w)--?[a-z][\w-]*"),  # options
    re.compile(r"\[[^\]]*\]|\{[^}]*\}"),
    re.compile(r"\S+\.(?:toml|jsonl|json|jpg|png|pdf|csv|zip|mp4|md|sqlite|onnx)\b"),
    re.compile(r"(?:companion|systemctl|sudo|python) [a-z-]+(?: [a-z-]+)*"),  # commands
    re.compile(r"^  [a-z-]+  ", re.MULTILINE),  # command names in a list
    re.compile(r"\bfr(?:,| ou| or) en\b|JSON Lines"),
)


def foreign_words(text: str, language: str) -> set[str]:
    """Return the words of the other language in a text."""
    other = FRENCH if language == "en" else ENGLISH
    for pattern in _LEFT_OUT:
        text = pattern.sub(" ", text)
    return set(re.findall(r"[^\W\d_]+", text.lower())) & other


def speak_english(config_home: Path) -> None:
    """Set English in the configuration below XDG_CONFIG_HOME."""
    choose(config_home, "en")


def choose(config_home: Path, language: str) -> None:
    """Set the language in the configuration below XDG_CONFIG_HOME."""
    folder = config_home / "tapis-vert"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.toml").write_text(f'[display]\nlanguage = "{language}"\n')
