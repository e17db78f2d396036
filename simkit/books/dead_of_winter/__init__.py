"""Dead of Winter: the battle of Stones River, December 31st 1862 to January 2nd 1863."""
