import { setImmediate as turn } from 'node:timers/promises';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { AttemptRecorder } from './attempt-recorder.js';
import type { Attempt, AttemptsRepository, BatchRecord } from '../store/attempts.repository.js';
import type {
  ClaimedDelivery,
  LaneClaim,
  LaneClaimsRepository,
  LaneLease,
} from '../store/lane-claims.repository.js';
import { resultOfStatus } from './delivery-attempt.js';
import { DeliveryClaims } from './delivery-claims.js';
import { SenderWakeUp } from './sender-wake-up.js';

const LANE: LaneLease = {
  subscriptionId: 'sub_a',
  partnerId: 'prt_1',
  leaseToken: 1,
  url: 'https://partner.example/',
  secretSealed: 'sealed',
  previousSecretsSealed: [],
  capacity: 5,
  isProbe: false,
};

/** Claims that never become too old. */
class UnhurriedClaims extends DeliveryClaims {
  protected override monotonicMs(): number {
    return 0;
  }
}

let claims: DeliveryClaims;
let recorder: AttemptRecorder;
let wakeUp: SenderWakeUp;
/** The deliveries of the next claim. */
let found: ClaimedDelivery[];
/** Ends each statement in progress. */
let ends: (() => void)[];
/** The lanes that the next recorded batch reports as recovered. */
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
  const claim = (): Promise<LaneClaim> =>
    Promise.resolve({
      lanes: [{ lease: LANE, deliveries: found, hasMore: true }],
      hasMoreLanes: false,
    });
  claims = new UnhurriedClaims({ claim } as unknown as LaneClaimsRepository);
  recorder = new AttemptRecorder(records, claims, wakeUp);
});

function claimSome(...ids: string[]): Promise<ClaimedDelivery[]> {
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
  return claims.claim();
}

function ended(claim: ClaimedDelivery, status: number): Attempt {
  const result = resultOfStatus({ status, headers: {}, excerpt: '', durationMs: 1 });
  return { claim, startedAt: 0, result, retryDelayMs: null };
}

describe('a lane that works again', () => {
  it('has what waited for a retry looked at', async () => {
    let wakeUps = 0;
    wakeUp.listen(() => (wakeUps += 1));
    const [probe, other] = await claimSome('dlv_1', 'dlv_2');
    recorder.record(ended(other, 200), () => undefined);
    await turn();
    ends[0]();
    await recorder.settled();
    expect(wakeUps).toBe(0);
    toDrain = ['sub_a'];
    recorder.record(ended(probe, 200), () => undefined);
    await vi.waitFor(() => expect(ends).toHaveLength(2));
    ends[1]();
    await recorder.settled();
    expect(wakeUps).toBe(1);
  });
});

describe('a recorder', () => {
  it('is full when a thousand are without a record, and settled when none is', async () => {
    const outcomes: unknown[] = [];
    for (let index = 0; index < 1_024; index += 1) {
      expect(recorder.isFull).toBe(false);
      const [next] = await claimSome(`dlv_${index}`);
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

  it('records each attempt of a batch separately when they cannot be written together', async () => {
    const given: string[][] = [];
    const records = {
      record: (attempts: readonly Attempt[]) => {
        given.push(attempts.map(({ claim }) => claim.deliveryId));
        if (attempts.some(({ claim }) => claim.deliveryId === 'dlv_2')) {
          return Promise.reject(new Error('invalid byte sequence'));
        }
        return Promise.resolve({ isRecorded: [true], toDrain: [] });
      },
    } as unknown as AttemptsRepository;
    recorder = new AttemptRecorder(records, claims, wakeUp);
    const outcomes: unknown[] = [];
    for (const claim of await claimSome('dlv_1', 'dlv_2', 'dlv_3')) {
      recorder.record(ended(claim, 200), (_, outcome) => outcomes.push(outcome));
    }
    await recorder.settled();
    expect(given).toEqual([['dlv_1', 'dlv_2', 'dlv_3'], ['dlv_1'], ['dlv_2'], ['dlv_3']]);
    expect(outcomes).toEqual([true, new Error('invalid byte sequence'), true]);
  });
});
