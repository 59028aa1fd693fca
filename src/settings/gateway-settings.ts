import { MILESTONES } from '../journey-steps/index.js';

/** The purpose that the gateways' settings are sealed for. */
export const GATEWAYS_PURPOSE = 'configuration.gateways';

/** What the service sends by SMS. */
export const SMS_KINDS = [
  'HOSTED_LINK',
  'ONE_TIME_CODE',
  'APPLICATION_LINK',
  'REFUND_MADE',
  ...MILESTONES,
] as const;
export type SmsKind = (typeof SMS_KINDS)[number];

/** A text as it is registered: the English one under its kind, the Hindi one under `…_HI`. */
export type SmsTemplateKey = SmsKind | `${SmsKind}_HI`;

export const SMS_TEMPLATE_KEYS: readonly SmsTemplateKey[] = SMS_KINDS.flatMap((kind) => [
  kind,
  `${kind}_HI` as const,
]);

/** How text messages leave the service. */
export interface SmsSettings {
  readonly gateway: SmsGatewaySettings;
  /** The operator's registration for commercial SMS (TRAI's TCCCPR 2018); null outside India. */
  readonly dlt: { readonly entityId: string; readonly senderId: string } | null;
  /** The DLT id under which each text is registered, in each language. */
  readonly templateIds: Readonly<Partial<Record<SmsTemplateKey, string>>>;
  /** The firm that sends the texts, as applicants read it; absent: the gateway's own name, where it has one. */
  readonly company?: string;
}

const SMS_COMPANIES: Readonly<Record<SmsGatewaySettings['kind'], string | null>> = {
  inbox: 'Sandbox Inbox',
  twilio: 'Twilio',
  http: null,
};

/** Who sends the texts, for applicants; null where nobody has said. */
export function smsCompany({
  company,
  gateway,
}: Pick<SmsSettings, 'company' | 'gateway'>): string | null {
  return company ?? SMS_COMPANIES[gateway.kind];
}

export type SmsGatewaySettings = InboxSettings | TwilioSettings | HttpGatewaySettings;

/** The sandbox's own inbox: nothing leaves the service. */
export interface InboxSettings {
  readonly kind: 'inbox';
}

export interface TwilioSettings {
  readonly kind: 'twilio';
  readonly accountSid: string;
  readonly authToken: string;
  /** A number in E.164 form, or the id of a messaging service (`MG…`). */
  readonly from: string;
  /** In the place of Twilio's own address; in the sandbox alone. */
  readonly apiBaseUrl?: string;
}

/** What may stand as `{{name}}` in the templates of an HTTP gateway. */
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

/** A gateway that takes one HTTP request a message, whose parts are templates. */
export interface HttpGatewaySettings {
  readonly kind: 'http';
  readonly method: 'POST' | 'GET';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** A regular expression: a 2xx answer counts as accepted when its body matches. */
  readonly acceptedPattern: string | null;
  /** The dotted path of the gateway's message id in a JSON answer. */
  readonly messageIdPath: string | null;
}

/** Whether a gateway's request names the DLT id of the text: without one such a text is dropped. */
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
  /** What the address bar shows as a payment page opens; left out: applicants are not told. */
  readonly pageHost?: string;
  /** In the place of Razorpay's own address; in the sandbox alone. */
  readonly apiBaseUrl?: string;
}

/** The two gateways that the service needs for applicants' messages and money. */
export interface GatewaySettings {
  readonly sms: SmsSettings;
  readonly payment: PaymentSettings;
}
