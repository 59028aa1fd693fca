// Asks for the page again and puts its live part in the place of the one shown, so that nothing
// flickers and a reader's place is kept. Without JavaScript the page reloads as a whole.
const seconds = Number(document.body.dataset.refreshSeconds);

async function refresh() {
  // Where it leads on to the next page, that one is left to the browser, which else had it twice.
  const answer = await fetch(location.href, {
    headers: { Accept: 'text/html' },
    redirect: 'manual',
  });
  // We cannot be reached for a moment: the page is still true, and is asked for again.
  if (answer.status >= 500) {
    wait();
    return;
  }
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const fresh = page.getElementById('live');
  const shown = document.getElementById('live');
  // The journey has moved on: another page, or one that waits for nothing any more.
  const isSame = fresh?.dataset.stage === shown?.dataset.stage;
  if (!answer.ok || !fresh || !shown || !isSame || !page.body.dataset.refreshSeconds) {
    location.reload();
    return;
  }
  if (fresh.innerHTML !== shown.innerHTML) shown.replaceChildren(...fresh.childNodes);
  document.title = page.title;
  wait();
}

function wait() {
  setTimeout(() => refresh().catch(wait), seconds * 1000);
}

wait();
