import type { KeyFactsTable } from '../../forms/key-facts-document.js';

/** A4 in points. */
export const PAGE_WIDTH = 595.28;
export const PAGE_HEIGHT = 841.89;

/** 15 mm margins; three footer lines below. */
export const LEFT = 42.5;
export const TOP = 42.5;
export const WIDTH = PAGE_WIDTH - 2 * LEFT;
export const BOTTOM = PAGE_HEIGHT - 80;
export const FOOTER_TOP = PAGE_HEIGHT - 66;

/** Relative to the size: Devanagari marks need more room than Latin letters. */
export const LINE_HEIGHT = 1.5;
export const BASELINE = 1.06;

export const CELL_PADDING = 4;

export const STYLES = {
  title: { size: 20, weight: 600, ink: 'full' },
  section: { size: 13, weight: 600, ink: 'full' },
  heading: { size: 10.5, weight: 600, ink: 'full' },
  caption: { size: 9, weight: 600, ink: 'full' },
  text: { size: 9, weight: 400, ink: 'full' },
  strong: { size: 9, weight: 600, ink: 'full' },
  label: { size: 8, weight: 400, ink: 'quiet' },
  figure: { size: 15, weight: 600, ink: 'full' },
  note: { size: 7.5, weight: 400, ink: 'quiet' },
  footer: { size: 7, weight: 400, ink: 'quiet' },
} satisfies Record<string, TextStyle>;

/** Parts of the table's width. */
export const COLUMN_SHARES: Record<KeyFactsTable['kind'], readonly number[]> = {
  facts: [0.09, 0.46, 0.45],
  fees: [0.56, 0.22, 0.22],
  charges: [0.35, 0.65],
  schedule: [0.1, 0.24, 0.22, 0.22, 0.22],
};

/** Testable without a PDF library. Lengths in points (1/72 inch) from the top left corner. */
export interface PlacedDocument {
  readonly pages: readonly PlacedPage[];
  /** In reading order, for screen readers. */
  readonly structure: Tag;
  readonly bookmarks: readonly Bookmark[];
}

export interface PlacedPage {
  readonly items: readonly PlacedItem[];
}

export type PlacedItem = PlacedText | PlacedRule | PlacedFill;

export interface PlacedText {
  readonly kind: 'text';
  readonly x: number;
  readonly baseline: number;
  readonly text: string;
  readonly style: TextStyle;
  /** Null for repeated items. */
  readonly tag: Tag | null;
}

export interface PlacedRule {
  readonly kind: 'rule';
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

export interface PlacedFill {
  readonly kind: 'fill';
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly radius?: number;
}

export interface TextStyle {
  readonly size: number;
  readonly weight: 400 | 600;
  readonly ink: 'full' | 'quiet';
}

/** A structure element (ISO 32000-1, 14.8). */
export interface Tag {
  readonly type: TagType;
  readonly scope?: 'Row' | 'Column';
  readonly children: Tag[];
}

type TagType =
  | 'Document'
  | 'H1'
  | 'H2'
  | 'H3'
  | 'P'
  | 'L'
  | 'LI'
  | 'LBody'
  | 'Table'
  | 'Caption'
  | 'THead'
  | 'TBody'
  | 'TFoot'
  | 'TR'
  | 'TH'
  | 'TD';

export interface Bookmark {
  readonly title: string;
  /** From 0. */
  readonly page: number;
}

/** In points. */
export type MeasureText = (text: string, style: TextStyle) => number;

export function tagIn(parent: Tag, type: TagType, scope?: 'Row' | 'Column'): Tag {
  const tag: Tag = { type, children: [], scope };
  parent.children.push(tag);
  return tag;
}
