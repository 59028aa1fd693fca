import { describe, expect, it } from 'vitest';
import type { LenderQuestion, LenderReply, QuestionKind } from '../lenders/index.js';
import type { Clock, Database, Environment } from '../platform/index.js';
import type { Lender, LenderCatalogue } from '../settings/index.js';
import { SandboxLender } from './sandbox-lender.js';
import type { SandboxSessions } from './store/sandbox-sessions.js';

const ASKED_AT = new Date('2026-11-23T10:00:00+05:30');
const SECOND = 1_000;

const TERMS = {
  annualRatePercent: 18,
  tenureMonths: 6,
  minimumAmount: 1_000_00,
  maximumAmount: 50_000_00,
  fees: [{ name: 'Processing fee', payee: 'LENDER', flat: 500_00 }],
  offerValidDays: 7,
};
const LENDERS = ['one', 'two', 'three'].map(
  (code) => ({ code, terms: { products: { ONLINE_INSTANT: TERMS } } }) as unknown as Lender,
);

interface Asking {
  readonly place?: number;
  readonly pan?: string;
  readonly kind?: QuestionKind;
  readonly afterMs?: number;
  readonly attemptsBefore?: number;
}

async function ask(asking: Asking): Promise<LenderReply> {
  const { place = 0, pan = 'ABCDE1234F', kind = 'OFFERS', afterMs = 0 } = asking;
  const sandbox = new SandboxLender(
    { serving: () => Promise.resolve(LENDERS) } as unknown as LenderCatalogue,
    {} as SandboxSessions,
    {} as Database,
    { now: () => new Date(ASKED_AT.getTime() + afterMs) } as Clock,
    { sandboxLatencyPercent: 100 } as Environment,
  );
  const question = {
    lender: LENDERS[place],
    subjectId: 'jrn_1',
    kind,
    attemptsBefore: asking.attemptsBefore ?? 0,
    askedAt: ASKED_AT,
    payload: {
      subjectKind: 'INSTANT_LOAN',
      productCode: 'ONLINE_INSTANT',
      loanAmount: 25_000_00,
      applicant: { mobile: '9876543210', pan },
    },
  };
  return sandbox.ask(question as unknown as LenderQuestion);
}

const answerOf = async (asking: Asking) => {
  const reply = await ask(asking);
  return reply.status === 'ANSWERED' ? reply.answer.kind : reply.askAgainInMs;
};

describe('the sandbox’s lenders, asked for offers of an instant loan,', () => {
  it('make them at once, the same each time', async () => {
    const [first, again] = [await ask({ place: 2 }), await ask({ place: 2, attemptsBefore: 1 })];
    expect(first).toMatchObject({
      status: 'ANSWERED',
      answer: { kind: 'OFFERED', offers: [{ principal: 25_000_00, netDisbursed: 25_000_00 }] },
    });
    expect(again).toEqual(first);
  });

  it.each<[string, (string | number | undefined)[]]>([
    ['SANDX0001A', ['DECLINED', 'DECLINED', 'DECLINED']],
    ['SANDX0002A', [10 * SECOND, 10 * SECOND, undefined]],
    ['SANDX0003A', ['OFFERED', 'DECLINED', 'DECLINED']],
    ['SANDX0013A', ['OFFERED', 'OFFERED', 'OFFERED']],
  ])('say for %s: %o', async (pan, expected) => {
    const said = await Promise.all([0, 1, 2].map((place) => answerOf({ place, pan })));
    expect(said).toEqual(expected);
  });

  it('are slow for SANDX0002, and away twice for SANDX0009', async () => {
    expect(await answerOf({ pan: 'SANDX0002A', afterMs: 10 * SECOND })).toBe('OFFERED');
    await expect(ask({ pan: 'SANDX0009A', attemptsBefore: 1 })).rejects.toThrow('503');
    expect(await answerOf({ pan: 'SANDX0009A', attemptsBefore: 2 })).toBe('OFFERED');
  });
});

describe('the decision on an instant loan in the sandbox', () => {
  it.each([
    ['ABCDE1234F', 'SANCTIONED'],
    ['SANDX0001A', 'DECLINED'],
    ['SANDX0013A', 'DECLINED'],
  ])('is for %s: %s', async (pan, expected) => {
    expect(await answerOf({ kind: 'DECISION', pan, afterMs: SECOND })).toBe(expected);
  });
});
