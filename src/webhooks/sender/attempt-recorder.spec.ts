import { setImmediate as turn } from 'node:timers/promises';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { AttemptRecorder } from './attempt-recorder.js';
import type { AttemptsRepository, BatchRecord } from '../store/attempts.repository.js';
import type { DueDeliveriesRepository } from '../store/due-deliveries.repository.js';
import type { LaneLeasesRepository } from '../store/lane-leases.repository.js';
import { type Attempt, resultOfStatus } from './delivery-attempt.js';
import { type ClaimedDelivery, LANE_START, type LaneLease } from './claimed-delivery.js';
import { DeliveryClaims } from './delivery-claims.js';
import { SenderWakeUp } from './sender-wake-up.js';

const LANE: LaneLease = {
  subscriptionId: 'sub_a',
  partnerId: 'prt_1',
  laneClass: 'PROMPT',
  leaseToken: 1,
  url: 'https://partner.example/',
  secretSealed: 'sealed',
  previousSecretsSealed: [],
  capacity: 5,
  isProbe: false,
};

let claims: DeliveryClaims;
let recorder: AttemptRecorder;
let wakeUp: SenderWakeUp;
/** What the next read of the lane brings. */
let found: ClaimedDelivery[];
/** Of the statements under way, what ends each. */
let ends: (() => void)[];
/** The lanes that the next batch on record has brought back. */
let toDrain: string[];

beforeEach(() => {
  ends = [];
  toDrain = [];
  wakeUp = new SenderWakeUp();
  const records = {
    record: (attempts: readonly Attempt[]) =>
      new Promise<BatchRecord>((resolve) =>
        ends.push(() => resolve({ isRecorded: attempts.map(() => true), toDrain })),
      ),
    drain: () => Promise.resolve(),
  } as unknown as AttemptsRepository;
  const leases = { take: () => Promise.resolve([{ ...LANE, ready: 1 }]) };
  const due = { find: () => Promise.resolve([{ found, cursor: LANE_START, hasMore: true }]) };
  claims = new DeliveryClaims(
    leases as unknown as LaneLeasesRepository,
    due as unknown as DueDeliveriesRepository,
  );
  recorder = new AttemptRecorder(records, claims, wakeUp);
});

/** As many as are read, but so many at most; the others are read ahead. */
function claimSome(count: number, ...ids: string[]): Promise<ClaimedDelivery[]> {
  found = ids.map((deliveryId) => ({
    lane: LANE,
    deliveryId,
    eventId: 'evt_1',
    eventName: 'journey.initiated',
    body: '{}',
    attempt: 1,
    waitedSeconds: 0,
    readAt: performance.now(),
  }));
  return claims.claim(count);
}

function ended(claim: ClaimedDelivery, status: number): Attempt {
  const result = resultOfStatus({ status, headers: {}, excerpt: '', durationMs: 1 });
  return { claim, startedAt: new Date(0), result, retryDelayMs: null };
}

describe('an attempt', () => {
  it('that failed has what was read before its record forgotten: the lane may be closed', async () => {
    const [failed] = await claimSome(1, 'dlv_1');
    recorder.record(ended(failed, 500), () => undefined);
    await turn();
    const [second] = await claimSome(1, 'dlv_2', 'dlv_3');
    expect(second.deliveryId).toBe('dlv_2');
    ends[0]();
    await recorder.settled();
    expect(claims.claimNext(second)).toBeUndefined();
  });

  it('that succeeded leaves what was read', async () => {
    const [first] = await claimSome(1, 'dlv_1', 'dlv_2');
    recorder.record(ended(first, 200), () => undefined);
    await turn();
    ends[0]();
    await recorder.settled();
    expect(claims.claimNext(first)?.deliveryId).toBe('dlv_2');
  });
});

describe('a lane that works again', () => {
  it('has what waited for a retry looked at', async () => {
    let told = 0;
    wakeUp.listen(() => (told += 1));
    const [probe, other] = await claimSome(2, 'dlv_1', 'dlv_2');
    recorder.record(ended(other, 200), () => undefined);
    await turn();
    ends[0]();
    await recorder.settled();
    expect(told).toBe(0);
    toDrain = ['sub_a'];
    recorder.record(ended(probe, 200), () => undefined);
    await vi.waitFor(() => expect(ends).toHaveLength(2));
    ends[1]();
    await recorder.settled();
    expect(told).toBe(1);
  });
});

describe('a recorder', () => {
  it('is full when a thousand are without a record, and settled when none is', async () => {
    const outcomes: unknown[] = [];
    for (let index = 0; index < 1_024; index += 1) {
      expect(recorder.isFull).toBe(false);
      const [next] = await claimSome(1, `dlv_${index}`);
      recorder.record(ended(next, 200), (_, outcome) => outcomes.push(outcome));
    }
    expect(recorder.isFull).toBe(true);
    let isSettled = false;
    const settled = recorder.settled().then(() => {
      isSettled = true;
    });
    for (let batch = 0; batch < 2; batch += 1) {
      await turn();
      await turn();
      expect(isSettled).toBe(false);
      ends[batch]();
    }
    await settled;
    expect(outcomes).toEqual(Array.from({ length: 1_024 }, () => true));
    expect(recorder.isFull).toBe(false);
  });
});
