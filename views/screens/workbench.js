// Keeps an open page of the workbench current while it is visible. Without JavaScript nothing is missing.
const SHORT_MS = 5_000;
const LONG_MS = 60_000;
const news = document.createElement('p');
// A page that was fetched ahead may be minutes old.
let waitMs = performance.getEntriesByType('navigation')[0]?.deliveryType ? 0 : SHORT_MS;
// A minute apart: a session's eight hours.
let looksLeft = 480;
let updates = 0;
let timer;

// What a reader has opened is no difference.
const said = (node) => node.outerHTML.replaceAll(' open=""', '');

// What is the same stays where it is, and with it focus, scroll and what is opened.
function update(shown, fresh) {
  if (said(shown) === said(fresh)) return;
  const after = [...fresh.children];
  const is = (kind) => shown.tagName === fresh.tagName && shown.matches(kind);
  if (is('ol, ul')) {
    const wanted = new Set(after.map(said));
    for (const node of [...shown.children]) if (!wanted.has(said(node))) node.remove();
    after.forEach((node, place) => {
      const there = shown.children[place];
      if (!there || said(there) !== said(node)) shown.insertBefore(node, there ?? null);
    });
    while (shown.children.length > after.length) shown.lastChild.remove();
  } else if (is('main, div, section, dl') && shown.children.length === after.length)
    after.forEach((node, place) => update(shown.children[place], node));
  else shown.replaceWith(fresh);
}

async function look() {
  looksLeft -= 1;
  waitMs = Math.min(LONG_MS, Math.max(SHORT_MS, waitMs * 1.5));
  const answer = await fetch(location.href, { headers: { Accept: 'text/html' } });
  if (answer.status >= 500) return wait();
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const [shown, fresh] = [document, page].map((one) => one.getElementById('main'));
  // The session is over.
  if (!answer.ok || answer.redirected) looksLeft = 0;
  else if (said(shown) !== said(fresh)) {
    const focused = document.activeElement;
    update(shown, fresh);
    const again = [...document.links].find(({ href }) => href === focused.href);
    if (!focused.isConnected) again?.focus({ preventScroll: true });
    waitMs = SHORT_MS;
    news.textContent = `Something new is here. Updates so far: ${(updates += 1)}.`;
  }
  wait();
}

function wait() {
  clearTimeout(timer);
  if (looksLeft <= 0) news.textContent = 'Not updated any more. Load the page again.';
  else if (!document.hidden) timer = setTimeout(() => look().catch(wait), waitMs);
}

document.addEventListener('visibilitychange', () => {
  waitMs = 0;
  wait();
});
news.className = 'workbench-news';
news.setAttribute('role', 'status');
document.getElementById('main').after(news);
wait();
