// The words of the page, in the language of who looks at it.

const REMEMBERED = "prico-language";
const PLACES = { t: null, tTitle: "title", tLabel: "aria-label", tPlaceholder: "placeholder" };

let spoken = { language: "", languages: [], messages: {} };

/** The code of the language that is spoken; empty before `loadMessages`. */
export function language() {
  return spoken.language;
}

/** All languages, as {code, name}. */
export function languages() {
  return spoken.languages;
}

/**
 * Get the words of the page from the server.
 *
 * @param {string | null} code the language; the one chosen last, or that of the browser, if left out
 */
export async function loadMessages(code = localStorage.getItem(REMEMBERED)) {
  const ask = (wanted) => fetch(`/api/messages${wanted ? `?language=${encodeURIComponent(wanted)}` : ""}`);
  let response = await ask(code);
  if (!response.ok) response = await ask(null); // a language that was taken away
  useMessages(await response.json());
}

/** Speak with messages that are at hand, such as those that lie in a page of its own. */
export function useMessages(answer) {
  spoken = answer;
  document.documentElement.lang = answer.language;
  translate(document);
}

/** Speak another language from now on, also when the page is opened again. */
export async function choose(code) {
  localStorage.setItem(REMEMBERED, code);
  await loadMessages(code);
}

/** Say something: the message of a key, with figures in the places of their names. */
export function t(key, figures = {}) {
  const message = spoken.messages[key];
  if (message === undefined) throw new Error(`there is no message ${key}`);
  return message.replace(/\{(\w+)\}/g, (place, name) => figures[name] ?? place);
}

/** Whether there is a message of this key, for words that a server may have of its own. */
export function has(key) {
  return key in spoken.messages;
}

/** Fill in the words of elements that name their messages: data-t, data-t-title and so on. */
export function translate(root) {
  for (const [name, attribute] of Object.entries(PLACES)) {
    const marked = `data-${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    for (const element of root.querySelectorAll(`[${marked}]`)) {
      const words = t(element.dataset[name]);
      if (attribute) element.setAttribute(attribute, words);
      else element.textContent = words;
    }
  }
}

/** An address with the language that its answer is to be in. */
export function inLanguage(path) {
  return `${path}${path.includes("?") ? "&" : "?"}language=${encodeURIComponent(spoken.language)}`;
}

/** Let a select choose among the languages; `onChange` is called when the words are there. */
export function listLanguages(select, onChange) {
  select.replaceChildren(...spoken.languages.map(({ code, name }) => {
    const option = document.createElement("option");
    option.value = code;
    option.lang = code;
    option.textContent = name;
    return option;
  }));
  select.value = spoken.language;
  select.addEventListener("change", async () => {
    await choose(select.value);
    onChange();
  });
}
