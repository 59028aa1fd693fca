/**
 * A document laid out on pages: what stands where, and what it is. Everything that can be right or
 * wrong about a PDF is decided here, without a PDF library; drawing it is mechanical.
 * Lengths are points (1/72 inch), measured from the top left corner of the page.
 */
export interface PlacedDocument {
  readonly pages: readonly PlacedPage[];
  /** What the parts are, in reading order: what a screen reader goes by. */
  readonly structure: Tag;
  readonly bookmarks: readonly Bookmark[];
}

export interface PlacedPage {
  readonly items: readonly PlacedItem[];
}

export type PlacedItem = PlacedText | PlacedRule | PlacedFill;

/** One line of text, or a part of one. */
export interface PlacedText {
  readonly kind: 'text';
  readonly x: number;
  readonly baseline: number;
  readonly text: string;
  readonly style: TextStyle;
  /** The part that it belongs to; null for what is repeated on each page. */
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
  /** Of its corners; left out, they are square. */
  readonly radius?: number;
}

export interface TextStyle {
  readonly size: number;
  readonly weight: 400 | 600;
  readonly ink: 'full' | 'quiet';
}

/** A structure element of a tagged PDF (ISO 32000-1, 14.8). */
export interface Tag {
  readonly type: TagType;
  /** Of a header cell: what it is the header of. */
  readonly scope?: 'Row' | 'Column';
  readonly children: Tag[];
}

export type TagType =
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

/** The width of a text in a style, in points. */
export type MeasureText = (text: string, style: TextStyle) => number;

/** Adds a part to a part and answers it. */
export function tagIn(parent: Tag, type: TagType, scope?: 'Row' | 'Column'): Tag {
  const tag: Tag = { type, children: [], ...(scope && { scope }) };
  parent.children.push(tag);
  return tag;
}
