"""The message catalogues are complete, the same in both languages, and contain every id used in the code."""

from __future__ import annotations

import ast
import io
import re
import string
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po

from tests.tracked import ROOT, files, modules, text, tree

LANGUAGES = ("fr", "en")
CATALOGUES = [path for path in files() if path.suffix == ".po"]
PLACES = sorted({(path.parents[1], path.name) for path in CATALOGUES})
AREAS = {path.stem.split("_")[0] for path in CATALOGUES} | {"footclub", "table", "app", "journal", "cli", "vision"}
ID = re.compile(rf"(?:{'|'.join(sorted(AREAS))})\.[a-z_][\w.-]*\w")
FILE_ENDINGS = {"po", "kv", "toml", "json", "jsonl", "md", "py", "png", "jpg", "db", "sqlite", "log", "onnx", "pdf"}


@cache
def catalogue(path: Path) -> Catalog:
    return read_po(io.BytesIO((ROOT / path).read_bytes()), locale=path.parts[-2], abort_invalid=True)


def entries(path: Path) -> list[Message]:
    return [entry for entry in catalogue(path) if entry.id]


def key(entry: Message) -> str:
    return entry.id if isinstance(entry.id, str) else entry.id[0]


def forms(entry: Message) -> list[str]:
    """Return the sentence, or each of its plural forms."""
    return [entry.string] if isinstance(entry.string, str) else list(entry.string)


def placeholders(entry: Message) -> set[str]:
    """Return the names in braces over all forms; a form may omit `n` ("one card")."""
    return {name for form in forms(entry) for _, name, _, _ in string.Formatter().parse(form) if name is not None}


def gaps(path: Path) -> dict[str, set[str]]:
    return {key(entry): placeholders(entry) for entry in entries(path)}


def test_there_are_catalogues_in_both_languages() -> None:
    assert {path.parts[-2] for path in CATALOGUES} == set(LANGUAGES)


@pytest.mark.parametrize(("folder", "name"), PLACES)
def test_both_languages_hold_the_same_ids(folder: Path, name: str) -> None:
    french, english = ({key(entry) for entry in entries(folder / code / name)} for code in LANGUAGES)
    assert french == english


@pytest.mark.parametrize(("folder", "name"), PLACES)
def test_both_languages_fill_the_same_gaps(folder: Path, name: str) -> None:
    french, english = (gaps(folder / code / name) for code in LANGUAGES)
    different = {id: (french[id], english[id]) for id in french.keys() & english.keys() if french[id] != english[id]}
    assert different == {}


@pytest.mark.parametrize("path", CATALOGUES, ids=str)
def test_every_sentence_is_there_and_settled(path: Path) -> None:
    assert [key(entry) for entry in entries(path) if entry.fuzzy or not all(forms(entry))] == []
    assert [key(entry) for entry in entries(path) if not isinstance(entry.id, str) and len(forms(entry)) != 2] == []


@pytest.mark.parametrize("code", LANGUAGES)
def test_an_id_stands_in_one_catalogue_only(code: str) -> None:
    id_counts = Counter(key(entry) for path in CATALOGUES if path.parts[-2] == code for entry in entries(path))
    assert [id for id, number in id_counts.items() if number > 1] == []


FRENCH_FAULTS = (
    (re.compile(r"[ \t][;:!?%»]"), "an ordinary space before a high mark"),
    (re.compile(r"[^\s\u00a0\u202f!?…\d][;!?](?:\s|$)"), "no space before a high mark"),
    (re.compile(r"«[^\u00a0\u202f]"), "no fixed space after «"),
    (re.compile(r"[^\u00a0\u202f]»"), "no fixed space before »"),
    (re.compile(r"\w'\w"), "a straight apostrophe"),
    (re.compile(r"\.\.\."), "three full stops"),
)


