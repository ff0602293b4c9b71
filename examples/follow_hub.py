"""Print the live scores of a hub's tournaments: python examples/follow_hub.py [URL]"""

import json
import sys
import urllib.request

hub = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8470"


def get(path: str):
    """Return the JSON answer of the hub's API (documented at URL/api/openapi.json)."""
    with urllib.request.urlopen(f"{hub}/api/{path}", timeout=10) as answer:
        return json.load(answer)


for tournament in get("tournaments"):
    print(tournament["name"], "(over)" if tournament["over"] else "")
    for match in get(f"tournaments/{tournament['id']}/live"):
        score = ", ".join(f"{match['names'].get(side, side)} {points}" for side, points in match["score"].items())
        print(f"  table {match['table']}: {score}")
