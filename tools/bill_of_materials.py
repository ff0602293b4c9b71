"""Write the bill of materials (CycloneDX 1.6, JSON) of an installed table: `python -m tools.bill_of_materials`.

Names, versions and hashes are those of `requirements.lock`. Licences and dependencies are those that the installed
packages declare, so the packages of the lock must be installed. `deploy/lock.sh` runs this in a fresh environment.
"""

from __future__ import annotations

import json
import re
import sys
import tomllib
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from hashlib import sha256
from importlib import metadata
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tools import ROOT
from vision.files import write_atomically

Json = dict[str, Any]

FILE = "deploy/bom.cdx.json"
"""Path of the bill of materials below the root."""
PRODUCT = "tapis-vert"
RUN_TIME_EXTRAS = ("pi", "hub")
"""Extras of `pyproject.toml` that an installed table has."""
TARGET = {
    "python_version": "3.11",
    "python_full_version": "3.11.2",
    "sys_platform": "linux",
    "platform_system": "Linux",
}
"""Values for the conditions of requirements: Raspberry Pi OS 12. `platform_machine` matters to no run-time package."""

_LOCKED = re.compile(
    r"^(?P<name>[a-z0-9-]+)==(?P<version>\S+)(?P<hashes>(?: \\\n +--hash=sha256:[0-9a-f]{64})+)$", re.M
)
_HASH = re.compile(r"sha256:([0-9a-f]{64})")
_SPDX_IDS = {
    "3-Clause BSD License": "BSD-3-Clause",
    "Apache 2.0": "Apache-2.0",
    "Apache Software License": "Apache-2.0",
    "Apache-2.0": "Apache-2.0",
    "BSD-3-Clause": "BSD-3-Clause",
    "ISC License (ISCL)": "ISC",
    "MIT": "MIT",
    "MIT License": "MIT",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "SIL Open Font License 1.1 (OFL-1.1)": "OFL-1.1",
}
"""SPDX ids of the licence texts and classifiers that name one licence exactly."""
_MAX_LICENCE_NAME = 40
"""Longest licence field that is a name, in characters; longer ones are the text of the licence."""


class BillError(Exception):
    """The bill cannot be written: a package of the lock is not installed, or in another version."""


def locked_packages(root: Path) -> dict[str, tuple[str, tuple[str, ...]]]:
    """Return version and SHA-256 hashes of the run-time packages in the lock, by name."""
    listed = (root / "deploy/run-time.txt").read_text(encoding="utf-8").splitlines()
    wanted = {line for line in listed if line and not line.startswith("#")}
    found = _LOCKED.finditer((root / "requirements.lock").read_text(encoding="utf-8"))
    return {m["name"]: (m["version"], tuple(_HASH.findall(m["hashes"]))) for m in found if m["name"] in wanted}


def licences(fields: metadata.PackageMetadata) -> list[Json]:
    """Return a package's licences as it declares them: an SPDX expression, else SPDX ids, else names."""
    expression = fields.get_all("License-Expression", [""])[0]
    if expression:
        return [{"expression": expression}]
    classifiers = [line.split(" :: ")[-1] for line in fields.get_all("Classifier", []) if line.startswith("License")]
    field = fields.get_all("License", [""])[0].strip()
    if field in _SPDX_IDS or (not classifiers and 0 < len(field) <= _MAX_LICENCE_NAME and "\n" not in field):
        classifiers = [field]
    return [{"license": {"id": _SPDX_IDS[name]} if name in _SPDX_IDS else {"name": name}} for name in classifiers]


def _installed(name: str, version: str) -> metadata.PackageMetadata:
    try:
        fields = metadata.metadata(name)
    except metadata.PackageNotFoundError:
        raise BillError(f"{name} {version} is not installed; install requirements.lock first") from None
    if fields["Version"] != version:
        raise BillError(f"{name} {fields['Version']} is installed, the lock names {version}; install it first")
    return fields


def _package(name: str, version: str, hashes: Iterable[str]) -> Json:
    purl = f"pkg:pypi/{name}@{version}"
    files = [{"alg": "SHA-256", "content": content} for content in hashes]
    component: Json = {"type": "library", "bom-ref": purl, "name": name, "version": version, "purl": purl}
    if stated := licences(_installed(name, version)):
        component["licenses"] = stated
    # A package has several files (one for each processor and Python), so their hashes belong to the distribution.
    return {**component, "externalReferences": [{"type": "distribution", "url": purl, "hashes": files}]}


