import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type ClockDifference, Metrics, Signal, TooLate } from '../../platform/index.js';
import type { AttemptRecorder, RecordListener } from './attempt-recorder.js';
import type { ClaimedDelivery } from '../store/lane-claims.repository.js';
import { type DeliveryAttempt, resultOfStatus } from './delivery-attempt.js';
import type { Attempt } from '../store/attempts.repository.js';
import type { DeliveryClaims } from './delivery-claims.js';
import { DeliverySender } from './delivery-sender.js';
import { WebhookMetrics } from '../webhook-metrics.js';
import { type ReplicaWakeUp, SenderWakeUp } from './sender-wake-up.js';

const SUCCESS = resultOfStatus({ status: 200, headers: {}, excerpt: '', durationMs: 1 });

/** More than the longest pause of a sender that expects more deliveries. */
const SOON_MS = 60;
/** More than the idle pause, and less than UNWOKEN_MS. */
const LATER_MS = 300;

let wakeUp: SenderWakeUp;
let elsewhere: Signal;
let sender: DeliverySender;
let claimResults: (ClaimedDelivery[] | Error)[];
let claimCount: number;
let knows: { isMoreExpected: boolean };
let releaseAll: () => Promise<void>;
let answers: (() => void)[];
let lateness: TooLate[];
let isLaneHeld: boolean;
let recorded: string[];
let clock: Pick<ClockDifference, 'isUnfit'>;
let poll: () => void;

function claims(count: number): ClaimedDelivery[] {
  return Array.from({ length: count }, (_, place) => ({
    deliveryId: `dlv_${place}`,
    attempt: 2,
    readAt: performance.now(),
  })) as unknown as ClaimedDelivery[];
}

beforeEach(() => {
  vi.useFakeTimers();
  wakeUp = new SenderWakeUp();
  elsewhere = new Signal();
  claimCount = 0;
  releaseAll = () => Promise.resolve();
  knows = { isMoreExpected: false };
  answers = [];
  lateness = [];
  isLaneHeld = true;
  recorded = [];
  clock = { isUnfit: false };
  const held = {
    get isMoreExpected() {
      return knows.isMoreExpected;
    },
    claim: () => {
      const result = claimResults.shift() ?? [];
      claimCount += 1;
      return result instanceof Error ? Promise.reject(result) : Promise.resolve(result);
    },
    next: () => undefined,
    releaseIdle: () => Promise.resolve(),
    releaseAll: () => releaseAll(),
    renew: () => Promise.resolve(isLaneHeld),
    releaseUnsent: () => recorded.push('given back'),
    releaseAfterLease: () => recorded.push('given back after a lease'),
  } as unknown as DeliveryClaims;
  const attempts = {
    send: (claim: ClaimedDelivery) =>
      new Promise<Attempt>((resolve, reject) => {
        const late = lateness.shift();
        if (late) {
          reject(late);
          return;
        }
        const made = { claim, startedAt: 0, result: SUCCESS, retryDelayMs: null };
        answers.push(() => resolve(made));
      }),
    connectionTimeout: (claim: ClaimedDelivery) => ({
      claim,
      result: { ...SUCCESS, failure: 'TIMEOUT' },
    }),
  } as unknown as DeliveryAttempt;
  const recorder = {
    isFull: false,
    record: (made: Attempt, listener: RecordListener) => {
      recorded.push(made.result.failure ?? 'sent');
      listener(made, true);
    },
    settled: () => Promise.resolve(),
  } as AttemptRecorder;
  sender = new DeliverySender(
    held,
    attempts,
    recorder,
    wakeUp,
    elsewhere as unknown as ReplicaWakeUp,
    new WebhookMetrics(new Metrics()),
    clock as ClockDifference,
  );
  poll = () => sender.poll();
});

afterEach(async () => {
  for (const answer of answers.splice(0)) answer();
  const stopped = sender.stop();
  await vi.advanceTimersByTimeAsync(LATER_MS);
  await stopped;
  vi.useRealTimers();
});

async function startWith(...given: (ClaimedDelivery[] | Error)[]): Promise<void> {
  claimResults = given;
  sender.start();
  poll();
  await vi.advanceTimersByTimeAsync(SOON_MS);
  expect(claimCount).toBe(1);
}

async function claimsAfter(ms: number): Promise<number> {
  await vi.advanceTimersByTimeAsync(ms);
  return claimCount;
}

describe('the sender looks at the lanes', () => {
  it('not while the clock is unfit; it gives its lanes back', async () => {
    await startWith(claims(3));
    const given = vi.fn<() => Promise<void>>().mockResolvedValue();
    releaseAll = given;
    Object.assign(clock, { isUnfit: true });
    poll();
    expect(await claimsAfter(LATER_MS)).toBe(1);
    expect(given).toHaveBeenCalled();
    Object.assign(clock, { isUnfit: false });
    poll();
    expect(await claimsAfter(LATER_MS)).toBe(2);
  });
});

describe('a delivery that was too late to be sent', () => {
  it('is sent once its lane has been found to be ours still', async () => {
    lateness = [new TooLate(true)];
    await startWith(claims(1));
    expect(answers).toHaveLength(1);
    answers.shift()?.();
    await vi.advanceTimersByTimeAsync(1);
    expect(recorded).toEqual(['sent']);
  });

  it('is not sent, nor counted, on a lane that has ended meanwhile', async () => {
    lateness = [new TooLate(true)];
    isLaneHeld = false;
    await startWith(claims(1));
    expect([answers.length, recorded]).toEqual([0, []]);
  });

  it('has failed when its receiver is as slow to connect again', async () => {
    lateness = [new TooLate(true), new TooLate(true)];
    await startWith(claims(1));
    expect([answers.length, recorded]).toEqual([0, ['TIMEOUT']]);
  });

  it('is left to the next look, and counts for nothing, when the delay is ours', async () => {
    lateness = [new TooLate(false), new TooLate(false)];
    await startWith(claims(1));
    expect([answers.length, recorded]).toEqual([0, ['given back']]);
  });
});
