// What the two players of a spot are called.

/** Out of position, who acts first on each street, and in position. */
export const PLAYERS = ["OOP", "IP"];

/** The same, by what settings and files call them. */
export const PLAYER_OF_KEY = { oop: "OOP", ip: "IP" };
