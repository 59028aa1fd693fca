import type {
  KeyFactsBlock,
  KeyFactsContact,
  KeyFactsDocument,
  KeyFactsSection,
  KeyFactsSummary,
  LabelledText,
} from '../../forms/key-facts-document.js';
import { PageFlow } from './page-flow.js';
import {
  type Bookmark,
  FOOTER_TOP,
  LEFT,
  LINE_HEIGHT,
  type MeasureText,
  type PlacedDocument,
  STYLES,
  type Tag,
  tagIn,
  type TextStyle,
  WIDTH,
} from './placed-document.js';
import { TableLayout } from './table-layout.js';

export interface KeyFactsPageTexts {
  readonly footer: readonly string[];
  readonly pageNumber: string;
  readonly continued: string;
}

const LABEL_WIDTH = 130;
const INDENT = 12;
const TILE_GAP = 8;
const TILE_PADDING = 8;
const TILE_RADIUS = 6;
// Keeps a heading together with the next heading, or a table's head and first rows.
const ROOM_AFTER_HEADING = { H2: 165, H3: 130 };

export function layOutKeyFacts(
  document: KeyFactsDocument,
  pageTexts: KeyFactsPageTexts,
  measure: MeasureText,
): PlacedDocument {
  const layout = new KeyFactsLayout(pageTexts, measure);
  return layout.of(document);
}

class KeyFactsLayout {
  private readonly flow: PageFlow;
  private readonly root: Tag = { type: 'Document', children: [] };
  private readonly bookmarks: Bookmark[] = [];

  constructor(
    private readonly pageTexts: KeyFactsPageTexts,
    measure: MeasureText,
  ) {
    this.flow = new PageFlow(measure);
  }

  of(document: KeyFactsDocument): PlacedDocument {
    const { flow } = this;
    flow.paragraph(document.heading, STYLES.title, tagIn(this.root, 'H1'), { width: WIDTH });
    flow.space(4);
    for (const row of document.opening) this.opening(row);
    flow.space(4);
    this.paragraph(document.colophon, STYLES.note);
    this.summary(document.summary);
    for (const section of document.sections) this.section(section);
    this.footers();
    return { pages: flow.placed, structure: this.root, bookmarks: this.bookmarks };
  }

  private opening({ label, value }: LabelledText): void {
    const { flow } = this;
    const tag = tagIn(this.root, 'P');
    const width = WIDTH - LABEL_WIDTH;
    const lines = flow.lines(value, STYLES.strong, width);
    flow.put(
      flow.line(`${label} `, STYLES.text, tag, { x: LEFT, top: flow.y, width: LABEL_WIDTH }),
    );
    flow.block(lines, STYLES.strong, tag, { x: LEFT + LABEL_WIDTH, top: flow.y, width });
    flow.space(flow.heightOf(lines, STYLES.strong));
  }

  private summary({ title, figures, sentences }: KeyFactsSummary): void {
    this.sectionTitle(title);
    this.figures(figures);
    const list = tagIn(this.root, 'L');
    for (const sentence of sentences) {
      const body = tagIn(tagIn(list, 'LI'), 'LBody');
      const position = { x: LEFT, top: this.flow.y, width: INDENT };
      this.flow.makeRoom(STYLES.text.size * LINE_HEIGHT);
      this.flow.put(this.flow.line('•', STYLES.text, null, { ...position, top: this.flow.y }));
      this.flow.paragraph(sentence, STYLES.text, body, { x: LEFT + INDENT, width: WIDTH - INDENT });
    }
  }

  /** A screen reader reads the label first, although it is below the value. */
  private figures(figures: readonly LabelledText[]): void {
    const { flow } = this;
    const width = (WIDTH - TILE_GAP * (figures.length - 1)) / figures.length;
    const room = width - 2 * TILE_PADDING;
    const tiles = figures.map(({ label, value }) => ({
      label: flow.lines(label, STYLES.label, room),
      value: flow.lines(value, STYLES.figure, room),
    }));
    const labels = Math.max(...tiles.map(({ label }) => flow.heightOf(label, STYLES.label)));
    const values = Math.max(...tiles.map(({ value }) => flow.heightOf(value, STYLES.figure)));
    const height = labels + values + 2 * TILE_PADDING;
    flow.makeRoom(height);
    for (const [index, { label, value }] of tiles.entries()) {
      const x = LEFT + index * (width + TILE_GAP);
      flow.put({ kind: 'fill', x, y: flow.y, width, height, radius: TILE_RADIUS });
      const tag = tagIn(this.root, 'P');
      const at = { x: x + TILE_PADDING, width: room };
      const top = flow.y + TILE_PADDING;
      const spaced = [...label.slice(0, -1), `${label.at(-1) ?? ''} `];
      flow.block(spaced, STYLES.label, tag, { ...at, top: top + values });
      flow.block(value, STYLES.figure, tag, { ...at, top });
    }
    flow.space(height + 6);
  }

  private section({ title, blocks }: KeyFactsSection): void {
    this.sectionTitle(title);
    for (const block of blocks) this.block(block);
  }

  private sectionTitle(title: string): void {
    this.flow.space(12);
    this.heading(title, STYLES.section, 'H2');
    this.bookmarks.push({ title, page: this.flow.pageCount - 1 });
    this.flow.space(2);
  }

  private heading(text: string, style: TextStyle, type: 'H2' | 'H3'): void {
    this.flow.makeRoom(style.size * LINE_HEIGHT + ROOM_AFTER_HEADING[type]);
    this.flow.paragraph(text, style, tagIn(this.root, type), { width: WIDTH });
  }

  private block(block: KeyFactsBlock): void {
    switch (block.kind) {
      case 'heading':
        this.flow.space(8);
        this.heading(block.text, STYLES.heading, 'H3');
        return;
      case 'table':
        new TableLayout(
          this.flow,
          block.table,
          filled(this.pageTexts.continued, { caption: block.table.caption }),
        ).layOut(this.root);
        this.flow.space(4);
        return;
      case 'contact':
        this.contact(block.contact);
        return;
      case 'paragraph':
        this.paragraph(block.text, STYLES.text);
        return;
      case 'note':
        this.paragraph(block.text, STYLES.note);
        return;
      case 'figure':
        this.paragraph(block.text, STYLES.figure);
        return;
    }
  }

  private contact({ name, phone, email }: KeyFactsContact): void {
    this.paragraph(name, STYLES.strong);
    for (const { label, value } of [phone, email])
      this.paragraph(`${label}: ${value}`, STYLES.text);
  }

  private paragraph(text: string, style: TextStyle): void {
    this.flow.paragraph(text, style, tagIn(this.root, 'P'), { width: WIDTH });
  }

  /** Repeated on each page, so not part of the structure. */
  private footers(): void {
    const { flow, pageTexts } = this;
    const pages = flow.pageCount;
    const style = STYLES.footer;
    for (let page = 0; page < pages; page += 1) {
      flow.putOn(page, { kind: 'rule', x: LEFT, y: FOOTER_TOP, width: WIDTH });
      for (const [number, text] of pageTexts.footer.entries()) {
        const top = FOOTER_TOP + 4 + number * style.size * LINE_HEIGHT;
        flow.putOn(page, flow.line(text, style, null, { x: LEFT, top, width: WIDTH }));
      }
      const text = filled(pageTexts.pageNumber, { page: page + 1, pages });
      const position = { x: LEFT, top: FOOTER_TOP + 4, width: WIDTH, align: 'end' as const };
      flow.putOn(page, flow.line(text, style, null, position));
    }
  }
}

function filled(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}
