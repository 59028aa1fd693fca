// Shows bank and branch as soon as an IFSC is typed. Without JavaScript the page shows them once it is sent.
const PAUSE_MS = 300;
const IFSC = /^[A-Z]{4}0[A-Z0-9]{6}$/;

const form = document.getElementById('account');
const field = document.getElementById('ifscCode');
const shown = document.getElementById('bank-branch');
const seen = document.getElementById('ifscShown');
const send = document.getElementById('send');
let pause;
let newest = 0;

async function showBranch(ifsc) {
  const request = ++newest;
  const { csrf } = form.elements;
  const answer = await fetch(shown.dataset.href, {
    method: 'POST',
    headers: { Accept: 'text/html' },
    body: new URLSearchParams({ [csrf.name]: csrf.value, ifscCode: ifsc }),
  });
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const fresh = page.getElementById('bank-branch');
  // Another code has been typed meanwhile, or the page has moved on: sending the form says so.
  if (request !== newest || !answer.ok || answer.redirected || !fresh) return;
  shown.replaceChildren(...fresh.childNodes);
  seen.value = ifsc;
  send.textContent = send.dataset.check;
}

function refresh() {
  const ifsc = field.value.replaceAll(/\s/g, '').toUpperCase();
  newest += 1;
  shown.replaceChildren();
  seen.value = '';
  send.textContent = send.dataset.continue;
  clearTimeout(pause);
  // Should the network fail, the page shows the branch once the form is sent.
  if (IFSC.test(ifsc)) pause = setTimeout(() => showBranch(ifsc).catch(() => undefined), PAUSE_MS);
}

if (form && field && shown && seen && send) {
  field.addEventListener('input', refresh);
  // Typed before this script ran, or put back by the browser.
  if (field.value !== field.defaultValue) refresh();
}
