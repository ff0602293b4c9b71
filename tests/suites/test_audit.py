"""The audit of packages: vulnerabilities are failures, and no answer is never a pass."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.suites.audit import NO_NETWORK, Finding, ask, auditor, findings, lacking_auditor, packages, report
from tests.suites.count import Count
from tests.tracked import ROOT

ANSWER = {
    "dependencies": [
        {"name": "good", "version": "1", "vulns": []},
        {"name": "bad", "version": "2", "vulns": [{"id": "PYSEC-1", "fix_versions": ["2.1", "3"]}]},
        {"name": "worse", "version": "3", "vulns": [{"id": "PYSEC-2", "fix_versions": []}]},
        {"name": "unknown", "skip_reason": "not found"},
    ]
}


def test_every_package_is_passed_failed_or_skipped(capsys: pytest.CaptureFixture[str]) -> None:
    assert report(list(findings(ANSWER))) == Count(1, 2, 1)
    assert capsys.readouterr().out.splitlines() == [
        "bad 2: PYSEC-1 (mended in 2.1, 3)",
        "worse 3: PYSEC-2 (mended in no version)",
        "skipped: the database does not know: unknown",
    ]


def test_without_a_network_nothing_passes(capsys: pytest.CaptureFixture[str]) -> None:
    assert report([Finding("one", None), Finding("two", None)]) == Count(0, 0, 2)
    assert capsys.readouterr().out == f"{NO_NETWORK}\n"


def program(folder: Path, body: str) -> list[str]:
    file = folder / "pip-audit"
    file.write_text(f"#!/bin/sh\n{body}\n")
    file.chmod(0o755)
    return [str(file)]


def test_the_packages_are_handed_over_and_the_answer_is_read(tmp_path: Path) -> None:
    answer = tmp_path / "answer.json"
    answer.write_text(json.dumps(ANSWER))
    command = program(tmp_path, f'cp "$2" "{tmp_path}/asked"; cat "{answer}"; exit 1')
    assert [each.package for each in ask(command, ["good==1", "bad==2"])] == ["good 1", "bad 2", "worse 3", "unknown"]
    assert (tmp_path / "asked").read_text() == "good==1\nbad==2\n"


def test_a_program_that_fails_answers_for_no_package(tmp_path: Path) -> None:
    assert ask(program(tmp_path, "echo no route; exit 1"), ["good==1"]) == [Finding("good==1", None)]


def test_the_packages_are_those_of_the_bill_of_materials() -> None:
    asked = packages(json.loads((ROOT / "deploy/bom.cdx.json").read_bytes()))
    assert len(asked) > 50
    assert any(each.startswith("kivy==") for each in asked)
    assert not any("onnx==" in each or each.startswith("vision") for each in asked), "networks are no packages"


def test_what_is_missing_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert auditor() is None
    assert "pip-audit" in str(lacking_auditor())
    program(tmp_path, "")
    assert auditor() == ["pip-audit"]
    assert lacking_auditor() is None
