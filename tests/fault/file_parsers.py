"""Bad pictures, clips, backups and audits: files that decoders in C or the zip module open."""

from __future__ import annotations

import io
import json
import os
import shutil
import struct
import zipfile
import zlib
from collections.abc import Callable
from functools import cache, partial
from hashlib import sha256
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import cv2
import numpy as np

from companion.clock import ManualClock
from companion.games.registry import GAMES
from companion.journal.store import Picture, Store
from companion.table.autoplay import play
from tests.fault.mutations import json_bytes, mutate_bytes, mutate_header, mutate_png, mutate_value
from tests.fault.parsers import Bench, Parser, expect, require

FORMATS = (
    (".png", ()),
    (".jpg", ()),
    (".jpg", (cv2.IMWRITE_JPEG_PROGRESSIVE, 1)),
    (".bmp", ()),
    (".tiff", (cv2.IMWRITE_TIFF_COMPRESSION, 1)),
    (".tiff", (cv2.IMWRITE_TIFF_COMPRESSION, 5)),
    (".webp", (cv2.IMWRITE_WEBP_QUALITY, 80)),
    (".webp", (cv2.IMWRITE_WEBP_QUALITY, 101)),
    (".jp2", ()),
    (".pgm", ()),
    (".ppm", (cv2.IMWRITE_PXM_BINARY, 0)),
    (".pbm", ()),
    (".pam", ()),
    (".pfm", ()),
    (".sr", ()),
    (".hdr", ()),
    (".exr", ()),
    (".gif", ()),
    (".avif", ()),
)
"""Endings and parameters of the formats that OpenCV can write; those that this build lacks are left out."""

NO_MEMORY = -4
"""OpenCV's status of an allocation that failed (`cv::Error::StsNoMem`)."""


@cache
def _pictures() -> tuple[bytes, ...]:
    """Return a small picture in each format, coloured and grey, and some with an orientation."""
    random = np.random.default_rng(1)
    ramp = np.linspace(0, 255, 48 * 32 * 3).reshape(32, 48, 3)
    colour = np.clip(ramp + random.normal(0, 12, ramp.shape), 0, 255).astype(np.uint8)
    found = []
    for suffix, parameters in FORMATS:
        for picture in (colour, colour[:, :, 0], np.dstack([colour, colour[:, :, 0]]), colour.astype(np.uint16) * 200):
            real = picture.astype(np.float32) if suffix in (".pfm", ".hdr", ".exr") else picture
            try:
                done, data = cv2.imencode(suffix, real, list(parameters))
            except cv2.error:
                continue
            if done:
                found.append(data.tobytes())
    jpeg = next(each for each in found if each.startswith(b"\xff\xd8"))
    exif = b"Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0\0\0\0\0"
    found.append(jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif + jpeg[2:])
    return tuple(found)


def _mutated_picture(random: Random) -> bytes:
    samples = _pictures()
    content = random.choice(samples)
    action = random.random()
    if content.startswith(b"\x89PNG") and action < 0.6:
        return mutate_png(content, random)
    if content[:4] in (b"II*\0", b"MM\0*") and action < 0.6:
        return _mutated_tiff(content, random)
    if content.startswith(b"\xff\xd8") and action < 0.6:
        return _mutated_jpeg(content, random)
    if action < 0.6:
        return mutate_header(content, random, random.choice((32, 64, 200, len(content))))
    return mutate_bytes(content, random, random.choice(samples))


def _mutated_tiff(content: bytes, random: Random) -> bytes:
    order = "<" if content[:1] == b"I" else ">"
    (at,) = struct.unpack_from(f"{order}I", content, 4)
    (entries,) = struct.unpack_from(f"{order}H", content, at)
    changed = bytearray(content)
    for _ in range(random.randint(1, 3)):
        place = at + 2 + 12 * random.randrange(entries)
        field, size = random.choice(((0, 2), (2, 2), (4, 4), (8, 4), (8, 2)))
        number = random.choice((0, 1, 3, 16, 255, 256, 65535, 100_000, 2**31, 2**32 - 1, random.randrange(2**32)))
        struct.pack_into(f"{order}{'H' if size == 2 else 'I'}", changed, place + field, number & (256**size - 1))
    return bytes(changed)


