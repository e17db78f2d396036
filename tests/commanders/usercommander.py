"""A commander such as a user writes: plain Python, a few methods, everything else as the rules have it."""

from simkit.model.forces import ATTACK
from simkit.rules.commander import Commander, Designation


class Bayonets(Commander):
    """Every brigade goes for the nearest enemy with the bayonet; nobody fires of his own will."""

    def __init__(self):
        super().__init__()
        self.asked = 0

    def deploy(self, series, side):
        for command in list(series.orders.assignable):
            series.orders.assign(command, ATTACK)

    def nearest(self, series, place):
        enemies = [unit.hex for unit in series.battle.units if unit.side != self.side and unit.counts()]
        return min((place.distance_to(enemy) for enemy in enemies), default=0)

    def act(self, series, brigades):
        self.asked += 1
        for brigade in brigades:
            for unit in brigade.units:
                if not unit.counts():
                    continue
                if unit.disordered and series.effectiveness.may_rally(unit):
                    series.effectiveness.rally(unit)
                elif series.movement.may_move(unit):
                    self.close(series, unit)

    def close(self, series, unit):
        series.movement.search(unit)
        nodes = [node for node in series.movement.reached if series.movement.may_stop(node)]
        if nodes:
            best = min(nodes, key=lambda node: (self.nearest(series, node.hex), node.cost, node.hex.id, node.heading))
            if self.nearest(series, best.hex) < self.nearest(series, unit.hex):
                series.movement.move(unit, best, best.heading)

    def shocks(self, series, brigades):
        wishes = [
            Designation([unit], series.shock.targets(unit))
            for brigade in brigades
            for unit in brigade.units
            if unit.counts() and series.shock.may_shock(unit)
        ]
        return series.shock.complete(wishes)
