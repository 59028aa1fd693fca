// Shows bank and branch as soon as an IFSC is typed. Without JavaScript the page shows them once it is sent.
const PAUSE_MS = 300;
const IFSC = /^[A-Z]{4}0[A-Z0-9]{6}$/;

const form = document.getElementById('account');
const field = document.getElementById('ifscCode');
const shown = document.getElementById('bank-branch');
const seen = document.getElementById('ifscShown');
const check = document.getElementById('bank-check');
let pause;
let newest = 0;

async function look(ifsc) {
  const turn = ++newest;
  const { csrf } = form.elements;
  const answer = await fetch(shown.dataset.href, {
    method: 'POST',
    headers: { Accept: 'text/html' },
    body: new URLSearchParams({ [csrf.name]: csrf.value, ifscCode: ifsc }),
  });
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const fresh = page.getElementById('bank-branch');
  // Another code has been typed meanwhile, or the page has moved on: sending the form says so.
  if (turn !== newest || !answer.ok || answer.redirected || !fresh) return;
  shown.replaceChildren(...fresh.childNodes);
  seen.value = ifsc;
}

if (form && field && shown && seen) {
  field.addEventListener('input', () => {
    const ifsc = field.value.replaceAll(/\s/g, '').toUpperCase();
    newest += 1;
    // What it asks is of the code before.
    check?.remove();
    shown.replaceChildren();
    seen.value = '';
    clearTimeout(pause);
    // Should the network fail, the page shows the branch once the form is sent.
    if (IFSC.test(ifsc)) pause = setTimeout(() => look(ifsc).catch(() => undefined), PAUSE_MS);
  });
}
