import { OutboundFailure } from '../platform/index.js';
import { SmsUnavailable } from './sms-gateway.js';

/** Passes on anything but an outbound failure. */
export function asUnavailable(error: unknown): unknown {
  if (!(error instanceof OutboundFailure)) return error;
  const mayHaveGone = !error.neverArrived;
  return new SmsUnavailable(error.reason.toLowerCase(), { mayHaveGone, cause: error });
}

/**
 * Neither accepted nor refused. After a 4xx or 503 the message was not sent; after another 5xx or
 * an invalid 2xx that is unknown.
 */
export function unavailableBy(status: number, code?: number | string): SmsUnavailable {
  const reason = code === undefined ? `status ${status}` : `status ${status}, code ${code}`;
  const mayHaveGone = status >= 500 ? status !== 503 : status < 400;
  return new SmsUnavailable(reason, { mayHaveGone });
}
