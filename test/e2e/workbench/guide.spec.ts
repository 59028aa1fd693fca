import { describe, expect, it } from 'vitest';
import { TRANSITIONS } from '../../../src/journeys/domain/transition-table.js';
import { GUIDE } from '../../../src/workbench/guide/guide.js';

describe('the guide of the workbench', () => {
  it('has a sentence for every word, and every address once', () => {
    const terms = GUIDE.flatMap(({ terms: own }) => own);
    expect(terms.filter(({ meaning }) => !/^[\p{Lu}‘].*\.$/u.test(meaning))).toEqual([]);
    const anchors = [...GUIDE.map(({ anchor }) => anchor), ...terms.map(({ anchor }) => anchor)];
    expect(new Set(anchors).size).toBe(anchors.length);
  });

  it('explains every move that a journey can make', () => {
    const { terms } = GUIDE.find(({ anchor }) => anchor === 'move')!;
    const explained = new Set(terms.map(({ name }) => name));
    expect(TRANSITIONS.filter(({ trigger }) => !explained.has(trigger))).toEqual([]);
  });
});
