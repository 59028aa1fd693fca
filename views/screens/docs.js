// Copy buttons, and tabs for code in several languages. Without JavaScript all code is shown, one below the other.
const KEPT = 'docs-tab';
const groups = [...document.querySelectorAll('.tabs')].map(tabsOf);

for (const pre of document.querySelectorAll('.docs-text pre')) {
  const button = make('button', { type: 'button', class: 'copy', 'aria-live': 'polite' }, 'Copy');
  button.addEventListener('click', () => copy(pre.querySelector('code'), button));
  pre.prepend(button);
}

const kept = recall();
if (kept) for (const group of groups) group.show(kept);

function make(name, attributes, text = '') {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.textContent = text;
  return element;
}

async function copy(code, button) {
  try {
    await navigator.clipboard.writeText(code.textContent);
  } catch {
    // A page on plain http has no clipboard.
    getSelection().selectAllChildren(code);
    document.execCommand('copy');
  }
  button.textContent = 'Copied';
  setTimeout(() => (button.textContent = 'Copy'), 2_000);
}

function tabsOf(box, place) {
  const panels = [...box.children];
  const list = make('div', { class: 'tab-list', role: 'tablist', 'aria-label': 'Examples' });
  const tabs = panels.map((panel, index) => {
    const caption = panel.querySelector('.tab-title');
    const id = `tab-${place}-${index}`;
    caption.hidden = true;
    panel.setAttribute('role', 'tabpanel');
    panel.setAttribute('aria-labelledby', id);
    return make('button', { type: 'button', role: 'tab', id }, caption.textContent);
  });
  const select = (chosen) => {
    for (const [index, tab] of tabs.entries()) {
      tab.setAttribute('aria-selected', String(index === chosen));
      tab.tabIndex = index === chosen ? 0 : -1;
      panels[index].hidden = index !== chosen;
    }
  };
  const show = (title) => {
    const index = tabs.findIndex((tab) => tab.textContent === title);
    if (index >= 0) select(index);
  };
  const choose = (tab) => {
    // Where the reader is stays in view, although the groups above change their height.
    const top = tab.getBoundingClientRect().top;
    for (const group of groups) group.show(tab.textContent);
    scrollBy(0, tab.getBoundingClientRect().top - top);
    remember(tab.textContent);
  };
  list.append(...tabs);
  box.prepend(list);
  select(0);
  list.addEventListener('click', ({ target }) => tabs.includes(target) && choose(target));
  list.addEventListener('keydown', (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const from = tabs.indexOf(event.target);
    if (!step || from < 0) return;
    const next = tabs[(from + step + tabs.length) % tabs.length];
    event.preventDefault();
    next.focus();
    choose(next);
  });
  return { show };
}

function remember(title) {
  try {
    localStorage.setItem(KEPT, title);
  } catch {
    // Not every browser stores it.
  }
}

function recall() {
  try {
    return localStorage.getItem(KEPT);
  } catch {
    return null;
  }
}
