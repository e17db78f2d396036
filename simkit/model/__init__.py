"""What a battle is: the grid, the map, the forces, the charts and the state; no rule and no die."""
