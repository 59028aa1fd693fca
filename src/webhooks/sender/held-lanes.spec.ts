import { beforeEach, describe, expect, it } from 'vitest';
import type { ClaimedDelivery, LaneCursor, LaneLease } from './claimed-delivery.js';
import { HeldLanes, type LaneFind } from './held-lanes.js';

function lane(subscriptionId: string, leaseToken = 1): LaneLease {
  return {
    subscriptionId,
    partnerId: 'prt_1',
    laneClass: 'PROMPT',
    leaseToken,
    url: 'https://partner.example/',
    secretSealed: 'sealed',
    previousSecretsSealed: [],
    capacity: 5,
    isProbe: false,
  };
}

function claim(subscriptionId: string, deliveryId: string, given: Partial<ClaimedDelivery> = {}) {
  return {
    lane: lane(subscriptionId),
    deliveryId,
    eventId: 'evt_1',
    eventName: 'journey.initiated',
    body: '{}',
    attempt: 1,
    waitedSeconds: 0,
    readAt: 0,
    ...given,
  } satisfies ClaimedDelivery;
}

const ANY_RETRY = () => true;

const CURSOR: LaneCursor = {
  first: { dueAt: 7, deliveryId: 'dlv_2' },
  again: { dueAt: 9, deliveryId: '' },
};

/** What a read has found when there is no more. */
function find(...found: ClaimedDelivery[]): LaneFind {
  return { found, cursor: CURSOR, hasMore: false };
}

/** As if a read had just brought these. */
function read(held: HeldLanes, id: string, found: ClaimedDelivery[], hasMore = false): void {
  held.beginRead(lane(id));
  held.endRead(lane(id), { ...find(...found), hasMore });
}

function nextOn(held: HeldLanes, id: string): string | undefined {
  return held.next(id, ANY_RETRY)?.deliveryId;
}

/** A lane that is ours, with these in flight. */
function busyLane(held: HeldLanes, id: string, deliveries: string[]): void {
  held.take(lane(id));
  read(
    held,
    id,
    deliveries.map((deliveryId) => claim(id, deliveryId)),
  );
  expect(deliveries.map(() => nextOn(held, id))).toEqual(deliveries);
}

describe('the lanes that a process holds', () => {
  it('are told by their ids, with the token and what keeps each busy', () => {
    const held = new HeldLanes(() => 0);
    held.take(lane('sub_a', 3));
    held.take(lane('sub_b'));
    const retry = claim('sub_b', 'dlv_2', { attempt: 4 });
    read(held, 'sub_b', [claim('sub_b', 'dlv_1'), retry]);
    expect([nextOn(held, 'sub_b'), nextOn(held, 'sub_b')]).toEqual(['dlv_1', 'dlv_2']);
    expect(held.tokens()).toEqual({ sub_a: [3, 0], sub_b: [1, 2] });
    expect(held.inFlightOn('sub_b')).toEqual(['dlv_1', 'dlv_2']);
    expect(held.retriesInFlight).toBe(1);
    held.end(retry);
    expect(held.retriesInFlight).toBe(0);
  });

  it('are let go of when nothing is in flight on them', () => {
    const held = new HeldLanes(() => 0);
    held.take(lane('sub_a', 3));
    busyLane(held, 'sub_b', ['dlv_1']);
    expect(held.letGoOfIdle()).toEqual({ ids: ['sub_a'], tokens: [3] });
    expect(held.letGoOfIdle()).toEqual({ ids: [], tokens: [] });
  });

  it('are let go of with the last of their deliveries, and not before', () => {
    const held = new HeldLanes(() => 0);
    busyLane(held, 'sub_a', ['dlv_1', 'dlv_2']);
    expect(held.letGoAfter('sub_a', new Set(['dlv_1']))).toBe(false);
    expect(held.letGoAfter('sub_a', new Set(['dlv_1', 'dlv_2']))).toBe(true);
    expect(held.tokens()).toEqual({});
  });

  it('keep a delivery whose result was not recorded from being claimed for a while', () => {
    let now = 0;
    const held = new HeldLanes(() => now);
    busyLane(held, 'sub_a', ['dlv_1']);
    held.letGoAfter('sub_a', new Set(['dlv_1']));
    held.abandon(claim('sub_a', 'dlv_1'), 20_000);
    now = 19_999;
    expect(held.tokens()).toEqual({ sub_a: [1, 1] });
    expect(held.inFlightOn('sub_a')).toEqual(['dlv_1']);
    now = 20_000;
    expect(held.tokens()).toEqual({ sub_a: [1, 0] });
  });
});

