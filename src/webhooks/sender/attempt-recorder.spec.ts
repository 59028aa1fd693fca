import { setImmediate as turn } from 'node:timers/promises';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { DeliveriesDue } from '../deliveries/deliveries-due.js';
import { AttemptRecorder } from './attempt-recorder.js';
import type { AttemptRecords, BatchRecord } from '../store/attempt-records.repository.js';
import { type Attempt, resultOfStatus } from './attempt-result.js';
import { type ClaimedDelivery, LANE_START, type LaneLease } from './claimed-delivery.js';
import type { DeliveryClaims } from './delivery-claims.js';
import { HeldLanes } from './held-lanes.js';

const LANE: LaneLease = {
  subscriptionId: 'sub_a',
  partnerId: 'prt_1',
  laneClass: 'PROMPT',
  leaseToken: 1,
  url: 'https://partner.example/',
  secretSealed: 'sealed',
  previousSecretSealed: null,
  capacity: 5,
  isProbe: false,
};

let held: HeldLanes;
let recorder: AttemptRecorder;
let due: DeliveriesDue;
/** Of the statements under way, what ends each. */
let ends: (() => void)[];
/** The lanes that the next batch on record has brought back. */
let toDrain: string[];

beforeEach(() => {
  held = new HeldLanes();
  ends = [];
  toDrain = [];
  due = new DeliveriesDue();
  const records = {
    record: (attempts: readonly Attempt[]) =>
      new Promise<BatchRecord>((resolve) =>
        ends.push(() => resolve({ isRecorded: attempts.map(() => true), toDrain })),
      ),
    drain: () => Promise.resolve(),
  } as unknown as AttemptRecords;
  const claims = { held, isClaiming: true } as unknown as DeliveryClaims;
  recorder = new AttemptRecorder(records, claims, due);
  held.take(LANE);
});

function read(...ids: string[]): void {
  const found = ids.map((deliveryId): ClaimedDelivery => ({
    lane: LANE,
    deliveryId,
    eventId: 'evt_1',
    eventName: 'journey.initiated',
    body: '{}',
    attempt: 1,
    waitedSeconds: 0,
    readAt: performance.now(),
  }));
  held.beginRead(LANE);
  held.endRead(LANE, { found, cursor: LANE_START, hasMore: true });
}

function next(): ClaimedDelivery | undefined {
  return held.next('sub_a', () => true);
}

function ended(claim: ClaimedDelivery, status: number): Attempt {
  const result = resultOfStatus({ status, headers: {}, excerpt: '', durationMs: 1 });
  return { claim, startedAt: new Date(0), result, retryDelayMs: null };
}

describe('an attempt', () => {
  it('that failed has what was read before its record forgotten: the lane may be closed', async () => {
    read('dlv_1');
    recorder.record(ended(next()!, 500), () => undefined);
    await turn();
    read('dlv_2', 'dlv_3');
    expect(next()).toBeDefined();
    ends[0]();
    await recorder.settled();
    expect(next()).toBeUndefined();
  });

  it('that succeeded leaves what was read', async () => {
    read('dlv_1', 'dlv_2');
    recorder.record(ended(next()!, 200), () => undefined);
    await turn();
    ends[0]();
    await recorder.settled();
    expect(next()?.deliveryId).toBe('dlv_2');
  });
});

describe('a lane that works again', () => {
  it('has what waited for a retry looked at', async () => {
    let told = 0;
    due.listen(() => (told += 1));
    read('dlv_1', 'dlv_2');
    const [probe, other] = [next()!, next()!];
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
    for (let place = 0; place < 1_024; place += 1) {
      expect(recorder.isFull).toBe(false);
      read(`dlv_${place}`);
      recorder.record(ended(next()!, 200), (_, outcome) => outcomes.push(outcome));
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
