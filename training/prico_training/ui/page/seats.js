// What seats are called, and who plays them.

export const PERSON = "human";

/** How a seat is called: "you", "you (seat 2)" if several people play, or the agent's name. */
export function seatName(game, seat) {
  const name = game.players[seat];
  if (name !== PERSON) return name;
  return game.players.filter((one) => one === PERSON).length > 1 ? `you (seat ${seat})` : "you";
}
