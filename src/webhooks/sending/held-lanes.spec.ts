import { describe, expect, it } from 'vitest';
import type { ClaimedDelivery, LaneLease } from './claimed-delivery.js';
import { HeldLanes } from './held-lanes.js';

function lane(subscriptionId: string, leaseToken = 1): LaneLease {
  return {
    subscriptionId,
    leaseToken,
    url: 'https://partner.example/',
    secretSealed: 'sealed',
    previousSecretSealed: null,
    capacity: 5,
    isProbe: false,
  };
}

function claim(subscriptionId: string, deliveryId: string, attempt = 1): ClaimedDelivery {
  return {
    lane: lane(subscriptionId),
    deliveryId,
    eventId: 'evt_1',
    eventName: 'journey.initiated',
    body: '{}',
    attempt,
    waitedSeconds: 0,
  };
}

describe('the lanes that a process holds', () => {
  it('are told as columns, with what is in flight on each', () => {
    const held = new HeldLanes();
    held.take(lane('sub_a', 3));
    held.take(lane('sub_b', 7));
    held.start(claim('sub_b', 'dlv_1'));
    held.start(claim('sub_b', 'dlv_2', 4));
    expect(held.columns()).toEqual({
      ids: ['sub_a', 'sub_b'],
      tokens: [3, 7],
      inFlight: [0, 2],
    });
    expect(held.inFlightOn('sub_b')).toEqual(['dlv_1', 'dlv_2']);
    expect(held.retriesInFlight).toBe(1);
    held.end(claim('sub_b', 'dlv_2', 4));
    expect(held.retriesInFlight).toBe(0);
  });

  it('are let go of when nothing is in flight on them', () => {
    const held = new HeldLanes();
    held.take(lane('sub_a', 3));
    held.take(lane('sub_b'));
    held.start(claim('sub_b', 'dlv_1'));
    expect(held.letGoOfIdle()).toEqual({ ids: ['sub_a'], tokens: [3] });
    expect(held.letGoOfIdle()).toEqual({ ids: [], tokens: [] });
  });

  it('are let go of with the last of their deliveries, and not before', () => {
    const held = new HeldLanes();
    held.take(lane('sub_a'));
    held.start(claim('sub_a', 'dlv_1'));
    held.start(claim('sub_a', 'dlv_2'));
    expect(held.letGoAfter('sub_a', new Set(['dlv_1']))).toBe(false);
    expect(held.letGoAfter('sub_a', new Set(['dlv_1', 'dlv_2']))).toBe(true);
    expect(held.columns().ids).toEqual([]);
  });

  it('keep a delivery whose result was not recorded from being claimed for a while', () => {
    let now = 0;
    const held = new HeldLanes(() => now);
    held.take(lane('sub_a'));
    held.start(claim('sub_a', 'dlv_1'));
    held.letGoAfter('sub_a', new Set(['dlv_1']));
    held.abandon(claim('sub_a', 'dlv_1'), 20_000);
    now = 19_999;
    expect(held.columns()).toEqual({ ids: ['sub_a'], tokens: [1], inFlight: [1] });
    now = 20_000;
    expect(held.columns().inFlight).toEqual([0]);
  });
});
