// Plays a game to its end; tells the largest layout shift (as web.dev has it) and what was announced.
async () => {
  let shifted = 0, window = 0, first = 0, last = 0;
  new PerformanceObserver((list) => {
    for (const { startTime, value, hadRecentInput } of list.getEntries()) {
      if (hadRecentInput) continue;
      const goesOn = startTime - last < 1000 && startTime - first < 5000;
      if (!goesOn) first = startTime;
      window = goesOn ? window + value : value;
      last = startTime;
      shifted = Math.max(shifted, window);
    }
  }).observe({ type: "layout-shift", buffered: true });
  const spoken = [];
  new MutationObserver(() => spoken.push(document.querySelector("#announcement").textContent))
    .observe(document.querySelector("#announcement"), { childList: true });
  const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  let decisions = 0;
  while (document.body.dataset.turn !== "over") {
    if (document.body.dataset.turn === "person") {
      const moves = [...document.querySelectorAll("#moves button[data-action]")];
      const done = document.querySelector('#draft [data-draft="done"]:not(:disabled)');
      const fill = document.querySelector('#draft [data-draft="fill"]');
      (moves.length ? moves[decisions % moves.length] : done ?? fill).click();
      decisions += 1;
    }
    await pause(5);
  }
  await pause(100);
  return { shifted, decisions, spoken };
}
