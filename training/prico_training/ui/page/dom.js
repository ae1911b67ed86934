// Small parts that all panels are made of.

/** Make an element: its name, its attributes, and what is inside. */
export function make(name, attributes = {}, ...inside) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(key, "");
    else if (value !== false && value != null) element.setAttribute(key, value);
  }
  element.append(...inside);
  return element;
}

/** The badge of a seat: its number on its colour. */
export function chip(seat) {
  return make("span", { class: `chip seat-${seat}` }, String(seat));
}

/** Words that begin with a capital letter. */
export function capital(words) {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A share of one, written as a percentage. */
export function percent(part) {
  return `${(100 * part).toFixed(1)}%`;
}

/** A line with a bar that is filled as far as a share of one says. */
export function bar(part, inside) {
  const filled = make("i");
  filled.style.width = `${100 * Math.min(1, Math.max(0, part))}%`;
  return make("li", inside, make("span", { class: "bar" }, filled));
}
