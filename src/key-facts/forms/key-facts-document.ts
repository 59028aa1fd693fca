/** The statement's text without layout; page and PDF are drawn from it. */
export interface KeyFactsDocument {
  readonly heading: string;
  readonly opening: readonly LabelledText[];
  readonly summary: KeyFactsSummary;
  readonly sections: readonly KeyFactsSection[];
  readonly colophon: string;
}

export interface LabelledText {
  readonly label: string;
  readonly value: string;
}

export interface KeyFactsSummary {
  readonly title: string;
  readonly figures: readonly LabelledText[];
  readonly sentences: readonly string[];
}

export interface KeyFactsSection {
  /** For links; the same in every language. */
  readonly id: string;
  readonly title: string;
  readonly blocks: readonly KeyFactsBlock[];
}

export type KeyFactsBlock =
  | { readonly kind: 'heading'; readonly text: string }
  | { readonly kind: 'paragraph'; readonly text: string }
  | { readonly kind: 'note'; readonly text: string }
  | { readonly kind: 'figure'; readonly text: string }
  | { readonly kind: 'contact'; readonly contact: KeyFactsContact }
  | { readonly kind: 'table'; readonly table: KeyFactsTable };

export interface KeyFactsContact {
  readonly name: string;
  readonly phone: LabelledText & { readonly href: string };
  readonly email: LabelledText & { readonly href: string };
}

export interface KeyFactsTable {
  /** Determines the column widths. */
  readonly kind: 'facts' | 'fees' | 'charges' | 'schedule';
  readonly caption: string;
  readonly columns: readonly KeyFactsColumn[];
  readonly headerColumn: number;
  readonly groups: readonly KeyFactsRowGroup[];
  readonly total: LabelledText | null;
}

export interface KeyFactsColumn {
  readonly heading: string;
  readonly isAmount: boolean;
}

export interface KeyFactsRowGroup {
  /** Null for the only group. */
  readonly heading: string | null;
  readonly rows: readonly (readonly KeyFactsCell[])[];
  readonly none: string;
}

export interface KeyFactsCell {
  readonly text: string;
  readonly note: string;
}

/**
 * @param key in views/language/kfs.<language>.json
 * @param values `count` selects singular or plural
 * @throws Error for an unknown key or a missing value
 */
export type KeyFactsWords = (
  key: string,
  values?: Readonly<Record<string, string | number>>,
) => string;
