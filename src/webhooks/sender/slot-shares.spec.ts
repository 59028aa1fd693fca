import { beforeEach, describe, expect, it } from 'vitest';
import { MAX_IN_FLIGHT, SLOTS, SlotShares } from './slot-shares.js';

let shares: SlotShares;
let started: number;

beforeEach(() => {
  shares = new SlotShares();
  started = 0;
});

/** Takes all that the partner may have; answers how many that are. */
function fill(partnerId: string): number {
  const before = started;
  const owner = { partnerId, laneClass: 'UNTRIED' } as const;
  while (shares.mayStart(owner)) shares.start(`dlv_${(started += 1)}`, owner);
  return started - before;
}

describe('the slots of a class', () => {
  it('are three quarters one partner’s at most', () => {
    expect(fill('one')).toBe((SLOTS.UNTRIED * 3) / 4);
    expect(shares.free('UNTRIED')).toBe(SLOTS.UNTRIED / 4);
  });

  it('leave every partner its first one, however many have come before', () => {
    for (let partner = 0; partner < 500; partner += 1) {
      expect(fill(`partner_${partner}`)).toBeGreaterThanOrEqual(1);
    }
  });

  it('do not become fewer with what is taken in another class', () => {
    fill('one');
    const other = { partnerId: 'one', laneClass: 'PROMPT' } as const;
    expect([shares.free('PROMPT'), shares.mayStart(other)]).toEqual([SLOTS.PROMPT, true]);
  });

  it('come back when what had them ends, and once', () => {
    const count = fill('one');
    shares.end('dlv_1');
    shares.end('dlv_1');
    expect(shares.ofPartners()).toEqual({ one: { UNTRIED: count - 1 } });
    expect(fill('one')).toBe(1);
  });

  it('are bounded, firsts and all', () => {
    let partners = 0;
    while (partners < 2 * MAX_IN_FLIGHT && fill(`partner_${partners}`) > 0) partners += 1;
    expect(started).toBe(MAX_IN_FLIGHT);
  });
});
