"""The die roll modifiers that are neither range nor terrain: fire, shock, pre-shock check, command (10.81, 11.42)."""

from mypy_extensions import i64


class FireModifiers:
    """The fire DRMs of 10.81 that are neither range nor terrain, and the strengths that call for them."""

    def __init__(
        self,
        behind_breastworks: i64,
        through_breastworks: i64,
        massed: i64,
        massed_sp: i64,
        dispersed: i64,
        dispersed_sp: i64,
        at_mounted: i64,
        by_mounted: i64,
        prepared: i64,
        disordered: i64,
        flank: i64,
        high_ground: i64,
        guns_moved: i64,
        guns_faced: i64,
        green: i64,
        dawn_dusk: i64,
        low_ammo: i64,
        friends_hit: i64,
        night: list[i64],
    ) -> None:
        self.behind_breastworks: i64 = behind_breastworks
        self.through_breastworks: i64 = through_breastworks
        self.massed: i64 = massed
        self.massed_sp: i64 = massed_sp
        self.dispersed: i64 = dispersed
        self.dispersed_sp: i64 = dispersed_sp
        self.at_mounted: i64 = at_mounted
        self.by_mounted: i64 = by_mounted
        self.prepared: i64 = prepared
        self.disordered: i64 = disordered
        self.flank: i64 = flank
        self.high_ground: i64 = high_ground
        self.guns_moved: i64 = guns_moved
        self.guns_faced: i64 = guns_faced
        self.green: i64 = green
        self.dawn_dusk: i64 = dawn_dusk
        self.low_ammo: i64 = low_ammo
        # The highest unadjusted roll that strikes friends under the line of fire (10.26).
        self.friends_hit: i64 = friends_hit
        self.nights: list[i64] = night

    def night(self, distance: i64) -> i64:
        """Night DRM at a distance in hexes, the last value for every greater one (16.12)."""
        at: i64 = distance - 1
        size: i64 = len(self.nights)
        if at >= size:
            at = size - 1
        return self.nights[at]


class ShockModifiers:
    """The shock adjustments of 11.42 that are neither ratio nor terrain; pluses favour the attacker."""

    def __init__(
        self,
        charge: i64,
        cavalry_charge: i64,
        countercharged: i64,
        attacker_disordered: i64,
        defender_disordered: i64,
        no_brigadier: i64,
        aggressive: i64,
        breastworks: i64,
        continued: i64,
        enemy_front: i64,
        front: i64,
        flank: i64,
        rear: i64,
        front_flank: i64,
        front_rear: i64,
        flank_rear: i64,
        front_flank_rear: i64,
        surrounded: i64,
    ) -> None:
        self.charge: i64 = charge
        self.cavalry_charge: i64 = cavalry_charge
        self.countercharged: i64 = countercharged
        self.attacker_disordered: i64 = attacker_disordered
        self.defender_disordered: i64 = defender_disordered
        self.no_brigadier: i64 = no_brigadier
        self.aggressive: i64 = aggressive
        self.breastworks: i64 = breastworks
        self.continued: i64 = continued
        self.enemy_front: i64 = enemy_front
        self.surrounded: i64 = surrounded
        self.positions: list[i64] = [
            front,
            front,
            flank,
            front_flank,
            rear,
            front_rear,
            flank_rear,
            front_flank_rear,
        ]

    def position(self, through_front: bool, through_flank: bool, through_rear: bool) -> i64:
        """DRM for the sides of the defender that the attack comes through (11.44)."""
        at: i64 = 0
        if through_front:
            at += 1
        if through_flank:
            at += 2
        if through_rear:
            at += 4
        return self.positions[at]


class PreShockModifiers:
    """The DRMs of the defender's pre-shock cohesion check (11.37); pluses harm the defender."""

    def __init__(
        self, march: i64, disordered: i64, flank: i64, rear: i64, cavalry_charge: i64, breastworks: i64
    ) -> None:
        self.march: i64 = march
        self.disordered: i64 = disordered
        self.flank: i64 = flank
        self.rear: i64 = rear
        self.cavalry_charge: i64 = cavalry_charge
        self.breastworks: i64 = breastworks


class CommandModifiers:
    """The DRMs of orders change (6.22), rally (13.42) and leadership (11.73)."""

    def __init__(
        self,
        with_division_leader: i64,
        with_higher_commander: i64,
        rally_adjacent: i64,
        rally_mounted: i64,
        rally_loss: i64,
        rally_loss_multiple: i64,
        leader_star: i64,
        leader_killed: i64,
    ) -> None:
        self.with_division_leader: i64 = with_division_leader
        self.with_higher_commander: i64 = with_higher_commander
        self.rally_adjacent: i64 = rally_adjacent
        self.rally_mounted: i64 = rally_mounted
        # An adjusted rally roll of this, or of this multiple of the rating, costs a strength point (13.41).
        self.rally_loss: i64 = rally_loss
        self.rally_loss_multiple: i64 = rally_loss_multiple
        self.leader_star: i64 = leader_star
        # The highest roll that kills a leader (12.71).
        self.leader_killed: i64 = leader_killed
