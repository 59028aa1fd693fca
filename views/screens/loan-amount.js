// Asks for new figures while the amount is typed. Without JavaScript the button does it.
const PAUSE_MS = 500;

const form = document.querySelector('form[data-figures-href]');
const amount = document.getElementById('loanAmount');
const figures = document.getElementById('loan-figures');
const note = document.getElementById('loan-figures-stale');
let pause;
let newest = 0;

/** The rupees in a field, in Latin or Devanagari digits; null when it is no amount. */
function rupeesIn(field) {
  const text = field.value
    .replaceAll(/[₹,\s]/g, '')
    .replaceAll(/[०-९]/g, (digit) => String(digit.charCodeAt(0) - 0x966));
  return /^\d{1,13}(\.\d{1,2})?$/.test(text) ? text : null;
}

async function update() {
  const typed = rupeesIn(amount);
  const turn = ++newest;
  if (typed === null) return;
  const answer = await fetch(`${form.dataset.figuresHref}?amount=${typed}`, {
    headers: { Accept: 'text/html' },
  });
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const fresh = page.getElementById('loan-figures');
  const quoted = page.getElementById('loanAmount');
  // Another amount has been typed meanwhile.
  if (turn !== newest) return;
  // An amount that the offer does not cover is quoted as another: the button says what is wrong.
  if (!answer.ok || !fresh || Number(rupeesIn(quoted)) !== Number(typed)) return;
  figures.replaceChildren(...fresh.childNodes);
  show(false);
}

function show(isStale) {
  figures.toggleAttribute('data-stale', isStale);
  note.textContent = isStale ? note.dataset.stale : '';
}

function refresh() {
  show(true);
  clearTimeout(pause);
  // Should the network fail, the figures stay marked as old, and the button is still there.
  pause = setTimeout(() => update().catch(() => undefined), PAUSE_MS);
}

if (form && amount && figures && note) {
  amount.addEventListener('input', refresh);
  // Typed before this script ran, or put back by the browser.
  if (amount.value !== amount.defaultValue) refresh();
}
