// What seats are called, and who plays them.

export const PERSON = "human";

/** What a seat is called: the one name that it has everywhere. */
export function seatName(game, seat) {
  return game.names[seat];
}
