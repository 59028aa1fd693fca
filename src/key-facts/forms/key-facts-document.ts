/**
 * A Key Facts Statement in words: everything that a reader sees of it, in order, and nothing of how
 * it looks. The page and the PDF are drawn from the same document.
 */
export interface KeyFactsDocument {
  readonly heading: string;
  /** Who lends, through whom, under which number, since when and until when. */
  readonly opening: readonly LabelledText[];
  readonly summary: KeyFactsSummary;
  readonly sections: readonly KeyFactsSection[];
  /** The circular whose form this is. */
  readonly colophon: string;
}

export interface LabelledText {
  readonly label: string;
  readonly value: string;
}

/** The loan in a few figures and plain sentences. */
export interface KeyFactsSummary {
  readonly title: string;
  readonly figures: readonly LabelledText[];
  readonly sentences: readonly string[];
}

export interface KeyFactsSection {
  /** For links within the document: the same in every language. */
  readonly id: string;
  readonly title: string;
  readonly blocks: readonly KeyFactsBlock[];
}

export type KeyFactsBlock =
  | { readonly kind: 'heading'; readonly text: string }
  | { readonly kind: 'paragraph'; readonly text: string }
  /** Small print beside a table. */
  | { readonly kind: 'note'; readonly text: string }
  /** The one figure that everybody should see. */
  | { readonly kind: 'figure'; readonly text: string }
  | { readonly kind: 'contact'; readonly contact: KeyFactsContact }
  | { readonly kind: 'table'; readonly table: KeyFactsTable };

export interface KeyFactsContact {
  readonly name: string;
  readonly phone: LabelledText & { readonly href: string };
  readonly email: LabelledText & { readonly href: string };
}

export interface KeyFactsTable {
  /** Which of the form's tables: what is narrow and what is wide follows from it. */
  readonly kind: 'facts' | 'fees' | 'charges' | 'schedule';
  readonly caption: string;
  readonly columns: readonly KeyFactsColumn[];
  /** The column whose cells name their rows. */
  readonly headerColumn: number;
  readonly groups: readonly KeyFactsRowGroup[];
  /** The last row, of all groups together; null when there is nothing to add up. */
  readonly total: LabelledText | null;
}

export interface KeyFactsColumn {
  readonly heading: string;
  /** Whether its cells are amounts, which stand one below the other. */
  readonly isAmount: boolean;
}

export interface KeyFactsRowGroup {
  /** null when the table has no more than one group. */
  readonly heading: string | null;
  /** Each with a cell for every column; empty when there is nothing of the kind. */
  readonly rows: readonly (readonly KeyFactsCell[])[];
  /** What is said when there are no rows. */
  readonly none: string;
}

export interface KeyFactsCell {
  readonly text: string;
  /** How it comes about, beneath; empty when there is nothing to add. */
  readonly note: string;
}

/**
 * The words of a form in one language.
 * @param key a key of views/language/kfs.<language>.json
 * @param values what its placeholders are filled with; `count` chooses between one and many
 * @throws Error when there is no such text, or a placeholder has no value
 */
export type KeyFactsWords = (
  key: string,
  values?: Readonly<Record<string, string | number>>,
) => string;
