import { Injectable } from '@nestjs/common';
import { OutboundClient } from '../platform/index.js';
import type { SmsSettings, TwilioSettings } from '../settings/index.js';
import {
  asUnavailable,
  gatewayOf,
  type SmsGateway,
  type SmsReceipt,
  SmsRefused,
  type SmsToSend,
  SmsUnavailable,
  unavailableBy,
} from './sms-gateway.js';

/**
 * Errors of the number or its owner, which no retry can fix (https://www.twilio.com/docs/api/errors). Other codes are
 * retried: the operator can fix the account.
 */
const REFUSED_CODES = new Set([21211, 21217, 21264, 21265, 21610, 21614, 21617, 21635]);

/** Twilio's maximum. */
const MAX_VALIDITY_SECONDS = 36_000;

/**
 * Twilio has no idempotency key: after a lost response the message may be sent twice. It finds the DLT template by the
 * text.
 */
@Injectable()
export class TwilioSmsGateway implements SmsGateway {
  readonly kind = 'twilio';

  constructor(private readonly outbound: OutboundClient) {}

  async send(sms: SmsToSend, settings: SmsSettings): Promise<SmsReceipt> {
    const account = gatewayOf(settings, this.kind);
    try {
      // Loaded on first use: the SDK is large.
      const { twilioClient } = await import('./twilio-client.js');
      const { sid } = await twilioClient(account, this.outbound).messages.create({
        to: `+91${sms.mobile}`,
        body: sms.text,
        validityPeriod: Math.min(sms.validForSeconds, MAX_VALIDITY_SECONDS),
        ...senderOf(account),
      });
      if (typeof sid !== 'string') throw new SmsUnavailable('no sid', { mayHaveGone: true });
      return { gatewayMessageId: sid };
    } catch (error) {
      throw asFailure(error);
    }
  }
}

function senderOf({ from }: TwilioSettings): { messagingServiceSid: string } | { from: string } {
  return from.startsWith('MG') ? { messagingServiceSid: from } : { from };
}

/** The SDK's error texts contain the applicant's number. */
function asFailure(error: unknown): unknown {
  if (error instanceof SyntaxError) {
    return new SmsUnavailable('the answer is not JSON', { mayHaveGone: true });
  }
  const { status, code } = (error ?? {}) as { status?: unknown; code?: unknown };
  if (error instanceof SmsUnavailable || typeof status !== 'number') return asUnavailable(error);
  const known = typeof code === 'number' ? code : undefined;
  if (known !== undefined && REFUSED_CODES.has(known)) return new SmsRefused(`code ${known}`);
  return unavailableBy(status, known);
}
