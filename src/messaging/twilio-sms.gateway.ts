import { Injectable } from '@nestjs/common';
import { OutboundClient } from '../platform/index.js';
import { asUnavailable, unavailableBy } from './gateway-answers.js';
import {
  gatewayOf,
  type SmsGateway,
  type SmsReceipt,
  SmsRefused,
  type SmsToSend,
  SmsUnavailable,
} from './sms-gateway.js';
import type { SmsSettings, TwilioSettings } from '../settings/index.js';

/**
 * Codes of Twilio's that lie in the number or its owner, so that no later try can help: no valid
 * number, none that takes messages, one that has opted out (https://www.twilio.com/docs/api/errors).
 * Other codes lie in the operator's account, which can be mended while the message waits; Twilio
 * adds codes now and then, and an unknown one had better be tried again.
 */
const REFUSED_CODES = new Set([21211, 21217, 21264, 21265, 21610, 21614, 21617, 21635]);

/** Twilio's longest time for a message in its own queue. */
const MAX_VALIDITY_SECONDS = 36_000;

/**
 * Twilio, through its official SDK (Messages resource). Twilio's API knows no idempotency key or
 * reference for a message: a try whose answer was lost may be the same message a second time. Under
 * India's DLT rules Twilio itself finds the registered template by the text.
 */
@Injectable()
export class TwilioSmsGateway implements SmsGateway {
  readonly kind = 'twilio';

  constructor(private readonly outbound: OutboundClient) {}

  async send(sms: SmsToSend, settings: SmsSettings): Promise<SmsReceipt> {
    const account = gatewayOf(settings, this.kind);
    try {
      // The SDK is large: only who sends by it loads it.
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

/** Nothing of the SDK's errors is kept but their numbers: their texts quote the applicant's. */
function asFailure(error: unknown): unknown {
  if (error instanceof SyntaxError) {
    return new SmsUnavailable('the answer is no JSON', { mayHaveGone: true });
  }
  const { status, code } = (error ?? {}) as { status?: unknown; code?: unknown };
  if (error instanceof SmsUnavailable || typeof status !== 'number') return asUnavailable(error);
  const known = typeof code === 'number' ? code : undefined;
  if (known !== undefined && REFUSED_CODES.has(known)) return new SmsRefused(`code ${known}`);
  return unavailableBy(status, known);
}