def _mutated_jpeg(content: bytes, random: Random) -> bytes:
    """Change, drop, double or swap segments of a JPEG."""
    segments, at = [], 2
    while at + 4 <= len(content) and content[at] == 0xFF and content[at + 1] != 0xDA:
        length = 2 + int.from_bytes(content[at + 2 : at + 4], "big")
        segments.append(content[at : at + length])
        at += length
    rest = content[at:]
    place = random.randrange(len(segments))
    action = random.randrange(5)
    if action == 0:
        segments[place] = segments[place][:2] + mutate_header(segments[place][2:], random, 12)
    elif action == 1:
        del segments[place]
    elif action == 2:
        segments.insert(random.randrange(len(segments)), segments[place])
    elif action == 3:
        random.shuffle(segments)
    else:
        frame = next((n for n, each in enumerate(segments) if each[1] in (0xC0, 0xC2)), place)
        body = bytearray(segments[frame])
        struct.pack_into(">HH", body, 5, *(random.choice((0, 1, 999, 65535, 65500)) for _ in range(2)))
        segments[frame] = bytes(body)
    return content[:2] + b"".join(segments) + (mutate_bytes(rest, random) if random.random() < 0.2 else rest)


def _picture(folder: Path) -> Bench:
    from vision.picture_headers import size_in_header
    from vision.pictures import UnreadablePicture, load_picture, silence_opencv

    silence_opencv()
    cv2.setNumThreads(1)
    path = folder / "picture"

    def run(content: bytes) -> None:
        path.write_bytes(content)
        size_in_header(content)
        try:
            picture = load_picture(path)
        except UnreadablePicture as error:
            require(str(error), "no sentence")
            _check_memory(error)
            return
        assert picture.ndim == 3
        assert picture.shape[2] == 3

    return Bench(_mutated_picture, run)


def _check_memory(error: BaseException | None) -> None:
    """A decoder that asks for more memory than there is was not stopped in time. Raises: MemoryError."""
    while error is not None:
        if isinstance(error, cv2.error) and error.code == NO_MEMORY:
            raise MemoryError("the decoder asked for too much memory")
        error = error.__cause__ or error.__context__


def _read_command(folder: Path) -> Bench:
    """`companion read` with damaged pictures: the decoder, the reader and the output."""
    from vision.commands import run_read
    from vision.pictures import silence_opencv

    silence_opencv()
    cv2.setNumThreads(1)
    path = folder / "picture"

    def run(content: bytes) -> None:
        path.write_bytes(content)
        out = io.StringIO()
        sentences: list[object] = []
        status = run_read([str(path)], "pips", None, out, sentences.append)
        line = json.loads(out.getvalue())
        assert (status, line["status"] == "error", bool(sentences)) in ((0, False, False), (1, True, True))

    return Bench(_mutated_picture, run)


def _clip(folder: Path) -> Bench:
    """Damaged clips: `companion watch CLIP`, without the reader."""
    from vision.cameras.protocol import CameraLost, EndOfSource
    from vision.cameras.sources import SourceError, camera_of
    from vision.dice_sets import load
    from vision.pictures import silence_opencv

    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    silence_opencv()
    cv2.setNumThreads(1)
    samples = []
    for name, code in (("a.avi", "MJPG"), ("a.mp4", "mp4v")):
        writer = cv2.VideoWriter(str(folder / name), cv2.VideoWriter.fourcc(*code), 30, (64, 48))
        for shade in range(6):
            writer.write(np.full((48, 64, 3), 40 * shade, np.uint8))
        writer.release()
        if (folder / name).exists() and (folder / name).stat().st_size:
            samples.append((folder / name).read_bytes())
    assert samples
    pips = load("pips")

    def make(random: Random) -> bytes:
        content = random.choice(samples)
        if random.random() < 0.4:
            return mutate_header(content, random, random.choice((100, 400, len(content))))
        return mutate_bytes(content, random, random.choice(samples))

    def run(content: bytes) -> None:
        (folder / "clip.avi").write_bytes(content)

        def play_it() -> None:
            with camera_of(str(folder / "clip.avi"), pips) as camera:
                for _ in range(50):
                    camera.frame(0.0)

        expect((SourceError, CameraLost, EndOfSource, _ClipEnded), partial(_without_end, play_it, EndOfSource))

    return Bench(make, run)


