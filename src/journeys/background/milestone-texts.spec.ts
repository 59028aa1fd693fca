import 'reflect-metadata';
import { describe, expect, it, vi } from 'vitest';
import type { SmsOutbox } from '../../messaging/index.js';
import type { FlagDetail } from '../../operator-flags/index.js';
import type { Journey } from '../store/journey.entity.js';
import type { MilestonesRepository } from '../store/milestones.repository.js';
import { MilestoneTexts, MilestoneWordings } from './milestone-texts.js';

const DUE = { id: 'jrn_1', partnerId: 'demo', milestone: 'MONEY_PAID' } as const;
const TOMORROW = new Date('2026-11-23T00:00:00Z');

interface Situation {
  readonly isOver?: boolean;
  readonly journey?: Partial<Journey>;
  readonly event?: FlagDetail<'LOAN_EVENT'>;
  readonly isWorded?: boolean;
  readonly isHeldBack?: boolean;
}

const gives = (value: unknown) => () => Promise.resolve(value);

/** Sends a due milestone; returns its outcomes, its text and until when it waits. */
async function send(situation: Situation) {
  const { isOver = false, journey, event, isWorded = true, isHeldBack = false } = situation;
  const settle = vi.fn<MilestonesRepository['settle']>();
  const defer = vi.fn<MilestonesRepository['defer']>();
  const put = vi.fn<SmsOutbox['put']>().mockResolvedValue({ id: 'sms_1', isHeldBack });
  const known = { ...DUE, state: 'SANCTIONED' };
  const texts = new MilestoneTexts(
    { lock: gives({ ...known, ...journey }) } as never,
    { waiting: gives({ ...known, isOver, secondsLeft: 60 }), settle, defer } as never,
    { open: () => ({ applicant: { mobile: '9876543210', pan: 'ABCDE1234F' } }) } as never,
    { issue: gives('link') } as never,
    { of: gives('hi') } as never,
    { list: gives(event ? [{ kind: 'LOAN_EVENT', detail: event }] : []) } as never,
    { put, noTextUntil: gives(TOMORROW) } as never,
    { has: gives(isWorded) } as never,
  );
  await texts.send({} as never, DUE);
  return {
    outcomes: settle.mock.calls.map(([, , outcome]) => outcome),
    texts: put.mock.calls.map(([, text]) => text),
    waitsUntil: defer.mock.calls.map(([, , dueAt]) => dueAt),
  };
}

describe('a milestone that is due', () => {
  it('is texted in the applicant’s language, for as long as it is true', async () => {
    expect(await send({})).toMatchObject({
      outcomes: ['TOLD'],
      texts: [
        { kind: 'MONEY_PAID', language: 'hi', validForSeconds: 60, values: { link: 'link' } },
      ],
    });
    const secondLoan = { event: 'REVERSED', isOfAnotherLoan: true };
    expect(await send({ event: secondLoan })).toMatchObject({ outcomes: ['TOLD'] });
  });

  it.each<[string, Situation]>([
    ['UNTRUE', { isOver: true }],
    ['UNTRUE', { journey: { state: 'ABANDONED' } }],
    ['UNTRUE', { event: { event: 'EXITED' } }],
    ['UNTRUE', { event: { event: 'REVERSED' } }],
    ['UNTRUE', { event: { event: 'CLOSED' } }],
    ['NOBODY', { journey: { applicantSealed: null } }],
    ['NO_TEXT', { isWorded: false }],
  ])('is %s and writes no text: %o', async (outcome, situation) => {
    expect(await send(situation)).toEqual({ outcomes: [outcome], texts: [], waitsUntil: [] });
  });

  it('waits for the next day once the mobile has had its texts of the day', async () => {
    expect(await send({ isHeldBack: true })).toMatchObject({
      outcomes: [],
      waitsUntil: [TOMORROW],
    });
  });
});

it.each([
  [['MONEY_PAID'], null, true],
  [['KYC_FAILED'], null, false],
  [undefined, null, false],
  // Only what is registered may be sent.
  [['MONEY_PAID'], { entityId: '1101234567890123456', senderId: 'RINPTH' }, false],
])('with the texts %j and the registration %j, MONEY_PAID has one in Hindi: %s', async (...row) => {
  const [milestoneTexts, dlt, isThere] = row;
  const wordings = new MilestoneWordings(
    { operating: gives({ milestoneTexts }) } as never,
    { sms: gives({ dlt, templateIds: {} }) } as never,
  );
  expect(await wordings.has('MONEY_PAID', 'hi')).toBe(isThere);
});