@pytest.mark.parametrize("path", [path for path in CATALOGUES if path.parts[-2] == "fr"], ids=str)
def test_french_is_set_as_french(path: Path) -> None:
    faults = [
        f"{key(entry)}: {fault}: {form!r}"
        for entry in entries(path)
        for form in forms(entry)
        for pattern, fault in FRENCH_FAULTS
        if pattern.search(form)
    ]
    assert faults == []


OTHER_WORDS = {
    "fr": re.compile(
        r"\b(?:[Ll]igue|[Bb]ac|[Cc]entre du tournoi|commande du centre|serveur de tournoi"
        r"|(?:[Cc]e|[Aa]ucun|[Dd]ernier|chaque) fait|\d+ faits?|\{n\} faits?|[Pp]romis)\b"
    ),
    "en": re.compile(
        r"(?<!\{)\b(?:facts?|[Mm]ercato|[Cc]hampionship|tournament server|[Pp]romised)\b"
        r"|(?:^|[.:] )Touch (?:a|the|it)\b"
    ),
}
"""Rejected synonyms of the words in docs/GLOSSARY.md: événement, championnat, piste, serveur du tournoi, attendu;
event, squad market, league, hub, expected; "tap" for touching the screen."""


@pytest.mark.parametrize("path", CATALOGUES, ids=str)
def test_one_word_stands_for_one_thing(path: Path) -> None:
    pattern = OTHER_WORDS[path.parts[-2]]
    assert [f"{key(entry)}: {form}" for entry in entries(path) for form in forms(entry) if pattern.search(form)] == []


GAME_FOLDERS = {"F": "footclub", "N": "nba", "H": "hoops21", "O": "occasion"}
COLUMNS = {"French": "fr", "English": "en"}


def glossary(heading: str) -> list[list[str]]:
    """Return the rows of a table of docs/GLOSSARY.md, without its two head rows."""
    _, _, part = text(Path("docs/GLOSSARY.md")).partition(f"\n## {heading}\n")
    rows = [line for line in part.partition("\n## ")[0].splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows[2:]]


def sentences(place: str, code: str) -> dict[str, str]:
    """Return the sentences of a game (its letter) or of the table's screens (`T`), by id; plural forms together."""
    names = [path for path in CATALOGUES if path.parts[-2] == code]
    own = [path for path in names if path.parts[2] == GAME_FOLDERS.get(place)]
    chosen = own if place in GAME_FOLDERS else [path for path in names if path.name.startswith(("app", "table"))]
    return {key(entry): " | ".join(forms(entry)) for path in chosen for entry in entries(path)}


@pytest.mark.parametrize(("place", "language", "rejected", "right"), glossary("Words not used"))
def test_a_word_of_the_glossary_is_said_not_its_rejected_synonym(
    place: str, language: str, rejected: str, right: str
) -> None:
    synonyms = [word.strip() for word in rejected.split(",")]
    pattern = re.compile(rf"(?<![\w{{-])(?:{'|'.join(map(re.escape, synonyms))})(?![\w}}])", re.IGNORECASE)
    found = sentences(place, COLUMNS[language])
    assert found
    assert {id: sentence for id, sentence in found.items() if pattern.search(sentence)} == {}, f"say {right}"


def alternatives(cell: str) -> list[str]:
    """Return the words of a cell of the glossary, its abbreviations and notes in brackets among them."""
    return [word.strip() for word in re.split(r"[,;:()]", cell) if word.strip()]


@pytest.mark.parametrize("row", glossary("Words of the games"), ids=lambda row: f"{row[0]}-{row[2]}")
def test_the_catalogues_say_the_terms_of_the_glossary(row: list[str]) -> None:
    for code, cell in (("fr", row[1]), ("en", row[2])):
        catalogue_text = " ".join((sentences(row[0], code) | sentences("T", code)).values())
        terms = "|".join(map(re.escape, alternatives(cell)))
        assert re.search(rf"(?<!\w)(?:{terms})(?!\w)", catalogue_text, re.IGNORECASE), (code, cell)


