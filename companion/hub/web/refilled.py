"""A page whose form was refused keeps what was typed in it: nobody types a list of names twice."""

from __future__ import annotations

import re
from html import unescape

from fastapi import Request
from fastapi.responses import HTMLResponse
from markupsafe import escape

from companion.hub.web.forms import Form

_FORM = re.compile(r"<form\b[^>]*>.*?</form>", re.DOTALL)
_FIELD = re.compile(r"<input\b[^>]*>|<textarea\b[^>]*>.*?</textarea>|<select\b[^>]*>.*?</select>", re.DOTALL)
_OPTION = re.compile(r"(<option\b[^>]*>)(.*?)(?=</option>)", re.DOTALL)
_MARK = "form"
"""The hidden field that says whose the form is."""
_TICKED = ("checkbox", "radio")


def refilled(request: Request, page: HTMLResponse, sent: Form) -> HTMLResponse:
    """The page with what was sent in the form that sent it: the one with its address and its hidden fields."""
    done = False

    def filled(found: re.Match[str]) -> str:
        nonlocal done
        form = found[0]
        if done or _attribute(form, "action") != request.url.path or not _same(form, sent):
            return form
        done = True
        return _filled(form, sent)

    return HTMLResponse(_FORM.sub(filled, bytes(page.body).decode()), page.status_code)


def _same(form: str, sent: Form) -> bool:
    """Whether this is the form that was sent, by its hidden fields."""
    fields = [each for each in _FIELD.findall(form) if _attribute(each, "type") == "hidden"]
    named = [(_attribute(each, "name"), _attribute(each, "value")) for each in fields]
    return all(value in sent.get(name, ()) for name, value in named if name != _MARK)


def _filled(form: str, sent: Form) -> str:
    seen: dict[str, int] = {}

    def field(found: re.Match[str]) -> str:
        text = found[0]
        name, kind = _attribute(text, "name"), _attribute(text, "type")
        if not name or kind in ("hidden", "password"):
            return text
        values = sent.get(name, ())
        if kind in _TICKED:
            return _with(text.replace(" checked", ""), "checked" if _attribute(text, "value") in values else "")
        at = seen.get(name, 0)
        seen[name] = at + 1
        return _typed(text, values[at]) if at < len(values) else text

    return _FIELD.sub(field, form)


def _typed(field: str, value: str) -> str:
    """One field with a value; a choice that is not offered any more stays as the page has it."""
    if field.startswith("<textarea"):
        return f"{field[: field.index('>') + 1]}\n{escape(value)}</textarea>"
    if field.startswith("<input"):
        return _with(re.sub(r' value="[^"]*"', "", field), f'value="{escape(value)}"')
    if value not in [_offers(*each) for each in _OPTION.findall(field)]:
        return field

    def option(found: re.Match[str]) -> str:
        tag = found[1].replace(" selected", "")
        return _with(tag, "selected" if _offers(tag, found[2]) == value else "") + found[2]

    return _OPTION.sub(option, field)


def _offers(tag: str, shown: str) -> str:
    return _attribute(tag, "value") if " value=" in tag else unescape(shown)


def _attribute(tag: str, name: str) -> str:
    """The value of the first attribute of a name; empty without it."""
    found = re.search(rf'\s{name}="([^"]*)"', tag)
    return unescape(found[1]) if found else ""


def _with(tag: str, attribute: str) -> str:
    """A tag with one more attribute, if it is one."""
    return f"{tag[:-1]} {attribute}>" if attribute else tag