describe('what is read ahead on a lane', () => {
  it('comes in order while there is room, which a success makes before it is on record', () => {
    const held = new HeldLanes(() => 0);
    held.take({ ...lane('sub_a'), capacity: 2 });
    read(
      held,
      'sub_a',
      ['dlv_1', 'dlv_2', 'dlv_3', 'dlv_4'].map((id) => claim('sub_a', id)),
    );
    expect([1, 2, 3].map(() => nextOn(held, 'sub_a'))).toEqual(['dlv_1', 'dlv_2', undefined]);
    held.answered(claim('sub_a', 'dlv_1'), true);
    expect(nextOn(held, 'sub_a')).toBe('dlv_3');
    expect(nextOn(held, 'sub_a')).toBeUndefined();
    expect(held.inFlightOn('sub_a')).toEqual(['dlv_1', 'dlv_2', 'dlv_3']);
  });

  it('is forgotten at a failure, and so is what a read under way brings', () => {
    const held = new HeldLanes(() => 0);
    busyLane(held, 'sub_a', ['dlv_1']);
    read(held, 'sub_a', [claim('sub_a', 'dlv_2')]);
    held.beginRead(lane('sub_a'));
    held.answered(claim('sub_a', 'dlv_1'), false);
    held.endRead(lane('sub_a'), find(claim('sub_a', 'dlv_2')));
    expect(nextOn(held, 'sub_a')).toBeUndefined();
    expect(held.tokens()).toEqual({ sub_a: [1, 1] });
  });

  it('is sent once, though a read brings again what has started meanwhile', () => {
    const held = new HeldLanes(() => 0);
    held.take(lane('sub_a'));
    read(held, 'sub_a', [claim('sub_a', 'dlv_1'), claim('sub_a', 'dlv_2')]);
    held.beginRead(lane('sub_a'));
    expect(nextOn(held, 'sub_a')).toBe('dlv_1');
    held.answered(claim('sub_a', 'dlv_1'), true);
    held.end(claim('sub_a', 'dlv_1'));
    held.endRead(lane('sub_a'), find(claim('sub_a', 'dlv_1'), claim('sub_a', 'dlv_2')));
    expect([nextOn(held, 'sub_a'), nextOn(held, 'sub_a')]).toEqual(['dlv_2', undefined]);
  });

  it('is good for a quarter of a second, and keeps the lane for so long', () => {
    let now = 0;
    const held = new HeldLanes(() => now);
    held.take(lane('sub_a'));
    read(held, 'sub_a', [claim('sub_a', 'dlv_1')]);
    now = 250;
    expect(held.letGoOfIdle()).toEqual({ ids: [], tokens: [] });
    now = 251;
    expect(nextOn(held, 'sub_a')).toBeUndefined();
    expect(held.letGoOfIdle()).toEqual({ ids: ['sub_a'], tokens: [1] });
  });

  it('is forgotten when the lane has changed hands in between', () => {
    const held = new HeldLanes(() => 0);
    held.take(lane('sub_a'));
    read(held, 'sub_a', [claim('sub_a', 'dlv_1')]);
    held.beginRead(lane('sub_a'));
    held.take(lane('sub_a', 2));
    held.endRead(lane('sub_a'), find(claim('sub_a', 'dlv_1')));
    expect(nextOn(held, 'sub_a')).toBeUndefined();
  });

  it('passes over retries when there are too many of them', () => {
    const held = new HeldLanes(() => 0);
    held.take(lane('sub_a'));
    read(held, 'sub_a', [claim('sub_a', 'dlv_1', { attempt: 2 }), claim('sub_a', 'dlv_2')]);
    expect(held.next('sub_a', () => false)?.deliveryId).toBe('dlv_2');
    expect(held.next('sub_a', () => false)).toBeUndefined();
    expect(nextOn(held, 'sub_a')).toBe('dlv_1');
  });

  it('goes on behind what was read, until that is forgotten', () => {
    const held = new HeldLanes(() => 0);
    held.take(lane('sub_a'));
    expect(held.beginRead(lane('sub_a'))).toBeNull();
    held.endRead(lane('sub_a'), { ...find(claim('sub_a', 'dlv_1')), hasMore: true });
    expect(held.beginRead(lane('sub_a'))).toEqual(CURSOR);
    held.endRead(lane('sub_a'), { ...find(claim('sub_a', 'dlv_2')), hasMore: true });
    expect([nextOn(held, 'sub_a'), nextOn(held, 'sub_a')]).toEqual(['dlv_1', 'dlv_2']);
    held.answered(claim('sub_a', 'dlv_1'), false);
    expect(held.beginRead(lane('sub_a'))).toBeNull();
  });

  it('is all that a lane gets while others wait for slots', () => {
    const held = new HeldLanes(() => 0);
    held.take(lane('sub_a'), false);
    held.take(lane('sub_b'));
    read(held, 'sub_a', [claim('sub_a', 'dlv_1')], true);
    expect(held.open).toEqual(['sub_b']);
    expect(held.isRunningDry('sub_a', 5, 20_000)).toBe(false);
    expect(nextOn(held, 'sub_a')).toBe('dlv_1');
  });

  it('is not gone on behind when its first is soon too old to be sent', () => {
    let now = 0;
    const held = new HeldLanes(() => now);
    held.take(lane('sub_a'));
    read(held, 'sub_a', [claim('sub_a', 'dlv_1')], true);
    now = 188;
    expect(held.beginRead(lane('sub_a'))).toBeNull();
    const anew = { readAt: now };
    held.endRead(lane('sub_a'), find(claim('sub_a', 'dlv_1', anew), claim('sub_a', 'dlv_2', anew)));
    now = 251;
    expect([nextOn(held, 'sub_a'), nextOn(held, 'sub_a')]).toEqual(['dlv_1', 'dlv_2']);
  });

  it('is sent once, though a read behind it brings it again', () => {
    const held = new HeldLanes(() => 0);
    held.take(lane('sub_a'));
    read(held, 'sub_a', [claim('sub_a', 'dlv_1')], true);
    read(held, 'sub_a', [claim('sub_a', 'dlv_1'), claim('sub_a', 'dlv_2')], true);
    const sent = [1, 2, 3].map(() => nextOn(held, 'sub_a'));
    expect(sent).toEqual(['dlv_1', 'dlv_2', undefined]);
  });

  it('takes the place of what was read before when everything was looked at again', () => {
    const held = new HeldLanes(() => 0);
    held.take(lane('sub_a'));
    read(held, 'sub_a', [claim('sub_a', 'dlv_1'), claim('sub_a', 'dlv_2')], true);
    held.take(lane('sub_a'));
    read(held, 'sub_a', [claim('sub_a', 'dlv_2')]);
    expect([nextOn(held, 'sub_a'), nextOn(held, 'sub_a')]).toEqual(['dlv_2', undefined]);
  });

  it('is not what was in flight when the read began, nor what has ended meanwhile', () => {
    const held = new HeldLanes(() => 0);
    busyLane(held, 'sub_a', ['dlv_1', 'dlv_2']);
    held.beginRead(lane('sub_a'));
    held.end(claim('sub_a', 'dlv_1'));
    held.endRead(lane('sub_a'), find(claim('sub_a', 'dlv_1'), claim('sub_a', 'dlv_2')));
    expect(nextOn(held, 'sub_a')).toBeUndefined();
  });

  it('runs dry where the last read has left something, unless the lease is old', () => {
    let now = 0;
    const held = new HeldLanes(() => now);
    for (const id of ['sub_a', 'sub_b']) held.take(lane(id));
    read(held, 'sub_a', [claim('sub_a', 'dlv_1'), claim('sub_a', 'dlv_2')], true);
    read(held, 'sub_b', [claim('sub_b', 'dlv_3')]);
    expect(held.runningDry(1, 20_000, 16)).toEqual([]);
    nextOn(held, 'sub_a');
    expect(held.runningDry(1, 20_000, 16)).toEqual([lane('sub_a')]);
    expect(['sub_a', 'sub_b', 'sub_c'].map((id) => held.isRunningDry(id, 1, 20_000))).toEqual([
      true,
      false,
      false,
    ]);
    now = 10_000;
    expect(held.runningDry(1, 20_000, 16)).toEqual([]);
  });

  it('is read on by the driest lanes first, and by so many at a time', () => {
    const held = new HeldLanes(() => 0);
    for (const [count, id] of ['sub_a', 'sub_b', 'sub_c'].entries()) {
      held.take(lane(id));
      const found = Array.from({ length: 3 - count }, (_, index) => claim(id, `dlv_${index}`));
      read(held, id, found, true);
    }
    expect(held.runningDry(3, 20_000, 2)).toEqual([lane('sub_c'), lane('sub_b')]);
  });
});

