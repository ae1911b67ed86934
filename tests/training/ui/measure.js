// What a person can read and hit on a page: the smallest text, the smallest target, what scrolls.
() => {
  const isSeen = (one) => one.getClientRects().length && getComputedStyle(one).visibility === "visible"
    && !one.closest(".sr-only, option, [popover]:not(:popover-open), details:not([open]) > :not(summary)");
  const scale = (one) => one.ownerSVGElement ? one.getScreenCTM().a : 1;
  const says = (one) => [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
  const texts = [...document.querySelectorAll("body *")].filter((one) => says(one) && isSeen(one))
    .map((one) => [parseFloat(getComputedStyle(one).fontSize) * scale(one), one.textContent.slice(0, 40)]);
  const targets = [...document.querySelectorAll(
    "button, a[href], select, summary, input:not([type=checkbox]), [role=button]:not(.legal), .legal rect")]
    .filter(isSeen).map((one) => {
      const { width, height } = one.getBoundingClientRect();
      return [Math.min(width, height), one.outerHTML.slice(0, 80)];
    });
  const page = document.documentElement;
  const board = document.querySelector("#board");
  const least = (pairs) => pairs.reduce((one, other) => other[0] < one[0] ? other : one);
  return {
    text: least(texts), target: least(targets),
    scrolls: [page.scrollWidth - innerWidth, page.scrollHeight - innerHeight,
      board.scrollWidth - board.clientWidth, board.scrollHeight - board.clientHeight],
  };
}
