"""The import-linter contract type `may_import`: a package may import only what its contract lists.

The contracts are in pyproject.toml (see ARCHITECTURE.md). The standard library is always allowed. Third-party
packages must be listed too, so that Kivy stays in the app and the games stay pure.
"""

from __future__ import annotations

import sys

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, fields, output


def within(module: str, packages: set[str]) -> bool:
    """Return True if the module is one of the packages or inside one."""
    return any(module == package or module.startswith(package + ".") for package in packages)


def bound(pattern: str, module: str) -> str | None:
    """Return the name that matches `*` if the module is the package or inside it, else None."""
    parts, names = pattern.split("."), module.split(".")
    if len(names) < len(parts) or any(part not in ("*", name) for part, name in zip(parts, names, strict=False)):
        return None
    return next((name for part, name in zip(parts, names, strict=False) if part == "*"), "")


def around(package: str) -> set[str]:
    """Return the parents of the package: an import runs their `__init__`, so they are always allowed."""
    parts = package.split(".")
    return {".".join(parts[:length]) for length in range(1, len(parts))}


def named(option: object) -> set[str]:
    """Return the names in a contract option, which import-linter has parsed into a set; empty if it is missing."""
    return {str(name) for name in option} if isinstance(option, set) else set()


def lines_of(graph: ImportGraph, importer: str, imported: str) -> list[int]:
    """Return the line numbers of the import."""
    return [detail["line_number"] for detail in graph.get_import_details(importer=importer, imported=imported)] or [0]


class MayImport(Contract):
    """`package` may import itself and `may_import`; its parts in `apart_from` have contracts of their own.

    A `*` in the package name matches any one name, and the same name in `may_import`.
    """

    type_name = "may_import"

    package = fields.StringField()
    may_import = fields.SetField(subfield=fields.StringField(), required=False)
    apart_from = fields.SetField(subfield=fields.StringField(), required=False)

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        package = str(self.package)
        open_to, apart = {package} | named(self.may_import), named(self.apart_from)
        broken = []
        for importer in sorted(graph.modules):
            star = bound(package, importer)
            if star is None or any(bound(part, importer) is not None for part in apart):
                continue
            allowed = {name.replace("*", star) for name in open_to}
            open_to_all = around(package.replace("*", star)) | sys.stdlib_module_names
            broken += [
                (importer, imported, line)
                for imported in sorted(graph.find_modules_directly_imported_by(importer))
                if not within(imported, allowed) and imported not in open_to_all
                for line in lines_of(graph, importer, imported)
            ]
        return ContractCheck(kept=not broken, metadata={"broken": broken, "allowed": sorted(open_to)})

    def render_broken_contract(self, check: ContractCheck) -> None:
        for importer, imported, line in check.metadata["broken"]:
            output.print_error(f"{importer}:{line} imports {imported}")
        output.print(f"allowed: {', '.join(check.metadata['allowed'])}")
