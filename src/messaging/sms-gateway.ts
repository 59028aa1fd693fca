import { type Language, OutboundFailure } from '../platform/index.js';
import type { SmsGatewaySettings, SmsKind, SmsSettings } from '../settings/index.js';

export const SMS_GATEWAYS = Symbol('SMS_GATEWAYS');

export interface SmsToSend {
  /** The same for every attempt, so that a gateway can recognise repeats. */
  readonly id: string;
  readonly partnerId: string;
  readonly subjectId: string;
  readonly kind: SmsKind;
  readonly language: Language;
  /** Ten digits, Indian numbers only. */
  readonly mobile: string;
  /** Selects the sandbox's outcome; never leaves the service. */
  readonly pan: string;
  readonly text: string;
  /** For gateways that fill in the registered text themselves. */
  readonly values: Readonly<Record<string, string>>;
  /** The DLT id of this text in its language; null when not configured. */
  readonly templateId: string | null;
  /** Above zero. */
  readonly validForSeconds: number;
}

export interface SmsReceipt {
  /** Null when the gateway gives none. */
  readonly gatewayMessageId: string | null;
}

/**
 * Resolves once the gateway has accepted the message, within ten seconds; errors contain neither
 * number nor text.
 */
export interface SmsGateway {
  readonly kind: SmsGatewaySettings['kind'];
  /**
   * @throws SmsRefused when it will never be accepted
   * @throws SmsUnavailable when it was not accepted or that is unknown; may be retried
   */
  send(sms: SmsToSend, settings: SmsSettings): Promise<SmsReceipt>;
}

export class SmsRefused extends Error {
  /** @param reason a code or status, nothing of the message */
  constructor(readonly reason: string) {
    super(`the SMS gateway refuses the message: ${reason}`);
    this.name = 'SmsRefused';
  }
}

export class SmsUnavailable extends Error {
  /** Whether the message may have been sent anyway. */
  readonly mayHaveGone: boolean;

  /** @param reason nothing of the message */
  constructor(
    readonly reason: string,
    options: { mayHaveGone?: boolean; cause?: unknown } = {},
  ) {
    super(`the SMS gateway did not take the message: ${reason}`, { cause: options.cause });
    this.name = 'SmsUnavailable';
    this.mayHaveGone = options.mayHaveGone ?? false;
  }
}

export function gatewayOf<Kind extends SmsGatewaySettings['kind']>(
  settings: SmsSettings,
  kind: Kind,
): Extract<SmsGatewaySettings, { kind: Kind }> {
  const { gateway } = settings;
  if (gateway.kind !== kind) throw new Error(`these are no settings of a ${kind} gateway`);
  return gateway as Extract<SmsGatewaySettings, { kind: Kind }>;
}

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
