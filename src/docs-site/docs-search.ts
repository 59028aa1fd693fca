import MiniSearch from 'minisearch';
import { DOCS_PATH, EVENTS_PATH, type Guide, REFERENCE_PATH, targetOf } from './guides.js';
import { renderMarkdown } from './markdown.js';
import type { Reference } from './reference.js';

export interface Found {
  readonly href: string;
  readonly title: string;
  readonly page: string;
  readonly excerpt: string;
}

interface Entry extends Omit<Found, 'excerpt'> {
  readonly id: number;
  readonly text: string;
}

const MAX_FOUND = 20;
const MAX_TERMS = 6;
/** Shorter prefixes match too many words. */
const MIN_PREFIX_LETTERS = 3;
const MAX_EDITS = 2;
const EXCERPT_CHARACTERS = 220;
const LEAD_CHARACTERS = 60;

export class DocsSearch {
  private readonly index: MiniSearch<Entry>;

  constructor(guides: readonly Guide[], reference: Reference) {
    const entries = [...guides.flatMap(entriesOf), ...callEntries(reference)];
    this.index = new MiniSearch<Entry>({
      fields: ['title', 'page', 'text'],
      storeFields: ['href', 'title', 'page', 'text'],
      // A single letter begins half of all words.
      processTerm: (term) => (term.length > 1 ? term.toLowerCase() : null),
      searchOptions: {
        boost: { title: 4, page: 2 },
        prefix: (term) => term.length >= MIN_PREFIX_LETTERS,
        fuzzy: fuzziness,
        maxFuzzy: MAX_EDITS,
        tokenize: (words) => [...new Set(tokenize(words))].slice(0, MAX_TERMS),
      },
    });
    this.index.addAll(entries.map((entry, id) => ({ ...entry, id })));
  }

  /** Uses the first six words. Matches all of them, else any; best first. */
  find(words: string): Found[] {
    const all = this.index.search(words, { combineWith: 'AND' });
    const found = all.length > 0 ? all : this.index.search(words);
    return found.slice(0, MAX_FOUND).map(({ href, title, page, text, terms }) => ({
      href: String(href),
      title: String(title),
      page: String(page),
      excerpt: excerptOf(String(text), terms),
    }));
  }
}

const tokenize = MiniSearch.getDefault('tokenize') as (text: string) => string[];

/** Numbers and short words must match exactly. */
function fuzziness(term: string): number | false {
  return term.length > 4 && !/\d/.test(term) ? 0.2 : false;
}

function entriesOf({ slug, about, markdown }: Guide): Omit<Entry, 'id'>[] {
  const { title: page, sections } = renderMarkdown(markdown, targetOf);
  const href = `${DOCS_PATH}/${slug}`;
  return sections.map(({ anchor, title, text }) => ({
    href: anchor === '' ? href : `${href}#${anchor}`,
    title,
    page,
    text: anchor === '' ? `${about} ${text}` : text,
  }));
}

function callEntries({ calls, events }: Reference): Omit<Entry, 'id'>[] {
  const page = 'API reference';
  return [
    ...calls.map(({ slug, method, path, title, about, body, answer }) => ({
      href: `${REFERENCE_PATH}/${slug}`,
      title: `${method} ${path}`,
      page,
      text: [
        `${title} ${method} ${path} ${slug} ${about.replaceAll('`', '')}`,
        ...[...body, ...answer].flatMap(({ fields }) => fields.map(({ name }) => name)),
      ].join(' '),
    })),
    ...events.map(({ name, meaning }) => ({
      href: `${EVENTS_PATH}#${name}`,
      title: name,
      page: 'Event catalogue',
      text: meaning,
    })),
  ];
}

function excerptOf(text: string, terms: readonly string[]): string {
  const lower = text.toLowerCase();
  const places = terms.map((term) => lower.indexOf(term)).filter((place) => place >= 0);
  const first = places.length === 0 ? 0 : Math.max(0, Math.min(...places) - LEAD_CHARACTERS);
  const start = first === 0 ? 0 : text.indexOf(' ', first) + 1;
  const part = text.slice(start, start + EXCERPT_CHARACTERS);
  return `${start > 0 ? '… ' : ''}${part}${start + part.length < text.length ? ' …' : ''}`;
}
