import { describe, expect, it } from 'vitest';
import { STATE_OF_STEP } from '../../src/journeys/domain/journey-state.js';
import { TRANSITIONS } from '../../src/journeys/domain/transition-table.js';
import { FLAG_CATALOGUE } from '../../src/operator-flags/index.js';
import { drawAll, readDrawing } from './drawings.ts';
import { drawJourneyStates } from './journey-states.ts';
import { drawModules } from './module-order.ts';

describe('the parts of docs that are made from the code', () => {
  const drawings = drawAll({
    moves: TRANSITIONS,
    stepStates: Object.values(STATE_OF_STEP),
    flags: FLAG_CATALOGUE,
  });

  it.each(Object.entries(drawings))('show the code as it is: %s', (name, { page, text }) => {
    // `npm run drawings` writes them again.
    expect(readDrawing(page, name)).toBe(text);
  });
});

describe('the catalogue of flags', () => {
  it.each(Object.entries(FLAG_CATALOGUE))('has short texts: %s', (_, { meaning, action }) => {
    for (const text of [meaning, action]) expect(text.split(' ').length).toBeLessThanOrEqual(20);
  });
});

describe('a state diagram', () => {
  it('has every move, a fork to the steps, and an end where nothing leads on', () => {
    const moves = [
      { from: 'NEW', trigger: 'CHOSEN', to: 'NEXT_STEP' },
      { from: 'SIGNING', trigger: 'SIGNED', to: 'DONE' },
      { from: 'SIGNING', trigger: 'SEALED', to: 'DONE' },
    ];
    expect(drawJourneyStates(moves, ['NEW', 'SIGNING']).split('\n')).toEqual([
      'stateDiagram-v2',
      '  state next_step <<choice>>',
      '  [*] --> NEW',
      '  NEW --> next_step: CHOSEN',
      '  SIGNING --> DONE: SIGNED, SEALED',
      '  next_step --> SIGNING',
      '  DONE --> [*]',
    ]);
  });
});

describe('a drawing of modules', () => {
  it('puts peers into one box, and leaves out what follows from other arrows', () => {
    const order = new Map([
      ['low', []],
      ['middle', ['low']],
      ['beside', ['low']],
      ['high', ['low', 'middle', 'beside']],
      ['aside', ['low', 'beside']],
    ]);
    expect(drawModules(order).split('\n')).toEqual([
      'flowchart TD',
      '  low["low"]',
      '  middle["middle<br/>beside"]',
      '  high["high"]',
      '  aside["aside"]',
      '  middle --> low',
      '  high --> middle',
      '  aside -->|beside| middle',
    ]);
  });
});
