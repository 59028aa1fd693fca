import { createRequire } from 'node:module';
import { Marked, type RendererObject, type Token, type Tokens } from 'marked';

interface PageSection {
  /** Empty above the first heading below the title. */
  readonly anchor: string;
  readonly title: string;
  readonly text: string;
  /** False: a table row. */
  readonly isHeading: boolean;
}

interface RenderedPage {
  readonly title: string;
  readonly html: string;
  readonly sections: readonly PageSection[];
}

/** Null: the words are shown without a link. */
export type LinkTarget = (href: string) => string | null;

interface OpenSection {
  readonly anchor: string;
  readonly title: string;
  readonly parts: string[];
  readonly isHeading: boolean;
}

/** After a fence: the language, and the title of a tab. */
const INFO = /^(\S+)(?: (.+))?$/;
const FENCES = /^(```[\s\S]*?^```)$/m;
const LINK = /\[([^\]]+)\]\(([^)\s]+)\)/g;
const TABS = /(?:<div class="tab">[\s\S]*?<\/div>\s*){2,}/g;
/** An event. */
const DOTTED_NAME = /^\w+\.\w+$/;
/** An error code, a reserved PAN, a header. */
const NAMED_ROW = /^`([\w-]{3,})`$/;
const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

/**
 * For our Markdown only: omits HTML.
 * @throws Error for a page without a title
 */
export function renderMarkdown(source: string, targetOf: LinkTarget): RenderedPage {
  const page = new OpenPage();
  const marked = new Marked({ renderer: rendererOf(page, targetOf) });
  const html: string[] = [];
  for (const token of marked.lexer(source)) {
    html.push(marked.parser([token]));
    if (token.type !== 'heading' && token.type !== 'html') page.add(plain(token.raw));
  }
  const sections = page.closed();
  const title = sections.find(({ anchor }) => anchor === '')?.title;
  if (title === undefined) throw new Error('the guide page does not begin with a title');
  const whole = html.join('').replaceAll(TABS, (tabs) => `<div class="tabs">${tabs}</div>`);
  return { title, html: whole, sections };
}

/** With links that lead to the Markdown of other pages; without comments. */
export function linkedMarkdown(source: string, targetOf: LinkTarget): string {
  const parts = source.replaceAll(/^<!--.*-->\n+/gm, '').split(FENCES);
  const linked = (text: string) =>
    text.replaceAll(LINK, (_, words: string, href: string) => {
      const target = targetOf(href);
      return target === null ? words : `[${words}](${target})`;
    });
  // The odd parts are code blocks.
  return parts.map((part, place) => (place % 2 === 1 ? part : linked(part))).join('');
}

class OpenPage {
  private readonly taken = new Set<string>();
  private readonly sections: OpenSection[] = [];
  private current?: OpenSection;

  title(title: string): void {
    this.current = { anchor: '', title, parts: [], isHeading: true };
    this.sections.push(this.current);
  }

  heading(title: string): string {
    this.current = { anchor: this.take(anchorOf(title)), title, parts: [], isHeading: true };
    this.sections.push(this.current);
    return this.current.anchor;
  }

  row(name: string, otherCells: string[]): string {
    const anchor = this.take(name);
    this.sections.push({ anchor, title: name, parts: otherCells, isHeading: false });
    return anchor;
  }

  add(text: string): void {
    this.current?.parts.push(text);
  }

  closed(): PageSection[] {
    return this.sections.map(({ parts, ...section }) => ({
      ...section,
      text: parts.join(' ').replaceAll(/\s+/g, ' ').trim(),
    }));
  }

  private take(wanted: string): string {
    let anchor = wanted;
    for (let place = 1; this.taken.has(anchor); place += 1) anchor = `${wanted}-${place}`;
    this.taken.add(anchor);
    return anchor;
  }
}