describe('a lane with room is unread', () => {
  let now: number;
  let held: HeldLanes;

  beforeEach(() => {
    now = 0;
    held = new HeldLanes(() => now);
    held.take(lane('sub_a'));
  });

  it('until it was read, and while a read has left something', () => {
    expect(held.isAnyUnread).toBe(true);
    read(held, 'sub_a', [claim('sub_a', 'dlv_1')], true);
    expect(held.isAnyUnread).toBe(false);
    nextOn(held, 'sub_a');
    expect(held.isAnyUnread).toBe(true);
    read(held, 'sub_a', [], false);
    expect(held.isAnyUnread).toBe(false);
  });

  it('when what was read was forgotten, or has grown old', () => {
    read(held, 'sub_a', [claim('sub_a', 'dlv_1')]);
    now = 251;
    expect(held.isAnyUnread).toBe(true);
    read(held, 'sub_a', []);
    expect(held.isAnyUnread).toBe(false);
    held.forgetAhead('sub_a');
    expect(held.isAnyUnread).toBe(true);
  });

  it('when a look has passed it over for being full, and is kept until the next one then', () => {
    const five = [1, 2, 3, 4, 5].map((index) => claim('sub_a', `dlv_${index}`));
    read(held, 'sub_a', five);
    for (const { deliveryId } of five) expect(nextOn(held, 'sub_a')).toBe(deliveryId);
    held.tokens();
    for (const each of five) held.end(each);
    expect(held.isAnyUnread).toBe(true);
    expect(held.letGoAfter('sub_a', new Set())).toBe(false);
    read(held, 'sub_a', []);
    expect(held.letGoAfter('sub_a', new Set())).toBe(true);
  });

  it('but not without room', () => {
    const five = [1, 2, 3, 4, 5].map((index) => claim('sub_a', `dlv_${index}`));
    read(held, 'sub_a', five, true);
    for (const { deliveryId } of five) expect(nextOn(held, 'sub_a')).toBe(deliveryId);
    expect(held.isAnyUnread).toBe(false);
    held.end(five[0]);
    expect(held.isAnyUnread).toBe(true);
  });
});
