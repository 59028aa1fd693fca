import 'reflect-metadata';
import { expect, it, vi } from 'vitest';
import type { LenderAnswer, WaitingAnswer } from '../../lenders/index.js';
import type { Journey } from '../store/journey.entity.js';
import type { JourneyMover } from './journey-mover.js';
import { LoanDecisions } from './lender-answers.js';

const DECLINED = { kind: 'DECLINED', reason: 'POLICY' } as const;
const sanctioned = (reference: string) => ({ kind: 'SANCTIONED', reference }) as const;

it.each<[LenderAnswer, Journey['state'], boolean]>([
  [sanctioned('L-1'), 'SANCTIONED', true],
  [sanctioned('L-2'), 'SANCTIONED', false],
  [sanctioned('app_1'), 'SANCTIONED', false],
  [DECLINED, 'SANCTIONED', false],
  [DECLINED, 'REJECTED', true],
  [sanctioned('L-1'), 'REJECTED', false],
])('a decision %o on a loan that is %s repeats the recorded one: %s', async (answer, state, is) => {
  const move = vi.fn<JourneyMover['move']>();
  const references = [
    { kind: 'APPLICATION', reference: 'app_1' },
    { kind: 'LOAN', reference: 'L-1' },
  ];
  const decisions = new LoanDecisions(
    { move } as never,
    { ofApplications: () => Promise.resolve(references) } as never,
    {} as never,
    {} as never,
    {} as never,
  );
  const journey = { state, applicationId: 'app_1' } as Journey;
  const waiting = { answer, lenderCode: 'navdhara' } as WaitingAnswer;
  expect(await decisions.apply({} as never, journey, waiting)).toBe(is);
  expect(move).not.toHaveBeenCalled();
});
