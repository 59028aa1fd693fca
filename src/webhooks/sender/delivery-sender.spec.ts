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

/** More than the longest pause between two claims. */
const LATER_MS = 300;

const claim = vi.fn<() => Promise<ClaimedDelivery[]>>();
const releaseAll = vi.fn<() => Promise<void>>();
const clock = { isUnfit: false };
let sender: DeliverySender;
let lateness: TooLate[];
let isLaneHeld: boolean;
/** The recorded results of the claim. */
let recorded: string[];

beforeEach(() => {
  vi.useFakeTimers();
  vi.resetAllMocks();
  const due = { deliveryId: 'dlv_1', attempt: 2, readAt: performance.now() };
  claim.mockResolvedValue([]).mockResolvedValueOnce([due as ClaimedDelivery]);
  releaseAll.mockResolvedValue();
  [lateness, isLaneHeld, recorded] = [[], true, []];
  const claims = {
    isMoreExpected: false,
    claim,
    next: () => undefined,
    releaseIdle: () => Promise.resolve(),
    releaseAll,
    renew: () => Promise.resolve(isLaneHeld && due),
    releaseUnsent: () => recorded.push('given back'),
  };
  const attemptWith = (failure: string | null) => ({ result: { ...SUCCESS, failure } }) as Attempt;
  const attempts = {
    send: () => {
      const late = lateness.shift();
      return late ? Promise.reject(late) : Promise.resolve(attemptWith(null));
    },
    connectionTimeout: () => attemptWith('TIMEOUT'),
  };
  const recorder = {
    isFull: false,
    record: (made: Attempt, listener: RecordListener) => {
      recorded.push(made.result.failure ?? 'sent');
      listener(made, true);
    },
    settled: () => Promise.resolve(),
  };
  sender = new DeliverySender(
    claims as unknown as DeliveryClaims,
    attempts as unknown as DeliveryAttempt,
    recorder as unknown as AttemptRecorder,
    new SenderWakeUp(),
    new Signal() as unknown as ReplicaWakeUp,
    new WebhookMetrics(new Metrics()),
    clock as ClockDifference,
  );
});

afterEach(async () => {
  const stopped = sender.stop();
  await vi.advanceTimersByTimeAsync(LATER_MS);
  await stopped;
  vi.useRealTimers();
});

async function polled(): Promise<void> {
  sender.start();
  sender.poll();
  await vi.advanceTimersByTimeAsync(LATER_MS);
}

it('the sender claims nothing while the clock is unfit, and gives its lanes back', async () => {
  await polled();
  const claimed = claim.mock.calls.length;
  clock.isUnfit = true;
  await polled();
  expect(claim).toHaveBeenCalledTimes(claimed);
  expect(releaseAll).toHaveBeenCalled();
  clock.isUnfit = false;
  await polled();
  expect(claim.mock.calls.length).toBeGreaterThan(claimed);
});

describe('a delivery that was too late to be sent', () => {
  const connected = new TooLate(true);
  const delayedHere = new TooLate(false);

  it.each<[string, TooLate[], boolean, string[]]>([
    ['is sent once its lane has been found to be ours still', [connected], true, ['sent']],
    ['is not sent, nor counted, on a lane that has ended meanwhile', [connected], false, []],
    [
      'has failed when its receiver is as slow to connect again',
      [connected, connected],
      true,
      ['TIMEOUT'],
    ],
    [
      'is left to the next look, and counts for nothing, when the delay is ours',
      [delayedHere, delayedHere],
      true,
      ['given back'],
    ],
  ])('%s', async (_, late, isHeld, outcome) => {
    [lateness, isLaneHeld] = [late, isHeld];
    await polled();
    expect(recorded).toEqual(outcome);
  });
});
