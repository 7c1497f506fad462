"""Matches of a trace that `croupier simulate --trace` has written, compared with another program step by step."""
import json
import sys
from collections import Counter
from itertools import groupby


def shown(value):
    return sorted(value) if isinstance(value, set) else value


class Comparison:
    """What came of comparing with `peer`: disagreements are printed where they are found."""

    def __init__(self, peer):
        self.peer = peer
        self.matches = self.disagreements = 0
        # How often each thing was compared.
        self.compared = Counter()

    def replay(self, path, replay, look=lambda match: None):
        """Goes through all matches of a file. `replay` yields (step, what, ours, theirs) for a match, `look` sees it before."""
        with open(path, encoding="utf-8") as trace:
            rows = (json.loads(line) for line in trace if line.strip())
            for playout, group in groupby(rows, key=lambda row: row["playout"]):
                match = list(group)
                self.matches += 1
                look(match)
                try:
                    for step, what, ours, theirs in replay(match):
                        self.same(what, ours, theirs, f"playout {playout} step {step}: ")
                except Exception as error:  # the peer refuses what it does not allow
                    self.differ(f"playout {playout}: cannot be replayed: {error!r}")

    def same(self, what, ours, theirs, place="", near=0):
        self.compared[what] += 1
        if abs(ours - theirs) > near if near else ours != theirs:
            self.differ(f"{place}{what}: {shown(ours)}, {self.peer} has {shown(theirs)}")

    def differ(self, how):
        self.disagreements += 1
        print(how)

    def end(self, name, counted="", is_enough=True):
        """Says what came of it, and ends the program with its status."""
        details = f"({self.compared.total()} comparisons){counted}"
        print(f"{name}: {self.matches} matches, {self.disagreements} disagreements {details}")
        sys.exit(0 if self.matches and is_enough and not self.disagreements else 1)
