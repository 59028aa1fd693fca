import { describe, expect, it } from 'vitest';
import { joined, PageText, say, sayDate, written } from './page-text.js';

describe('a text of a page', () => {
  it('is written in the page’s language, with the values that have one', () => {
    const text = say('steps.mandate.later', { when: sayDate('2026-11-21') });
    expect(written(text, 'en')).toContain('21\u00A0November\u00A02026');
    expect(written(text, 'hi')).toContain('21\u00A0नवंबर\u00A02026');
  });

  it('is found anywhere in a model, whose other values stay', () => {
    const text = new PageText((language) => `in ${language}`);
    const at = new Date(0);
    const model = { rows: [{ label: text, value: '₹1' }], title: text, at, none: null, count: 2 };
    expect(written(model, 'hi')).toEqual({
      rows: [{ label: 'in hi', value: '₹1' }],
      title: 'in hi',
      at,
      none: null,
      count: 2,
    });
  });

  it('may be joined of parts, of which the empty ones are left out', () => {
    const text = new PageText((language) => language);
    expect(written(joined([text, null, '', undefined, 'x'], ', '), 'en')).toBe('en, x');
    expect(written(joined([null]), 'en')).toBe('');
  });
});
