import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { SANDBOX_PANS } from '../../../clients/node/src/testing.js';
import { reservedOutcome, stepVerdict } from '../../../examples/lender/reserved-pans.ts';
import { REDIRECT_STEPS } from '../../../src/journey-steps/index.js';
import { projectPath } from '../../../src/platform/index.js';
import {
  RESERVED_PANS,
  sandboxOutcome,
  simulatedVerdict,
} from '../../../src/sandbox/reserved-pans.js';

it('is the list that docs/partners/testing.md shows', () => {
  const rows = readFileSync(projectPath('docs/partners/testing.md'), 'utf8').matchAll(
    /^\| `(SANDX\d{4}A)` \| (.+?) +\|/gm,
  );
  const shown = [...rows].map(([, pan, happens]) => ({ pan, happens }));
  expect(shown).toEqual(RESERVED_PANS.map(({ pan, happens }) => ({ pan, happens })));
});

it('is the list that the client has', () => {
  expect(Object.values(SANDBOX_PANS)).toEqual(RESERVED_PANS.map(({ pan }) => pan));
});

it('decides by the digits alone, with any letter after them', () => {
  for (const { pan, outcome } of RESERVED_PANS) {
    expect(sandboxOutcome(pan)).toBe(outcome);
    expect(sandboxOutcome(`${pan.slice(0, -1)}Q`)).toBe(outcome);
  }
});

it('has the example’s lenders do what the sandbox’s do', () => {
  for (const { pan, outcome } of RESERVED_PANS) {
    const isOfLenders = outcome !== 'PAYMENT_FAILS' && outcome !== 'SMS_DOWN';
    expect(reservedOutcome(pan)).toBe(isOfLenders ? outcome : null);
    for (const step of REDIRECT_STEPS) {
      for (const attempt of [1, 2]) {
        const verdict = simulatedVerdict(pan, step, attempt, 'approve');
        expect(stepVerdict(pan, step, attempt)).toBe(verdict);
      }
    }
  }
});