class _ClipEnded(Exception):
    """A clip was read to its end."""


def _without_end(read: Callable[[], object], end: type[Exception]) -> None:
    try:
        read()
    except end:
        return


# Archives.


def _zip_entries(content: bytes) -> list[tuple[str, bytes]]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return [(entry.filename, archive.read(entry)) for entry in archive.infolist()]


NAMES = ("../x", "/etc/x", "data/../../x", "a\\b", "", ".", "x" * 300, "data/", "données", "a\0b", "C:x", "data/x/y/z")


def _zipped(entries: list[tuple[str, bytes]], random: Random) -> bytes:
    out = io.BytesIO()
    kind = random.choice((zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA))
    with zipfile.ZipFile(out, "w", kind) as archive:
        for name, content in entries:
            info = zipfile.ZipInfo(name.replace("\0", "0") or "n", (1980, 1, 1, 0, 0, 0))
            info.compress_type = kind
            if random.random() < 0.02:
                info.flag_bits |= 1  # encrypted
            archive.writestr(info, content)
    return out.getvalue()


def _mutated_json(content: bytes, random: Random) -> bytes:
    try:
        return json_bytes(mutate_value(json.loads(content), random))
    except (ValueError, RecursionError):  # changed before
        return mutate_bytes(content, random)


def _mutated_archive(samples: list[list[tuple[str, bytes]]], about: str, sums: str, random: Random) -> bytes:
    """Return an archive with changed entries, most often with correct sums."""
    entries = list(random.choice(samples))
    for _ in range(random.randint(1, 2)):
        at = random.randrange(len(entries))
        name, content = entries[at]
        action = random.randrange(7)
        if action < 3 and name.endswith(".json"):
            entries[at] = name, _mutated_json(content, random)
        elif action == 3:
            entries[at] = random.choice(NAMES), content
        elif action == 4:
            del entries[at]
        elif action == 5:
            entries.insert(at, entries[at])
        else:
            entries[at] = name, mutate_bytes(content, random)
        if not entries:
            break
    if random.random() < 0.7:
        lines = [f"{sha256(body).hexdigest()}  {name}\n" for name, body in entries if name not in (about, sums)]
        text = "".join(lines).encode("utf-8", "replace")
        entries = [(name, text if name == sums else body) for name, body in entries]
    raw = _zipped(entries, random)
    if random.random() < 0.3:
        end = max(0, len(raw) - 600)
        return raw[:end] + mutate_header(raw[end:], random, 600)
    return mutate_bytes(raw, random) if random.random() < 0.1 else raw


@cache
def _bomb() -> bytes:
    """Return a description of a backup whose text has 700 MB and packs into less than one."""
    packer = zlib.compressobj(1, zlib.DEFLATED, -15)
    parts = [packer.compress(b'{"kind": "tapis-vert backup", "format": 1, "version": "')]
    piece = b"a" * (10 << 20)
    parts += [packer.compress(piece) for _ in range(70)]
    packed = b"".join([*parts, packer.compress(b'"}'), packer.flush()])
    name, size = b"about.json", (70 * (10 << 20)) + 57
    head = struct.pack("<HHHHHIIIHH", 20, 0, 8, 0, 33, 0, len(packed), size, len(name), 0)
    central = struct.pack("<HHHHHHIIIHHHHHII", 20, 20, 0, 8, 0, 33, 0, len(packed), size, len(name), 0, 0, 0, 0, 0, 0)
    local = b"PK\x03\x04" + head + name + packed
    index = b"PK\x01\x02" + central + name
    return local + index + b"PK\x05\x06" + struct.pack("<HHHHIIH", 0, 0, 1, 1, len(index), len(local), 0)


