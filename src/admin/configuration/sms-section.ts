import { z } from 'zod';
import { addressProblem, choice, field, MAX_ADDRESS_CHARACTERS } from '../../platform/index.js';
import { SMS_PLACEHOLDERS, SMS_TEMPLATE_KEYS, type SmsSettings } from '../../settings/index.js';
import {
  type Deployment,
  gatewayError,
  pattern,
  problem,
  rules,
  section,
  standIn,
  text,
} from './fields.js';
import { SIMULATED } from './payment-section.js';

const MAX_TEMPLATE_CHARACTERS = 4_000;
const MAX_COMPANY_CHARACTERS = 100;

const twilio = section({
  accountSid: pattern(/^AC[0-9a-f]{32}$/, 'must be an account SID: AC and 32 hexadecimal digits'),
  authToken: text(),
  from: pattern(
    /^(\+[1-9]\d{6,14}|MG[0-9a-f]{32})$/,
    'must be a number such as "+14155550100", or the SID of a messaging service',
  ),
  apiBaseUrl: text(MAX_ADDRESS_CHARACTERS).optional(),
});

/** A mistyped placeholder would be empty in every message. */
const onlyPlaceholders = rules((value) => {
  const names: readonly string[] = SMS_PLACEHOLDERS;
  const used = JSON.stringify(value).matchAll(/\{\{\s*(.*?)\s*\}\}/g);
  const allowed = names.map((name) => `{{${name}}}`).join(', ');
  return problem(
    [...used].some(([, name]) => !names.includes(name)) &&
      `must use only the placeholders ${allowed}`,
  );
});

const template = text(MAX_TEMPLATE_CHARACTERS).check(onlyPlaceholders);

/** One request a message. */
const http = section({
  method: choice(['POST', 'GET']),
  url: template.refine(
    (url) => URL.parse(url)?.host.includes('{') === false,
    'must be a URL, with placeholders only after the host',
  ),
  headers: field(
    z.record(z.string().regex(/^[A-Za-z0-9-]{1,100}$/), z.string().regex(/^[ -~]*$/)),
    'must be a mapping of header names to texts of ASCII letters, digits and signs',
  )
    .check(onlyPlaceholders)
    .default({}),
  body: template.nullable().default(null),
  acceptedPattern: field(z.string().refine(isPattern), 'must be a regular expression')
    .nullable()
    .default(null),
  messageIdPath: pattern(/^[\w-]+(\.[\w-]+)*$/, 'must be a dotted path such as "data.id"')
    .nullable()
    .default(null),
});

const common = {
  /** Applicants read which firm gets their mobile number. */
  company: text(MAX_COMPANY_CHARACTERS).optional(),
  /** Registration with the telecom operators. */
  dlt: section({
    entityId: pattern(/^\d{10,25}$/, 'must be the entity id: 10 to 25 digits, in quotes'),
    senderId: pattern(
      /^[A-Za-z0-9]{3,11}$/,
      'must be the registered header: 3 to 11 letters or digits',
    ),
  })
    .nullable()
    .default(null),
  templateIds: field(
    z.partialRecord(z.enum(SMS_TEMPLATE_KEYS), z.string().regex(/^[\w-]{1,40}$/)),
    `must name DLT template ids for ${SMS_TEMPLATE_KEYS.join(', ')}`,
  ).default({}),
  twilio: twilio.optional(),
  http: http.optional(),
};

export function sms(deployment: Deployment) {
  return z
    .discriminatedUnion(
      'gateway',
      [
        section({
          ...common,
          gateway: z.literal('inbox').refine(() => deployment.mode !== 'production', SIMULATED),
        }),
        section({
          ...common,
          gateway: z.literal('twilio'),
          twilio: twilio.extend({ apiBaseUrl: standIn(deployment).optional() }),
        }),
        section({
          ...common,
          gateway: z.literal('http'),
          http: http
            .extend({
              url: http.shape.url.check(
                rules((url) => problem(addressProblem(filledIn(url), deployment))),
              ),
            })
            .refine(({ method, body }) => method === 'POST' || body === null, {
              path: ['body'],
              error: 'must be left out: a GET request has no body',
            }),
        }),
      ],
      gatewayError('inbox', 'twilio', 'http'),
    )
    .transform(({ gateway, twilio: ofTwilio, http: ofHttp, ...others }): SmsSettings => {
      if (gateway === 'twilio') return { ...others, gateway: { kind: gateway, ...ofTwilio } };
      if (gateway === 'http') return { ...others, gateway: { kind: gateway, ...ofHttp } };
      return { ...others, gateway: { kind: gateway } };
    });
}

function filledIn(url: string): string {
  return URL.parse(url.replaceAll(/\{\{.*?\}\}/g, 'x'))?.href ?? '';
}

function isPattern(given: string): boolean {
  try {
    return new RegExp(given).source.length > 0;
  } catch {
    return false;
  }
}
