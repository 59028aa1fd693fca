import { describe, expect, it } from 'vitest';
import { OutboundFailure } from '../platform/index.js';
import { asUnavailable, unavailableBy } from './sms-gateway.js';

describe('a message that a gateway did not take', () => {
  it.each([
    [200, true],
    [400, false],
    [403, false],
    [429, false],
    [500, true],
    [502, true],
    // Certainly not taken.
    [503, false],
  ])('may have gone after status %i: %s', (status, mayHaveGone) => {
    expect(unavailableBy(status)).toMatchObject({ reason: `status ${status}`, mayHaveGone });
  });

  it('may have gone when no answer came in time, and has not without a connection', () => {
    const timeout = asUnavailable(new OutboundFailure('TIMEOUT'));
    expect(timeout).toMatchObject({ reason: 'timeout', mayHaveGone: true });
    const cause = { code: 'ECONNREFUSED' };
    const refused = asUnavailable(new OutboundFailure('CONNECTION', { cause }));
    expect(refused).toMatchObject({ mayHaveGone: false });
    const other = new Error('a bug');
    expect(asUnavailable(other)).toBe(other);
  });
});
