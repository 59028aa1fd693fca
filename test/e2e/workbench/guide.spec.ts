import { describe, expect, it } from 'vitest';
import { TRANSITIONS } from '../../../src/journeys/domain/transition-table.js';
import { GUIDE } from '../../../src/workbench/guide/guide.js';

describe('the guide of the workbench', () => {
  it('explains every move that a journey can make', () => {
    const { terms } = GUIDE.find(({ anchor }) => anchor === 'move')!;
    const explained = new Set(terms.map(({ name }) => name));
    expect(TRANSITIONS.filter(({ trigger }) => !explained.has(trigger))).toEqual([]);
  });
});
