/**
 * What is where on the pages, testable without a PDF library. Lengths in points (1/72 inch) from
 * the top left corner.
 */
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

/** Points. */
export type MeasureText = (text: string, style: TextStyle) => number;

export function tagIn(parent: Tag, type: TagType, scope?: 'Row' | 'Column'): Tag {
  const tag: Tag = { type, children: [], ...(scope && { scope }) };
  parent.children.push(tag);
  return tag;
}
