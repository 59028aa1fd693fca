import { describe, expect, it } from 'vitest';
import { STATE_OF_STEP } from '../../src/journeys/domain/journey-state.js';
import { TRANSITIONS } from '../../src/journeys/domain/transition-table.js';
import { FLAG_CATALOGUE } from '../../src/operator-flags/index.js';
import { drawAll, readDrawing } from './drawings.ts';

describe('the parts of docs that are made from the code', () => {
  const drawings = drawAll({
    moves: TRANSITIONS,
    stepStates: Object.values(STATE_OF_STEP),
    flags: FLAG_CATALOGUE,
  });

  it.each(Object.entries(drawings))('show the code as it is: %s', (name, { page, text }) => {
    // `npm run drawings` updates them.
    expect(readDrawing(page, name)).toBe(text);
  });
});

describe('the catalogue of flags', () => {
  it.each(Object.entries(FLAG_CATALOGUE))('has short texts: %s', (_, { meaning, action }) => {
    for (const text of [meaning, action]) expect(text.split(' ').length).toBeLessThanOrEqual(20);
  });
});
