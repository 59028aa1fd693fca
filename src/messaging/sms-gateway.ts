import type { Language } from '../platform/index.js';
import type { SmsGatewaySettings, SmsKind, SmsSettings } from '../settings/index.js';

/** Where the gateways are bound to this port. */
export const SMS_GATEWAYS = Symbol('SMS_GATEWAYS');

/** One text message as a gateway is handed it. */
export interface SmsToSend {
  /** The same at every try: a gateway that knows references tells a repetition by it. */
  readonly id: string;
  readonly partnerId: string;
  readonly subjectId: string;
  readonly kind: SmsKind;
  readonly language: Language;
  /** Ten digits without a country code; India's numbers alone are written to. */
  readonly mobile: string;
  /** For the sandbox, whose outcomes are chosen by it; it never leaves the service. */
  readonly pan: string;
  readonly text: string;
  /** What the text was filled with, for gateways that fill in the registered text by themselves. */
  readonly values: Readonly<Record<string, string>>;
  /** The DLT id of this very text, in its language; null when none is configured. */
  readonly templateId: string | null;
  /** Seconds, above zero, after which the message is of no use any more. */
  readonly validForSeconds: number;
}

export interface SmsReceipt {
  /** The gateway's own id of the message; null when it names none. */
  readonly gatewayMessageId: string | null;
}

/**
 * An adapter to one kind of SMS gateway. It answers once the gateway has taken the message over,
 * within ten seconds, and puts neither number nor text into an error.
 */
export interface SmsGateway {
  readonly kind: SmsGatewaySettings['kind'];
  /**
   * @throws SmsRefused when this message will never be taken
   * @throws SmsUnavailable when it was not taken, or nobody knows, and may be tried again
   */
  send(sms: SmsToSend, settings: SmsSettings): Promise<SmsReceipt>;
}

/** The gateway will never take this message: its number is none, say. */
export class SmsRefused extends Error {
  /** @param reason names the gateway's code or status, and nothing about the message */
  constructor(readonly reason: string) {
    super(`the SMS gateway refuses the message: ${reason}`);
    this.name = 'SmsRefused';
  }
}

/** The gateway did not take the message, or its answer is not known. */
export class SmsUnavailable extends Error {
  /** Whether the message may have gone out all the same: the answer was lost, or made no sense. */
  readonly mayHaveGone: boolean;

  /** @param reason names what went wrong, and nothing about the message */
  constructor(
    readonly reason: string,
    options: { mayHaveGone?: boolean; cause?: unknown } = {},
  ) {
    super(`the SMS gateway did not take the message: ${reason}`, { cause: options.cause });
    this.name = 'SmsUnavailable';
    this.mayHaveGone = options.mayHaveGone ?? false;
  }
}

/** The gateway's part of the settings, when it is of the kind that an adapter speaks to. */
export function gatewayOf<Kind extends SmsGatewaySettings['kind']>(
  settings: SmsSettings,
  kind: Kind,
): Extract<SmsGatewaySettings, { kind: Kind }> {
  const { gateway } = settings;
  if (gateway.kind !== kind) throw new Error(`these are no settings of a ${kind} gateway`);
  return gateway as Extract<SmsGatewaySettings, { kind: Kind }>;
}
