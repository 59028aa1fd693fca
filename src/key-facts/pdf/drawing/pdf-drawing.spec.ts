import { describe, expect, it } from 'vitest';
import { fontRuns, hasDevanagari } from './pdf-drawing.js';

describe('fontRuns', () => {
  it('gives each writing to the font file that covers it', () => {
    expect(fontRuns('दर (APR) ₹5,000 – Ācārya')).toEqual([
      { part: 'devanagari', text: 'दर' },
      { part: 'latin', text: ' (APR) ' },
      { part: 'devanagari', text: '₹' },
      { part: 'latin', text: '5,000 – ' },
      { part: 'latin-ext', text: 'Āā'.slice(0, 1) },
      { part: 'latin', text: 'c' },
      { part: 'latin-ext', text: 'ā' },
      { part: 'latin', text: 'rya' },
    ]);
  });

  it('keeps joiners with the letters that they join', () => {
    expect(fontRuns('क्\u200dष')).toHaveLength(1);
  });
});

describe('hasDevanagari', () => {
  it('does not take a rupee sign for it', () => {
    expect(hasDevanagari('₹1,00,000 a month')).toBe(false);
    expect(hasDevanagari('60 महीने')).toBe(true);
  });
});
