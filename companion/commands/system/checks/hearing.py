"""What is heard: the voice with its languages, the player of short sounds, and a card to play them."""

from __future__ import annotations

from companion.commands.system.checks.said import found, good, look, missing, off
from companion.commands.system.checks.system import System
from companion.table.health import Check
from companion.voice import player

NO_CARD = "no soundcards"
SPOKEN = ("fr", "en")


def sound(system: System, voice: str) -> Check:
    """espeak-ng and its two voices. `voice` is the setting: `off` is nobody's fault."""
    if voice == "off":
        return off("sound", found("voice_off"), do="voice_off")
    program = system.program("espeak-ng")
    if program is None:
        return missing("sound", found("no_program", name="espeak-ng"), do="install", package="espeak-ng")
    dumb = [code for code in SPOKEN if not _speaks(system, code)]
    if dumb:
        return look(
            "sound", "espeak-ng", found("no_voice", names=", ".join(dumb)), do="install", package="espeak-ng-data"
        )
    return good("sound", "espeak-ng", ", ".join(SPOKEN))


def _speaks(system: System, code: str) -> bool:
    """`espeak-ng --voices=fr` has a heading and a line a voice."""
    listed = system.says("espeak-ng", f"--voices={code}") or ""
    return any(line.split()[1:2] and line.split()[1].startswith(code) for line in listed.splitlines()[1:])


def tones(system: System, effects: bool) -> Check:
    """A player of sounds and a card that the kernel knows."""
    if not effects:
        return off("tones", found("tones_off"), do="tones_off")
    command = player.find(system.environ.get("PATH"))
    if command is None:
        return missing("tones", found("no_program", name="aplay"), do="install", package="alsa-utils")
    cards = system.text("/proc/asound/cards")
    if cards is None or NO_CARD in cards:
        return missing("tones", command[0].rpartition("/")[2], found("no_sound_card"), do="no_sound_card")
    names = [line.partition(" - ")[2].strip() for line in cards.splitlines() if " - " in line]
    return good("tones", command[0].rpartition("/")[2], *names)