function rendererOf(page: OpenPage, targetOf: LinkTarget): RendererObject {
  return {
    html: () => '',
    heading({ depth, text, tokens }) {
      const words = plain(text);
      if (depth === 1) {
        page.title(words);
        return '';
      }
      const anchor = page.heading(words);
      return `<h${depth} id="${anchor}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
    },
    link({ href, tokens }) {
      const words = this.parser.parseInline(tokens);
      const target = targetOf(href);
      return target === null ? words : `<a href="${escaped(target)}">${words}</a>`;
    },
    code({ text, lang = '' }) {
      const [, language = '', title] = INFO.exec(lang) ?? [];
      const code = highlighted(text, language) ?? escaped(text);
      const shown = `<pre class="payload"><code>${code}</code></pre>\n`;
      if (title === undefined) return shown;
      return `<div class="tab"><p class="tab-title">${escaped(title)}</p>${shown}</div>\n`;
    },
    codespan: ({ text }) => `<code class="code">${escaped(text)}</code>`,
    table(table) {
      return tableOf(table, page, (tokens) => this.parser.parseInline(tokens));
    },
  };
}

/** An empty first header cell: every row has a header. */
function tableOf(
  { header, rows }: Tokens.Table,
  page: OpenPage,
  inline: (tokens: Token[]) => string,
): string {
  const hasRowHeads = header[0].text === '';
  const heads = header.map(({ text, tokens }) =>
    text === '' ? '<td></td>' : `<th scope="col">${inline(tokens)}</th>`,
  );
  const labels = header.map(({ text }) => escaped(plain(text)));
  const body = rows.map((cells) => {
    const name = NAMED_ROW.exec(cells[0].text)?.[1];
    const others = cells.slice(1).map(({ text }) => plain(text));
    const id = name === undefined ? '' : ` id="${page.row(name, others)}"`;
    const shown = cells.map(({ tokens }, place) =>
      hasRowHeads && place === 0
        ? `<th scope="row">${inline(tokens)}</th>`
        : `<td data-label="${labels[place]}">${inline(tokens)}</td>`,
    );
    return `<tr${id}>${shown.join('')}</tr>`;
  });
  return `<table class="docs-table"><thead><tr>${heads.join('')}</tr></thead><tbody>${body.join('\n')}</tbody></table>\n`;
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => ESCAPES[character]);
}

/** As GitHub does, so that links work in both places. */
function anchorOf(words: string): string {
  if (DOTTED_NAME.test(words)) return words;
  return words
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');
}

function plain(text: string): string {
  return text
    .replaceAll(/\]\([^)]*\)/g, '')
    .replaceAll(/^\s*\|[\s|:-]+\|\s*$/gm, '')
    .replaceAll(/```\w*|\||^#+ /gm, ' ')
    .replaceAll(/[`*[\]]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** The package's own types add those of browsers to the whole project. */
interface Highlighter {
  getLanguage(name: string): object | undefined;
  registerLanguage(name: string, language: object): void;
  highlight(
    code: string,
    options: { readonly language: string; readonly ignoreIllegals: boolean },
  ): { readonly value: string };
}

/** At the first use: most processes show no page. */
const load = createRequire(import.meta.url);

/** The package's name of a language, by the word after a fence. */
const LANGUAGES: Readonly<Record<string, string>> = {
  sh: 'bash',
  js: 'javascript',
  ts: 'javascript',
  json: 'json',
  python: 'python',
  java: 'java',
  go: 'go',
  php: 'php',
};

/** @returns HTML; null for a language without colours */
function highlighted(code: string, word: string): string | null {
  if (!Object.hasOwn(LANGUAGES, word)) return null;
  const language = LANGUAGES[word];
  const highlighter = load('highlight.js/lib/core') as Highlighter;
  if (!highlighter.getLanguage(language)) {
    highlighter.registerLanguage(
      language,
      load(`highlight.js/lib/languages/${language}`) as object,
    );
  }
  return highlighter.highlight(code, { language, ignoreIllegals: true }).value;
}
