import { describe, expect, it } from 'vitest';
import { METRIC_TEXTS } from '../../matching/index.js';
import { rankingPage } from './offers.controller.js';

describe('the page about the order', () => {
  it('has the method in force first, and an earlier one as such', () => {
    const [[version, texts]] = Object.entries(METRIC_TEXTS);
    const next = { ...texts, en: { name: 'Another order', points: ['A point.'] } };
    const { model } = rankingPage({ 'NEXT/1': next, [version]: texts }, 'en');
    expect(model).toMatchObject({
      current: { version: 'NEXT/1', name: 'Another order', points: ['A point.'] },
      earlier: [{ version, ...texts.en }],
    });
  });
});
