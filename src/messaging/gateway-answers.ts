import { OutboundFailure } from '../platform/index.js';
import { SmsUnavailable } from './sms-gateway.js';

/** What a call means that got no usable answer; anything but an outbound failure is passed on. */
export function asUnavailable(error: unknown): unknown {
  if (!(error instanceof OutboundFailure)) return error;
  const mayHaveGone = !error.neverArrived;
  return new SmsUnavailable(error.reason.toLowerCase(), { mayHaveGone, cause: error });
}

/**
 * What an answer means that is neither the gateway's yes nor its no: a failure within it, or of
 * something in front of it. A 4xx and a 503 say that the message has not gone; after another 5xx,
 * or a 2xx that makes no sense, nobody knows.
 */
export function unavailableBy(status: number, code?: number | string): SmsUnavailable {
  const reason = code === undefined ? `status ${status}` : `status ${status}, code ${code}`;
  const mayHaveGone = status >= 500 ? status !== 503 : status < 400;
  return new SmsUnavailable(reason, { mayHaveGone });
}
