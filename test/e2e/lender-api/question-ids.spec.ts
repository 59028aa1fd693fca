import { describe, expect, it } from 'vitest';
import { sessionReference } from '../../../src/journeys/redirects/provider-sessions.js';
import { quoteReference } from '../../../src/journeys/offers/offer-quotes.js';
import { withHashedId } from '../../../src/lender-api/connector/rlp-connector.js';
import { amount, reference } from '../../../src/lender-api/protocol/primitives.js';
import {
  type CallKind,
  questionId,
  refusalReference,
  revisionRefusalReference,
} from '../../../src/lenders/index.js';
import { IdGenerator, SystemClock } from '../../../src/platform/index.js';

const ids = new IdGenerator(new SystemClock());
/** The maximum of an integer column, which counts offer requests and sessions. */
const COUNT = 2_147_483_647;
/** The protocol's maximum, in paise. */
const AMOUNT = 1_000_000_000_000;
const REDIRECT = ids.next('rdr');

/** The longest references of each kind of question. */
const LONGEST: Readonly<Record<CallKind, readonly string[]>> = {
  OFFERS: [String(COUNT)],
  DECISION: [ids.next('off')],
  KYC: [REDIRECT],
  MANDATE: [REDIRECT],
  ESIGN: [REDIRECT],
  DISBURSEMENT: [ids.next('off')],
  WITHDRAWAL: [
    'CONSENT_WITHDRAWN',
    refusalReference(COUNT),
    revisionRefusalReference('m'.repeat(100)),
    ids.next('int'),
  ],
  QUOTE: [quoteReference(ids.next('off'), AMOUNT)],
  SELECTION: [ids.next('int')],
  ACCOUNT: [`${COUNT}:${'f'.repeat(32)}`],
  SESSION: [sessionReference(REDIRECT, COUNT)],
  ELIGIBILITY: ['1'],
};
const HASHED: ReadonlySet<string> = new Set(['QUOTE', 'ACCOUNT', 'SESSION']);

const isTaken = (id: string) => reference('').safeParse(id).success;

describe('the id of a question', () => {
  it.each(Object.entries(LONGEST))('of the kind %s is never too long', (kind, references) => {
    for (const of of references) {
      const id = questionId(ids.next('jrn'), kind as CallKind, of);
      const asked = HASHED.has(kind)
        ? withHashedId<'QUOTES'>({ questionId: id } as never).questionId
        : id;
      expect([asked, asked.length, isTaken(asked)]).toEqual([asked, asked.length, true]);
    }
  });

  it('has at most 100 characters', () => {
    expect([isTaken('a'.repeat(100)), isTaken('a'.repeat(101))]).toEqual([true, false]);
    expect([
      amount('').safeParse(AMOUNT).success,
      amount('').safeParse(AMOUNT + 1).success,
    ]).toEqual([true, false]);
  });
});
