"""The bill of materials: complete, the same as the lock and the installed packages, and valid CycloneDX."""

from __future__ import annotations

import json
import re
import shutil
from datetime import UTC, datetime
from email.message import Message
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

from tests.tracked import ROOT
from tools.bill_of_materials import (
    FILE,
    PRODUCT,
    BillError,
    bill,
    dependencies,
    encode,
    licences,
    locked_packages,
    main,
)

AT = datetime(2026, 1, 2, tzinfo=UTC)
BILL: dict[str, Any] = json.loads((ROOT / FILE).read_bytes())
COMPONENTS: list[dict[str, Any]] = BILL["components"]


def installed(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


IS_LOCK_INSTALLED = all(installed(name) == version for name, (version, _) in locked_packages(ROOT).items())


def test_it_names_every_locked_package_with_all_its_hashes() -> None:
    named = {
        each["name"]: (each["version"], tuple(one["content"] for one in each["externalReferences"][0]["hashes"]))
        for each in COMPONENTS
        if each["type"] == "library"
    }
    assert named == locked_packages(ROOT)
    listed = (ROOT / "deploy/run-time.txt").read_text().splitlines()
    assert set(named) == {line for line in listed if not line.startswith("#")}


def test_it_names_every_neural_network() -> None:
    named = {each["name"] for each in COMPONENTS if each["type"] == "machine-learning-model"}
    assert named == {f"vision/models/{path.name}" for path in (ROOT / "vision/models").glob("*.onnx")}


@pytest.mark.skipif(not IS_LOCK_INSTALLED, reason="other packages than those of the lock are installed")
def test_it_is_as_the_lock_step_makes_it() -> None:
    """Otherwise run deploy/lock.sh, or `python -m tools.bill_of_materials`."""
    made = bill(ROOT, AT)
    made["metadata"]["timestamp"] = BILL["metadata"]["timestamp"]
    assert made == BILL
    assert encode(made) == (ROOT / FILE).read_bytes()


def test_it_is_a_cyclonedx_document() -> None:
    """The rules of the schema (version 1.6) for the fields in use."""
    assert (BILL["bomFormat"], BILL["specVersion"], BILL["version"]) == ("CycloneDX", "1.6", 1)
    assert re.fullmatch(r"urn:uuid:[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}", BILL["serialNumber"])
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", BILL["metadata"]["timestamp"])
    assert set(BILL) == {
        *("bomFormat", "specVersion", "serialNumber", "version"),
        *("metadata", "components", "dependencies"),
    }
    for each in (BILL["metadata"]["component"], *COMPONENTS):
        assert each["type"] in {"application", "library", "machine-learning-model"}
        assert each["name"]
        hashes = [*each.get("hashes", []), *(h for one in each.get("externalReferences", []) for h in one["hashes"])]
        assert all(one["alg"] == "SHA-256" and re.fullmatch("[0-9a-f]{64}", one["content"]) for one in hashes)
        stated = each["licenses"]
        is_expression = len(stated) == 1 and set(stated[0]) == {"expression"}
        assert is_expression or all(set(one) == {"license"} and set(one["license"]) < {"id", "name"} for one in stated)
        assert each.get("purl", "pkg:pypi/x@1").startswith("pkg:pypi/")


def test_references_are_unique_and_lead_somewhere() -> None:
    refs = [BILL["metadata"]["component"]["bom-ref"], *(each["bom-ref"] for each in COMPONENTS)]
    assert len(set(refs)) == len(refs)
    edges = {edge["ref"]: set(edge["dependsOn"]) for edge in BILL["dependencies"]}
    assert set(edges) | set().union(*edges.values()) <= set(refs)


def test_every_package_has_a_licence_and_a_reason_to_be_there() -> None:
    assert [each["name"] for each in COMPONENTS if not each["licenses"]] == []
    edges = {edge["ref"]: edge["dependsOn"] for edge in BILL["dependencies"]}
    reached, todo = set(), [PRODUCT]
    while todo:
        ref = todo.pop()
        if ref not in reached:
            reached.add(ref)
            todo += edges[ref]
    assert {each["bom-ref"] for each in COMPONENTS if each["type"] == "library"} <= reached


def metadata_of(**fields: str | list[str]) -> Any:
    made = Message()
    for name, value in fields.items():
        for each in [value] if isinstance(value, str) else value:
            made[name.replace("_", "-")] = each
    return made


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"License_Expression": "MIT OR Apache-2.0", "License": "MIT"}, [{"expression": "MIT OR Apache-2.0"}]),
        ({"License": "Apache 2.0"}, [{"license": {"id": "Apache-2.0"}}]),
        ({"Classifier": "License :: OSI Approved :: MIT License"}, [{"license": {"id": "MIT"}}]),
        ({"License": "any-OSI"}, [{"license": {"name": "any-OSI"}}]),
        ({"License": "A text\nof a licence"}, []),
        (
            {"License": "A text\nof one", "Classifier": ["License :: Public Domain", "License :: X :: BSD License"]},
            [{"license": {"name": "Public Domain"}}, {"license": {"name": "BSD License"}}],
        ),
        ({}, []),
    ],
)
def test_licences_are_those_that_a_package_states(fields: dict[str, str], expected: list[object]) -> None:
    assert licences(metadata_of(**fields)) == expected


def test_requirements_of_another_system_are_left_out() -> None:
    packages = {"rich": "1", "h11": "1"}
    direct = ["rich>=1 ; sys_platform == 'win32'", "h11", "nothing-locked"]
    assert dependencies(direct, packages)[PRODUCT] == ["h11"]


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """Return a small project with one locked package, which is installed."""
    for name in ("deploy", "companion", "vision/models"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "deploy/run-time.txt").write_text("# a comment\nh11\n")
    lock = (
        f"h11=={metadata.version('h11')} \\\n    --hash=sha256:{'a' * 64}\nrich==1 \\\n    --hash=sha256:{'b' * 64}\n"
    )
    (tmp_path / "requirements.lock").write_text(lock)
    (tmp_path / "companion/__init__.py").write_text('__version__ = "1.2.3"\n')
    shutil.copyfile(ROOT / "pyproject.toml", tmp_path / "pyproject.toml")
    return tmp_path


def test_a_second_run_changes_nothing(copy: Path) -> None:
    assert main(copy) == 0
    first = (copy / FILE).stat()
    assert main(copy) == 0
    assert (copy / FILE).stat().st_ino == first.st_ino
    (copy / "companion/__init__.py").write_text('__version__ = "1.2.4"\n')
    assert main(copy) == 0
    assert json.loads((copy / FILE).read_bytes())["metadata"]["component"]["version"] == "1.2.4"


def test_another_version_than_the_locked_one_is_refused(copy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lock = (copy / "requirements.lock").read_text()
    (copy / "requirements.lock").write_text(re.sub("^h11==.*? ", "h11==0.0.1 ", lock))
    with pytest.raises(BillError, match=r"the lock names 0\.0\.1"):
        bill(copy, AT)
    assert main(copy) == 1
    assert "h11" in capsys.readouterr().err
    assert not (copy / FILE).exists()


def test_a_package_that_is_not_installed_is_refused(copy: Path) -> None:
    (copy / "deploy/run-time.txt").write_text("no-such-package\n")
    (copy / "requirements.lock").write_text(f"no-such-package==1 \\\n    --hash=sha256:{'a' * 64}\n")
    with pytest.raises(BillError, match="no-such-package 1 is not installed"):
        bill(copy, AT)