def _table_data(folder: Path) -> tuple[Path, Path]:
    """Make a small data folder with a match, cards and settings. Returns it and the configuration."""
    data = folder / "home"
    data.mkdir()
    with Store.open(data / "matches.sqlite", ManualClock()) as store:
        header, *events = islice(play(GAMES["occasion"], Random(1)), 12)
        match = store.create(header)
        for event in events:
            store.append(match, event, [Picture("tray", b"\xff\xd8" * 40)])
    (data / "clubs").mkdir()
    (data / "clubs" / "a.csv").write_text("club\nA\n")
    config = folder / "config.toml"
    config.write_text(f'[data]\nfolder = "{data}"\n')
    return data, config


def _backup(folder: Path) -> Bench:
    from companion.commands.backup import ABOUT, KIND, SUMS, BadBackup, about_of, unpack, write_backup

    data, config = _table_data(folder)
    write_backup(data, config, folder / "good.zip", True, ManualClock().now())
    samples = [_zip_entries((folder / "good.zip").read_bytes())]
    path, into = folder / "backup.zip", folder / "into"

    def make(random: Random) -> bytes:
        if random.random() < 0.001:
            return _bomb()
        return _mutated_archive(samples, ABOUT, SUMS, random)

    def run(content: bytes) -> None:
        path.write_bytes(content)
        expect(OSError, lambda: about_of(path))
        try:
            unpack(path, into, KIND)
        except BadBackup as error:
            require(error.faults, "no fault is named")
            _check_faults(error.faults)
        except OSError as error:
            require(error.strerror, "no reason of the system")
        outside = [each.name for each in folder.iterdir()]
        assert set(outside) <= KEPT_NAMES, f"an archive wrote {outside}"

    return Bench(make, run)


KEPT_NAMES = frozenset({"home", "config.toml", "good.zip", "backup.zip", "into"})


def _check_faults(faults: Any) -> None:
    from companion.language import LANGUAGES, Language

    for _, message in faults:
        for code in LANGUAGES:
            assert Language(code).text(message)


def _restore(folder: Path) -> Bench:
    """`companion restore` of archives whose sums are right: settings, versions and matches are judged."""
    from companion.commands.backup import ABOUT, SUMS, run_restore, write_backup

    data, config = _table_data(folder)
    write_backup(data, config, folder / "good.zip", True, ManualClock().now())
    samples = [_zip_entries((folder / "good.zip").read_bytes())]
    path = folder / "backup.zip"

    def run(content: bytes) -> None:
        path.write_bytes(content)
        before = sum(1 for _ in data.glob("matches.sqlite"))
        status = run_restore(config, path, True)
        assert status in (0, 1, 2)
        if status:
            assert sum(1 for _ in data.glob("matches.sqlite")) == before, "a refused backup took the matches away"
        for aside in (*folder.glob("*before-restore*"), *data.glob("*before-restore*")):
            shutil.rmtree(aside) if aside.is_dir() else aside.unlink()

    return Bench(partial(_mutated_archive, samples, ABOUT, SUMS), run)


def _audit(folder: Path) -> Bench:
    from companion.games.registry import GAMES as ALL
    from companion.journal.ledger import Ledger
    from companion.language import LANGUAGES, Language
    from companion.table.audit import ABOUT, SUMS, audit, check

    header, *events = islice(play(GAMES["occasion"], Random(3)), 14)
    ledger = Ledger(GAMES["occasion"], header)
    for event in events:
        ledger.commit(ledger.propose(event))
    pictures = {3: [Picture("tray", b"\xff\xd8jpeg"), Picture("reading", b'{"dice": []}'), Picture("die", None, 0)]}
    good = audit(ledger, pictures, match="m", made="2026", versions={"tapis-vert": "1"})
    assert not check(good, ALL).faults
    samples = [_zip_entries(good)]

    def make(random: Random) -> bytes:
        if random.random() < 0.3:
            return mutate_bytes(good, random)
        return _mutated_archive(samples, ABOUT, SUMS, random)

    def run(content: bytes) -> None:
        found = check(content, ALL)
        for fault in found.faults:
            for code in LANGUAGES:
                assert Language(code).text(fault.message)

    return Bench(make, run)


FILE_PARSERS = (
    Parser("picture", 60, _picture),
    Parser("read command", 1, _read_command),
    Parser("clip", 3, _clip),
    Parser("backup", 16, _backup),
    Parser("restore", 2, _restore),
    Parser("audit", 12, _audit),
)
