import { describe, expect, it } from 'vitest';
import { GatewayRefused, PaymentsUnavailable, RefundRefused } from '../payment-gateway.js';
import { callRazorpay } from './razorpay-client.js';

const failing = (statusCode: number | undefined, description = 'x') =>
  callRazorpay(
    () => Promise.reject(Object.assign(new Error('x'), { statusCode, error: { description } })),
    RefundRefused,
  );

describe('a failed call to Razorpay', () => {
  it.each([
    [undefined, PaymentsUnavailable],
    [0, PaymentsUnavailable],
    [302, PaymentsUnavailable],
    [408, PaymentsUnavailable],
    [409, PaymentsUnavailable],
    [429, PaymentsUnavailable],
    [503, PaymentsUnavailable],
    [400, RefundRefused],
    [404, RefundRefused],
    // About the account, not the call.
    [401, GatewayRefused],
    [403, GatewayRefused],
  ])('with status %s', async (status, Kind) => {
    const error: unknown = await failing(status).catch((reason: unknown) => reason);
    expect((error as object).constructor).toBe(Kind);
  });

  it('does not repeat the refused values', async () => {
    await expect(failing(400, 'contact +919876543210 is invalid')).rejects.toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('9876543210') }) as Error,
    );
  });
});
