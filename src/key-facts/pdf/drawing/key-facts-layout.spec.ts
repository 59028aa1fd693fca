import { describe, expect, it } from 'vitest';
import type { KeyFactsDocument, KeyFactsTable } from '../../forms/key-facts-document.js';
import { layOutKeyFacts } from './key-facts-layout.js';
import {
  BOTTOM,
  FOOTER_TOP,
  LEFT,
  type MeasureText,
  PAGE_HEIGHT,
  PAGE_WIDTH,
  type PlacedDocument,
  type PlacedText,
  type Tag,
  TOP,
} from './placed-document.js';

const measure: MeasureText = (text, { size }) => text.length * size * 0.5;

const PAGE_TEXTS = {
  footer: ['Statement off_1', 'Valid until tomorrow', 'Fingerprint: 0123'],
  pageNumber: 'Page {page} of {pages}',
  continued: '{caption} (continued)',
};

const HEADINGS = ['No.', 'Outstanding', 'Principal', 'Interest', 'Instalment'];

function schedule(rows: number): KeyFactsTable {
  return {
    kind: 'schedule',
    caption: 'Instalments',
    columns: HEADINGS.map((heading) => ({ heading, isAmount: true })),
    headerColumn: 0,
    groups: [
      {
        heading: null,
        none: 'None',
        rows: Array.from({ length: rows }, (_, row) =>
          HEADINGS.map((_heading, column) => ({ text: `r${row + 1}c${column}`, note: '' })),
        ),
      },
    ],
    total: null,
  };
}

const FEES: KeyFactsTable = {
  kind: 'fees',
  caption: 'Fees',
  columns: [
    { heading: 'Charge', isAmount: false },
    { heading: 'When', isAmount: false },
    { heading: 'Amount', isAmount: true },
  ],
  headerColumn: 0,
  groups: [
    {
      heading: 'To the lender',
      none: 'None',
      rows: [
        [
          { text: 'Processing fee', note: '1% of the loan amount' },
          { text: 'Once', note: '' },
          { text: '₹240', note: '' },
        ],
      ],
    },
    { heading: 'To others', none: 'None', rows: [] },
  ],
  total: { label: 'Total', value: '₹240' },
};

function document(): KeyFactsDocument {
  return {
    heading: 'Key Facts Statement',
    opening: [{ label: 'Lender', value: 'Example Finance' }],
    summary: {
      title: 'In short',
      figures: [
        { label: 'Loan amount', value: '₹20,000' },
        { label: 'APR', value: '17.07%' },
      ],
      sentences: ['You borrow ₹20,000.', 'You pay back ₹23,274.'],
    },
    sections: [
      {
        id: 'part-1',
        title: 'Part 1',
        blocks: [
          { kind: 'heading', text: '8. Fees' },
          { kind: 'table', table: FEES },
          { kind: 'figure', text: '17.07%' },
        ],
      },
      { id: 'annex-c', title: 'Annex C', blocks: [{ kind: 'table', table: schedule(60) }] },
    ],
    colophon: 'In the form of a circular.',
  };
}

/** @param sentences of the summary: how much is above the tables */
function layOut(...sentences: string[]): PlacedDocument {
  const of = document();
  const summary = sentences.length > 0 ? { ...of.summary, sentences } : of.summary;
  return layOutKeyFacts({ ...of, summary }, PAGE_TEXTS, measure);
}

/** Page by page. */
function textsOf({ pages }: PlacedDocument): PlacedText[][] {
  return pages.map(({ items }) => items.filter((item) => item.kind === 'text'));
}

function wordsOf(placed: PlacedDocument): string[][] {
  return textsOf(placed).map((texts) => texts.map(({ text }) => text.trim()));
}

function tagsOf(tag: Tag, type: string): Tag[] {
  return [
    ...(tag.type === type ? [tag] : []),
    ...tag.children.flatMap((child) => tagsOf(child, type)),
  ];
}

function readingOf(placed: PlacedDocument, tag: Tag): string {
  const own = textsOf(placed)
    .flat()
    .map((item) => (item.tag === tag ? item.text : ''))
    .join('');
  return [own, ...tag.children.map((child) => readingOf(placed, child))]
    .filter((text) => text !== '')
    .join(' ');
}

describe('a statement on pages', () => {
  const placed = layOut();
  const [first, ...later] = wordsOf(placed);

  it('goes on over as many pages as it needs, and nothing lies outside a page’s margins', () => {
    expect(later.length).toBeGreaterThan(0);
    for (const { x, baseline, text, style, tag } of textsOf(placed).flat()) {
      expect(x).toBeGreaterThanOrEqual(LEFT - 0.01);
      expect(x + measure(text.trim(), style)).toBeLessThanOrEqual(PAGE_WIDTH - LEFT + 0.01);
      expect(baseline).toBeGreaterThan(TOP);
      expect(baseline).toBeLessThan(tag ? BOTTOM : PAGE_HEIGHT);
    }
  });

  it('repeats a table’s head, and what it is, on each page that it goes on to', () => {
    const head = ['Instalments (continued)', ...HEADINGS];
    for (const words of later) expect(words.slice(0, head.length)).toEqual(head);
  });

  it('has each instalment once, in order, and no row torn over two pages', () => {
    const rows = [first, ...later].flatMap((words) =>
      words.filter((word) => /^r\d+c0$/.test(word) && words.includes(word.replace('c0', 'c4'))),
    );
    expect(rows).toEqual(Array.from({ length: 60 }, (_, row) => `r${row + 1}c0`));
  });

  it('has at the foot of each page what it is, its validity, its fingerprint and its number', () => {
    for (const [number, texts] of textsOf(placed).entries()) {
      const foot = texts.filter(({ baseline }) => baseline > FOOTER_TOP).map(({ text }) => text);
      const page = `Page ${number + 1} of ${placed.pages.length}`;
      expect(foot).toEqual([...PAGE_TEXTS.footer, page]);
    }
  });

  it('keeps a heading with what follows it, and a total with its table, however much is above', () => {
    for (let lines = 1; lines <= 60; lines += 1) {
      const of = layOut(...Array.from({ length: lines }, (_, line) => `Sentence ${line}.`));
      for (const texts of textsOf(of)) {
        const last = texts.findLast(({ tag }) => tag !== null);
        expect(['H2', 'H3']).not.toContain(last?.tag?.type);
      }
      // Nothing is payable to third parties.
      expect(wordsOf(of).find((words) => words.includes('Total'))).toContain('None');
    }
  });
});

describe('what a screen reader goes by', () => {
  const placed = layOut();

  it('has a table’s head once, though it is seen on each page', () => {
    const [, table] = tagsOf(placed.structure, 'Table');
    expect(tagsOf(table, 'THead')).toHaveLength(1);
    expect(tagsOf(table, 'TR')).toHaveLength(61);
  });

  it('says of each header cell what it is the header of', () => {
    const headers = tagsOf(placed.structure, 'TH');
    expect(headers.every(({ scope }) => scope !== undefined)).toBe(true);
    const [fees] = tagsOf(placed.structure, 'Table');
    const rows = tagsOf(fees, 'TH').filter(({ scope }) => scope === 'Row');
    expect(rows.map((tag) => readingOf(placed, tag))).toEqual([
      'To the lender',
      'Processing fee1% of the loan amount',
      'To others',
      'Total',
    ]);
  });

  it('keeps the words apart where a line ends', () => {
    const sentence = Array.from({ length: 40 }, (_, word) => `word${word}`).join(' ');
    const of = layOut(sentence);
    expect(readingOf(of, tagsOf(of.structure, 'LBody')[0])).toBe(sentence);
  });
});
