import { MILESTONES } from '../journey-steps/index.js';

export const GATEWAYS_PURPOSE = 'configuration.gateways';

export const SMS_KINDS = [
  'HOSTED_LINK',
  'ONE_TIME_CODE',
  'APPLICATION_LINK',
  'REFUND_MADE',
  ...MILESTONES,
] as const;
export type SmsKind = (typeof SMS_KINDS)[number];

/** English under the kind, Hindi under `…_HI`. */
export type SmsTemplateKey = SmsKind | `${SmsKind}_HI`;

export const SMS_TEMPLATE_KEYS: readonly SmsTemplateKey[] = SMS_KINDS.flatMap((kind) => [
  kind,
  `${kind}_HI` as const,
]);

export interface SmsSettings {
  readonly gateway: SmsGatewaySettings;
  /** The registration for commercial SMS (TRAI's TCCCPR 2018); null outside India. */
  readonly dlt: { readonly entityId: string; readonly senderId: string } | null;
  /** DLT ids. */
  readonly templateIds: Readonly<Partial<Record<SmsTemplateKey, string>>>;
  /** The sending firm, for applicants; absent: the gateway's name, if any. */
  readonly company?: string;
}

const SMS_COMPANIES: Readonly<Record<SmsGatewaySettings['kind'], string | null>> = {
  inbox: 'Sandbox Inbox',
  twilio: 'Twilio',
  http: null,
};

/** For applicants; null when unknown. */
export function smsCompany({
  company,
  gateway,
}: Pick<SmsSettings, 'company' | 'gateway'>): string | null {
  return company ?? SMS_COMPANIES[gateway.kind];
}

export type SmsGatewaySettings = InboxSettings | TwilioSettings | HttpGatewaySettings;

/** Nothing leaves the service. */
interface InboxSettings {
  readonly kind: 'inbox';
}

export interface TwilioSettings {
  readonly kind: 'twilio';
  readonly accountSid: string;
  readonly authToken: string;
  /** E.164, or a messaging service id (`MG…`). */
  readonly from: string;
  /** In the sandbox only. */
  readonly apiBaseUrl?: string;
}

/** `{{name}}` in the templates of an HTTP gateway. */
export const SMS_PLACEHOLDERS = [
  'mobile',
  'mobileWithCountryCode',
  'text',
  'language',
  'templateId',
  'entityId',
  'senderId',
  'messageId',
  'link',
  'code',
  'amount',
  'minutes',
] as const;
export type SmsPlaceholder = (typeof SMS_PLACEHOLDERS)[number];

/** One templated HTTP request per message. */
export interface HttpGatewaySettings {
  readonly kind: 'http';
  readonly method: 'POST' | 'GET';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** A regular expression for the body of an accepted 2xx. */
  readonly acceptedPattern: string | null;
  /** A dotted path in a JSON response. */
  readonly messageIdPath: string | null;
}

/** Operators drop a text without its DLT id. */
export function namesTemplate({
  url,
  headers,
  body,
}: Pick<HttpGatewaySettings, 'url'> &
  Partial<Pick<HttpGatewaySettings, 'headers' | 'body'>>): boolean {
  return /\{\{\s*templateId\s*\}\}/.test(JSON.stringify([url, headers, body]));
}

export type PaymentSettings = { readonly kind: 'sandbox' } | RazorpaySettings;

export interface RazorpaySettings {
  readonly kind: 'razorpay';
  readonly keyId: string;
  readonly keySecret: string;
  readonly webhookSecret: string;
  /** The host in the address bar; absent: not shown. */
  readonly pageHost?: string;
  /** In the sandbox only. */
  readonly apiBaseUrl?: string;
}

export interface GatewaySettings {
  readonly sms: SmsSettings;
  readonly payment: PaymentSettings;
}
