import { Logger } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Metrics } from '../../platform/index.js';
import { DeliveriesDue } from '../deliveries-due.js';
import type { AttemptRecorder, RecordListener } from './attempt-recorder.js';
import type { Attempt } from './attempt.js';
import { resultOfStatus } from './attempt-result.js';
import type { ClaimedDelivery } from './claimed-delivery.js';
import type { DeliveryAttempt } from './delivery-attempt.js';
import { type DeliveryClaims, MOST_IN_FLIGHT } from './delivery-claims.js';
import { DeliverySender } from './delivery-sender.js';
import { DueElsewhere } from './due-elsewhere.js';

const SUCCESS = resultOfStatus({ status: 200, headers: {}, excerpt: '', durationMs: 1 });

let due: DeliveriesDue;
let elsewhere: DueElsewhere;
let sender: DeliverySender;
/** What each look brings; an error is thrown. */
let finds: (ClaimedDelivery[] | Error)[];
let looks: number;
let isAnyUnread: boolean;
/** Of the attempts under way, what has each answered and recorded. */
let answers: (() => void)[];

function claims(count: number): ClaimedDelivery[] {
  return Array.from({ length: count }, (_, place) => ({
    deliveryId: `dlv_${place}`,
    attempt: 2,
    readAt: performance.now(),
  })) as unknown as ClaimedDelivery[];
}

beforeEach(() => {
  due = new DeliveriesDue();
  elsewhere = new DueElsewhere();
  looks = 0;
  isAnyUnread = false;
  answers = [];
  const held = {
    get isAnyUnread() {
      return isAnyUnread;
    },
    claim: () => {
      const find = finds.shift() ?? [];
      looks += 1;
      return find instanceof Error ? Promise.reject(find) : Promise.resolve(find);
    },
    claimAhead: () => [],
    following: () => undefined,
    releaseIdle: () => Promise.resolve(),
  } as unknown as DeliveryClaims;
  const attempt = {
    make: (claim: ClaimedDelivery) =>
      new Promise<Attempt>((resolve) => {
        const made = { claim, startedAt: new Date(0), result: SUCCESS, retryDelayMs: null };
        answers.push(() => resolve(made));
      }),
  } as DeliveryAttempt;
  const recorder = {
    isFull: false,
    record: (made: Attempt, listener: RecordListener) => listener(made, true),
    settled: () => Promise.resolve(),
  } as AttemptRecorder;
  sender = new DeliverySender(held, attempt, recorder, due, elsewhere, new Metrics());
});

afterEach(async () => {
  for (const answer of answers.splice(0)) answer();
  await sender.stop();
});

async function startWith(...given: (ClaimedDelivery[] | Error)[]): Promise<void> {
  finds = given;
  sender.start();
  await vi.waitFor(() => expect(looks).toBe(1));
  await vi.waitFor(() =>
    expect(answers).toHaveLength(Array.isArray(given[0]) ? given[0].length : 0),
  );
}

/** Long enough for a look that is not to be made. */
async function afterAnswers(count: number): Promise<number> {
  for (const answer of answers.splice(0, count)) answer();
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  return looks;
}

describe('the sender looks at the lanes', () => {
  it('when it is told, here or elsewhere, that something is due, and for no answer', async () => {
    await startWith(claims(3));
    expect(await afterAnswers(2)).toBe(1);
    due.raise();
    await vi.waitFor(() => expect(looks).toBe(2));
    expect(await afterAnswers(1)).toBe(2);
    elsewhere.raise();
    await vi.waitFor(() => expect(looks).toBe(3));
  });

  it('when there may be more on a lane that has room', async () => {
    await startWith(claims(2));
    isAnyUnread = true;
    answers.shift()?.();
    await vi.waitFor(() => expect(looks).toBeGreaterThan(1));
  });

  it('when lanes may be waiting for the slots that become free', async () => {
    await startWith(claims(MOST_IN_FLIGHT));
    answers.shift()?.();
    await vi.waitFor(() => expect(looks).toBe(2));
  });

  it('once more after a look that failed', async () => {
    const logged = vi.spyOn(Logger.prototype, 'error').mockReturnValue(undefined);
    await startWith(claims(1), new Error('the database is away'));
    due.raise();
    await vi.waitFor(() => expect(looks).toBe(2));
    answers.shift()?.();
    await vi.waitFor(() => expect(looks).toBe(3));
    logged.mockRestore();
  });
});
