import 'reflect-metadata';
import { expect, it, vi } from 'vitest';
import type { LenderAnswer } from '../../lenders/index.js';
import type { JourneyMover } from '../progress/journey-mover.js';
import type { Milestones } from '../progress/milestones.js';
import type { Journey } from '../store/journey.entity.js';
import type { Redirect } from '../store/redirect.entity.js';
import type { RedirectsRepository } from '../store/redirects.repository.js';
import type { RedirectSteps } from './redirect-steps.js';
import { StepVerdict } from './step-verdict.js';

const PASSED = { kind: 'PASSED' } as const;
const FAILED = { kind: 'FAILED', reason: 'OTHER' } as const;
const REFUSED = { kind: 'REFUSED', reason: 'OTHER' } as const;

async function apply(answer: LenderAnswer, changes: Partial<Redirect>, isOver: boolean) {
  const redirect = { id: 'rdr_1', journeyId: 'jrn_1', step: 'KYC', attempt: 1, verdict: null };
  const state = isOver ? 'ABANDONED' : 'KYC_PENDING';
  const journey = { id: 'jrn_1', state, redirectId: isOver ? null : 'rdr_1' } as Journey;
  const setVerdict = vi.fn<RedirectsRepository['setVerdict']>();
  const open = vi.fn<RedirectSteps['open']>();
  const move = vi.fn<JourneyMover['move']>();
  const note = vi.fn<Milestones['note']>();
  const verdicts = new StepVerdict(
    { find: () => Promise.resolve({ ...redirect, ...changes }), setVerdict } as never,
    { open } as never,
    { move } as never,
    { note } as never,
  );
  const isTakenUp = await verdicts.apply({} as never, journey, 'rdr_1', answer);
  return {
    isTakenUp,
    kept: setVerdict.mock.calls.map(([, , verdict]) => verdict),
    next: [
      ...move.mock.calls.map(([, , trigger]) => trigger),
      ...open.mock.calls.map(([, , , attempt]) => `TRY_${attempt}`),
      ...note.mock.calls.flatMap(([, , milestones]) => milestones),
    ],
  };
}

it.each<[LenderAnswer, Partial<Redirect>, string[]]>([
  [PASSED, {}, ['KYC_PASSED']],
  [REFUSED, {}, ['KYC_REFUSED']],
  [FAILED, {}, ['TRY_2', 'KYC_FAILED']],
  [FAILED, { attempt: 2 }, ['TRY_3', 'KYC_FAILED']],
  [FAILED, { attempt: 3 }, ['KYC_REFUSED']],
])(
  'the verdict %o on the redirect %o is kept and followed by %o',
  async (answer, changes, next) => {
    const kept = [answer.kind];
    expect(await apply(answer, changes, false)).toEqual({ isTakenUp: true, kept, next });
  },
);

it.each<[LenderAnswer, Partial<Redirect>, boolean]>([
  [PASSED, { verdict: 'PASSED' }, true],
  [FAILED, { verdict: 'FAILED' }, true],
  [REFUSED, { verdict: 'PASSED' }, false],
  [PASSED, { journeyId: 'jrn_2' }, false],
  [PASSED, { step: 'FEE' }, false],
  [{ kind: 'NOTED' }, {}, false],
])('the answer %o about the redirect %o changes nothing, and agrees: %s', async (...row) => {
  const [answer, changes, isTakenUp] = row;
  expect(await apply(answer, changes, false)).toEqual({ isTakenUp, kept: [], next: [] });
});

it('a verdict on a step that is over is kept, and moves nothing', async () => {
  const late = { isTakenUp: false, kept: ['PASSED'], next: [] };
  expect(await apply(PASSED, {}, true)).toEqual(late);
});