def is_module(literal: str) -> bool:
    path = ROOT / literal.replace(".", "/")
    return path.is_dir() or path.with_suffix(".py").is_file()


def ids_in_python(path: Path) -> set[str]:
    """Return the complete string literals that are ids. Parts of f-strings are excluded; other tests check them."""
    found = set()
    joined = [node for node in ast.walk(tree(path)) if isinstance(node, ast.JoinedStr)]
    within_joined = {id(part) for node in joined for part in node.values}
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in within_joined:
            literal = node.value
            if ID.fullmatch(literal) and literal.rsplit(".", 1)[1] not in FILE_ENDINGS and not is_module(literal):
                found.add(literal)
    return found


def ids_in_kv(path: Path) -> set[str]:
    return set(re.findall(rf"""["']({ID.pattern})["']""", text(path)))


def test_every_id_used_is_in_the_catalogues() -> None:
    known = {key(entry) for path in CATALOGUES for entry in entries(path)}
    used = {id: path for part in ("companion", "vision") for path in modules(part) for id in ids_in_python(path)}
    used |= {id: path for path in files() if path.suffix == ".kv" for id in ids_in_kv(path)}
    assert sorted(f"{path}: {id}" for id, path in used.items() if id not in known) == []


WORDED = frozenset({"companion/language.py", "vision/messages.py", "vision/calibration/calibrated.py"})
"""Modules that turn system errors into sentences. The last one writes to the log."""


def test_the_texts_of_the_system_are_worded_in_one_place() -> None:
    found = [
        f"{path}:{node.lineno}"
        for path in modules("companion", "vision")
        if path.as_posix() not in WORDED
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Attribute) and node.attr == "strerror" and not is_raised(path, node)
    ]
    assert found == []


def is_raised(path: Path, found: ast.AST) -> bool:
    """Return True if the call only gives an OSError its usual text."""
    errors = [
        call
        for call in ast.walk(tree(path))
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id.endswith("Error")
    ]
    return any(found in ast.walk(call) for call in errors)


PRINTED = re.compile(r"[A-Za-z]{2,} [A-Za-z]{2,}")


def test_commands_print_sentences_of_the_catalogues() -> None:
    found = [
        f"{path}:{call.lineno}: {part.value!r}"
        for path in modules("companion", "vision")
        for call in ast.walk(tree(path))
        if isinstance(call, ast.Call) and ast.unparse(call.func).endswith(("print", "echo"))
        for argument in call.args
        for part in ast.walk(argument)
        if isinstance(part, ast.Constant) and isinstance(part.value, str) and PRINTED.search(part.value)
    ]
    assert found == []


def _literal_messages(path: Path) -> Iterator[tuple[int, str, set[str]]]:
    """Yield line, id and argument names of each message whose id and arguments are written out."""
    for call in ast.walk(tree(path)):
        if not (isinstance(call, ast.Call) and getattr(call.func, "id", "") == "Message" and call.args):
            continue
        id, *given = call.args
        names = given[0].keys if given and isinstance(given[0], ast.Dict) else []
        if (given and not names) or not isinstance(id, ast.Constant):
            continue
        if all(isinstance(name, ast.Constant) for name in names):
            yield call.lineno, str(id.value), {str(name.value) for name in names if isinstance(name, ast.Constant)}


def test_messages_have_the_arguments_of_their_sentences() -> None:
    needed: dict[str, set[str]] = {}
    for path in CATALOGUES:
        for entry in entries(path):
            names = {name for form in forms(entry) for _, name, _, _ in string.Formatter().parse(form) if name}
            needed.setdefault(key(entry), set()).update(names)
    missing = [
        f"{path}:{line} {id}: {needed[id] - given}"
        for path in modules("companion")
        for line, id, given in _literal_messages(path)
        if needed.get(id, set()) - given
    ]
    assert missing == []
