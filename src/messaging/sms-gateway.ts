import { type Language, OutboundFailure } from '../platform/index.js';
import type { SmsGatewaySettings, SmsKind, SmsSettings } from '../settings/index.js';

export const SMS_GATEWAYS = Symbol('SMS_GATEWAYS');

export interface SmsToSend {
  /** The same for every attempt, so that a gateway can deduplicate. */
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
  /** For gateways that fill in the registered text. */
  readonly values: Readonly<Record<string, string>>;
  /** DLT id; null when not configured. */
  readonly templateId: string | null;
  readonly validForSeconds: number;
}

export interface SmsReceipt {
  readonly gatewayMessageId: string | null;
}

/** Resolves within ten seconds, once the gateway has accepted the message. Errors contain neither number nor text. */
export interface SmsGateway {
  readonly kind: SmsGatewaySettings['kind'];
  /**
   * @throws SmsRefused when the gateway will never accept it
   * @throws SmsUnavailable when it may be retried: not accepted, or outcome unknown
   */
  send(sms: SmsToSend, settings: SmsSettings): Promise<SmsReceipt>;
}

export class SmsRefused extends Error {
  /** @param reason a code or status, nothing of the message */
  constructor(readonly reason: string) {
    super(`the SMS gateway refused the message: ${reason}`);
    this.name = 'SmsRefused';
  }
}

export class SmsUnavailable extends Error {
  readonly mayHaveGone: boolean;

  /** @param reason nothing of the message */
  constructor(
    readonly reason: string,
    options: { mayHaveGone?: boolean; cause?: unknown } = {},
  ) {
    super(`the SMS gateway did not accept the message: ${reason}`, { cause: options.cause });
    this.name = 'SmsUnavailable';
    this.mayHaveGone = options.mayHaveGone ?? false;
  }
}

export function gatewayOf<Kind extends SmsGatewaySettings['kind']>(
  settings: SmsSettings,
  kind: Kind,
): Extract<SmsGatewaySettings, { kind: Kind }> {
  const { gateway } = settings;
  if (gateway.kind !== kind) throw new Error(`these are not settings of a ${kind} gateway`);
  return gateway as Extract<SmsGatewaySettings, { kind: Kind }>;
}

export function asUnavailable(error: unknown): unknown {
  if (!(error instanceof OutboundFailure)) return error;
  const mayHaveGone = !error.neverArrived;
  return new SmsUnavailable(error.reason.toLowerCase(), { mayHaveGone, cause: error });
}

/** After a 4xx or 503 the message was not sent. After another 5xx or an invalid 2xx that is unknown. */
export function unavailableBy(status: number, code?: number | string): SmsUnavailable {
  const reason = code === undefined ? `status ${status}` : `status ${status}, code ${code}`;
  const mayHaveGone = status >= 500 ? status !== 503 : status < 400;
  return new SmsUnavailable(reason, { mayHaveGone });
}
