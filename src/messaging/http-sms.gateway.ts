import { Injectable } from '@nestjs/common';
import { type OutboundAnswer, OutboundClient, isObject } from '../platform/index.js';
import {
  type HttpGatewaySettings,
  namesTemplate,
  type SmsPlaceholder,
  type SmsSettings,
} from '../settings/index.js';
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

const PLACEHOLDER = /\{\{\s*(\w+)\s*\}\}/g;
const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';

type Escape = (value: string) => string;

/** Escapes each value for its place, so that no value changes the request. */
export function fillRequest(
  template: Pick<HttpGatewaySettings, 'url' | 'headers' | 'body'>,
  values: Readonly<Record<string, string>>,
) {
  const headers = Object.fromEntries(
    Object.entries(template.headers).map(([name, value]) => [
      name.toLowerCase(),
      fill(value, values, inHeader),
    ]),
  );
  const url = fill(template.url, values, encodeURIComponent);
  const { body } = template;
  if (body === null) return { url, headers, body: '' };
  headers['content-type'] ??= /^\s*[{[]/.test(body) ? JSON_TYPE : FORM_TYPE;
  return { url, headers, body: fill(body, values, escapeFor(headers['content-type'])) };
}

function fill(template: string, values: Readonly<Record<string, string>>, escape: Escape): string {
  return template.replace(PLACEHOLDER, (_, name: string) =>
    escape(Object.hasOwn(values, name) ? values[name] : ''),
  );
}

function escapeFor(contentType: string): Escape {
  const [type = ''] = contentType.toLowerCase().split(';', 1);
  if (/[/+]json$/.test(type.trim())) return inJson;
  if (/[/+]xml$/.test(type.trim())) return inXml;
  return type.trim() === FORM_TYPE ? encodeURIComponent : (value) => value;
}

function inJson(value: string): string {
  return JSON.stringify(value).slice(1, -1);
}

const XML_ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

function inXml(value: string): string {
  return value.replaceAll(/[&<>"']/g, (sign) => XML_ENTITIES[sign]);
}

/** Header values are printable ASCII. */
function inHeader(value: string): string {
  return value.replaceAll(/[^\x20-\x7e]+/g, encodeURIComponent);
}

// Below the dispatch deadline, so that this one ends the call.
const DEADLINE_MS = 9_500;
const MAX_RESPONSE_BYTES = 16 * 1_024;
const LONGEST_MESSAGE_ID = 200;
const REFUSED_STATUSES = [400, 422];

/** With `{{messageId}}` the gateway can deduplicate; without it a lost response may send a message twice. */
@Injectable()
export class HttpSmsGateway implements SmsGateway {
  readonly kind = 'http';

  constructor(private readonly outbound: OutboundClient) {}

  async send(sms: SmsToSend, settings: SmsSettings): Promise<SmsReceipt> {
    const gateway = gatewayOf(settings, this.kind);
    // Operators silently drop a text without a template id.
    if (settings.dlt !== null && sms.templateId === null && namesTemplate(gateway)) {
      throw new SmsRefused(`sms.templateIds has no id for ${sms.kind}`);
    }
    const answer = await this.call(gateway, placeholderValues(sms, settings));
    return receiptIn(answer, gateway);
  }

  private async call(
    gateway: HttpGatewaySettings,
    values: Readonly<Record<string, string>>,
  ): Promise<OutboundAnswer> {
    const { url, headers, body } = fillRequest(gateway, values);
    const limits = { deadlineMs: DEADLINE_MS, maxResponseBytes: MAX_RESPONSE_BYTES };
    try {
      return gateway.method === 'GET'
        ? await this.outbound.get(url, { headers, ...limits })
        : await this.outbound.post(url, { headers, body, ...limits });
    } catch (error) {
      throw asUnavailable(error);
    }
  }
}

function placeholderValues(
  sms: SmsToSend,
  { dlt }: SmsSettings,
): Readonly<Record<SmsPlaceholder, string>> {
  return {
    mobile: sms.mobile,
    mobileWithCountryCode: `91${sms.mobile}`,
    text: sms.text,
    language: sms.language,
    templateId: sms.templateId ?? '',
    entityId: dlt?.entityId ?? '',
    senderId: dlt?.senderId ?? '',
    messageId: sms.id,
    link: sms.values.link ?? '',
    code: sms.values.code ?? '',
    amount: sms.values.amount ?? '',
    minutes: sms.values.minutes ?? '',
  };
}

function receiptIn(answer: OutboundAnswer, gateway: HttpGatewaySettings): SmsReceipt {
  const { status, excerpt } = answer;
  if (REFUSED_STATUSES.includes(status)) throw new SmsRefused(`status ${status}`);
  if (status < 200 || status >= 300) throw unavailableBy(status);
  const { acceptedPattern, messageIdPath } = gateway;
  if (acceptedPattern !== null && !new RegExp(acceptedPattern).test(excerpt)) {
    // Many gateways refuse with status 200; but the pattern may be wrong.
    throw new SmsUnavailable('the answer does not match acceptedPattern', { mayHaveGone: true });
  }
  return { gatewayMessageId: messageIdPath === null ? null : messageIdIn(excerpt, messageIdPath) };
}

/** A dotted path (`data.0.id`). */
function messageIdIn(answer: string, path: string): string | null {
  let value: unknown;
  try {
    value = JSON.parse(answer);
  } catch {
    return null;
  }
  for (const name of path.split('.')) {
    const isParent = isObject(value) && Object.hasOwn(value, name);
    if (!isParent) return null;
    value = (value as Record<string, unknown>)[name];
  }
  const isId = typeof value === 'string' || typeof value === 'number';
  return isId ? String(value).slice(0, LONGEST_MESSAGE_ID) : null;
}
