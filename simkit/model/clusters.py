"""Hexes that others are measured from, in clusters, so that the nearest of them is found quickly."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64

from simkit.model.hexgrid import distance

if TYPE_CHECKING:
    from simkit.model.battlemap import Hex

AROUND: Final[i64] = 3  # hexes around its first from which a cluster takes others in
NOBODY: Final[i64] = 1000000  # hexes to the nearest of none


class Cluster:
    """Hexes that lie close together, all within `AROUND` of the first."""

    def __init__(self, first: Hex) -> None:
        self.q = first.q
        self.r = first.r
        self.hexes: list[Hex] = [first]


class Clusters:
    """A set of hexes, such as those where the enemy stands: clusters too far off are passed over as one."""

    def __init__(self) -> None:
        self._clusters: list[Cluster] = []
        self._latest: i64 = 0  # the cluster that held the nearest last: mostly it holds the next too

    def clear(self) -> None:
        """Forget all hexes."""
        self._clusters.clear()
        self._latest = 0

    def add(self, place: Hex) -> None:
        """Add a hex, once."""
        for cluster in self._clusters:
            if distance(cluster.q, cluster.r, place.q, place.r) <= AROUND:
                if place not in cluster.hexes:
                    cluster.hexes.append(place)
                return
        self._clusters.append(Cluster(place))

    def nearest(self, place: Hex) -> i64:
        """Hexes from a hex to the nearest of the set (10.12); `NOBODY` if it is empty."""
        clusters = self._clusters
        count: i64 = len(clusters)
        if count == 0:
            return NOBODY
        best = self._within(clusters[self._latest], place.q, place.r, NOBODY)
        at: i64 = 0
        while at < count:
            cluster = clusters[at]
            if distance(cluster.q, cluster.r, place.q, place.r) - AROUND < best:
                nearer = self._within(cluster, place.q, place.r, best)
                if nearer < best:
                    best = nearer
                    self._latest = at
            at += 1
        return best

    def _within(self, cluster: Cluster, q: i64, r: i64, best: i64) -> i64:
        for place in cluster.hexes:
            away = distance(place.q, place.r, q, r)
            if away < best:
                best = away
        return best
