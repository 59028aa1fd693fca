import type { KeyFactsTable } from '../../forms/key-facts-document.js';
import type { TextStyle } from './placed-document.js';

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

/** Column widths as parts of the table's width. */
export const COLUMN_SHARES: Record<KeyFactsTable['kind'], readonly number[]> = {
  facts: [0.09, 0.46, 0.45],
  fees: [0.56, 0.22, 0.22],
  charges: [0.35, 0.65],
  schedule: [0.1, 0.24, 0.22, 0.22, 0.22],
};