def _network(root: Path, path: Path) -> Json:
    name = path.relative_to(root).as_posix()
    digest = {"alg": "SHA-256", "content": sha256(path.read_bytes()).hexdigest()}
    licence = [{"license": {"id": "MIT"}}]
    return {"type": "machine-learning-model", "bom-ref": name, "name": name, "hashes": [digest], "licenses": licence}


def direct_requirements(root: Path) -> list[str]:
    """Return the requirements that the project states for an installed table."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return [
        *project["dependencies"],
        *(each for extra in RUN_TIME_EXTRAS for each in project["optional-dependencies"][extra]),
    ]


def dependencies(direct: Iterable[str], packages: Mapping[str, str]) -> dict[str, list[str]]:
    """Return the names that each package needs, by name; those of the product under PRODUCT.

    `packages` are the versions of the locked packages. Requirements of other systems are left out.
    """
    extras: dict[str, set[str]] = {PRODUCT: {""}}
    stated = {PRODUCT: list(direct), **{name: metadata.requires(name) or [] for name in packages}}
    needed: dict[str, set[str]] = {name: set() for name in stated}
    todo = [PRODUCT]
    while todo:
        name = todo.pop()
        for requirement in map(Requirement, stated[name]):
            other = canonicalize_name(requirement.name)
            if other not in packages or not _applies(requirement, extras[name]):
                continue
            needed[name].add(other)
            asked = {"", *requirement.extras}
            if not asked <= extras.get(other, set()):
                extras[other] = extras.get(other, set()) | asked
                todo.append(other)
    return {name: sorted(others) for name, others in needed.items()}


def _applies(requirement: Requirement, extras: Iterable[str]) -> bool:
    marker = requirement.marker
    return marker is None or any(marker.evaluate({**TARGET, "extra": extra}) for extra in extras)


def bill(root: Path, at: datetime) -> Json:
    """Return the bill of materials. Raises: BillError."""
    found = re.search(r'^__version__ = "(.*)"$', (root / "companion/__init__.py").read_text(encoding="utf-8"), re.M)
    if found is None:
        raise BillError("companion/__init__.py names no version")
    locked = locked_packages(root)
    packages = [_package(name, version, hashes) for name, (version, hashes) in sorted(locked.items())]
    networks = [_network(root, path) for path in sorted((root / "vision/models").glob("*.onnx"))]
    refs = {PRODUCT: PRODUCT, **{package["name"]: package["bom-ref"] for package in packages}}
    needed = dependencies(direct_requirements(root), {name: version for name, (version, _) in locked.items()})
    edges = [{"ref": refs[name], "dependsOn": [refs[other] for other in needed[name]]} for name in sorted(needed)]
    product = {"type": "application", "bom-ref": PRODUCT, "name": PRODUCT, "version": found[1]}
    content: Json = {
        "metadata": {
            "timestamp": at.strftime("%Y-%m-%dT%H:%M:%SZ"),
            "component": {**product, "licenses": [{"license": {"id": "MIT"}}]},
        },
        "components": [*packages, *networks],
        "dependencies": edges,
    }
    serial = uuid5(NAMESPACE_URL, json.dumps([content["components"], edges, product]))
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{serial}",
        "version": 1,
        **content,
    }


def encode(content: Json) -> bytes:
    """Return the bytes of the file: one line for each component and each edge, so that a change is seen in a diff."""
    lines = []
    for key, value in content.items():
        parts = ",\n  ".join(json.dumps(each, ensure_ascii=False) for each in value) if isinstance(value, list) else ""
        lines.append(f" {json.dumps(key)}: " + (f"[\n  {parts}\n ]" if parts else json.dumps(value)))
    return ("{\n" + ",\n".join(lines) + "\n}\n").encode()


def main(root: Path = ROOT) -> int:
    """Write the file, unless it would differ only in its time. Returns the exit status."""
    file = root / FILE
    try:
        made = bill(root, datetime.now(UTC))
    except BillError as fault:
        print(f"bill of materials: {fault}", file=sys.stderr)
        return 1
    kept = json.loads(file.read_bytes()) if file.exists() else {}
    if kept.get("serialNumber") != made["serialNumber"]:
        write_atomically(file, encode(made))
    print(f"{FILE}: {len(made['components'])} components", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
