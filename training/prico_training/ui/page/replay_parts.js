"use strict";
// What all parts of the replay page use: elements, words of the page's language, figures.

const find = (id) => document.getElementById(id);
const SVG = "http://www.w3.org/2000/svg";
const clamp = (value, low, high) => Math.min(high, Math.max(low, value));

/** The sentences of the page, by key, and the language they are in; the data in the page has them. */
const speech = { messages: {}, language: "en" };

/** Say a sentence of the page, with figures in place of their names in braces. */
function t(key, figures = {}) {
  const sentence = speech.messages[`replay_${key}`] ?? key;
  return sentence.replace(/\{(\w+)\}/g, (whole, name) => name in figures ? String(figures[name]) : whole);
}

/** Speak a language: in the elements that name a sentence, and in what is said from now on. */
function speak(language, messages) {
  Object.assign(speech, { language, messages });
  document.documentElement.lang = language;
  for (const element of document.querySelectorAll("[data-t]")) element.textContent = t(element.dataset.t);
  for (const element of document.querySelectorAll("[data-t-label]")) {
    element.setAttribute("aria-label", t(element.dataset.tLabel));
    const keys = element.dataset.keys && t(element.dataset.keys);
    if (keys) element.title = `${t(element.dataset.tLabel)} (${keys})`;
  }
}

const capital = (words) => words.charAt(0).toUpperCase() + words.slice(1);

/** A share of one in percent, as the language writes it. */
function percent(share, digits = 0) {
  const format = { style: "percent", minimumFractionDigits: digits, maximumFractionDigits: digits };
  return new Intl.NumberFormat(speech.language, format).format(share);
}

function decimal(value) {
  const format = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
  return new Intl.NumberFormat(speech.language, format).format(value);
}

/** Make an element: its class, its text, and what lies in it. Text is never read as HTML. */
function make(tag, className = "", text = "", children = []) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text !== "") element.textContent = text;
  element.append(...children);
  return element;
}

function draw(tag, attributes, text = "") {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  if (text !== "") element.textContent = text;
  return element;
}

const chip = (seat) => make("span", `chip seat-${seat}`, `P${seat}`);

async function unpack(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).json();
}

/** What all sentences begin with, up to a colon and the gap behind it; "" if they differ. */
function sharedHead(sentences) {
  const head = /^[^:]*: /.exec(sentences[0])?.[0] ?? "";
  return sentences.every((each) => each.startsWith(head)) ? head : "";
}
