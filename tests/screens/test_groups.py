"""Every scene of the screens is in a group of the looks, or is listed as one without them."""

from __future__ import annotations

from tests.screens.__main__ import GROUPS, WITHOUT_LOOKS
from tests.screens.show import KNOWN
from tests.screens.whole_list import WHOLE


def test_every_scene_has_its_looks_or_is_listed() -> None:
    scenes = [scene for group in GROUPS.values() for scene in group]
    films = {name for name in KNOWN if name.startswith("film_")}  # the scene `films` shows them all
    whole = {name for name in KNOWN if name.startswith("whole_")}
    assert len(scenes) == len(set(scenes))
    assert whole >= {name for name, _, _ in WHOLE}
    assert set(KNOWN) - films - whole == set(scenes) | WITHOUT_LOOKS
    assert not set(scenes) & WITHOUT_LOOKS
