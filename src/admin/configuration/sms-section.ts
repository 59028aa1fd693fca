import {
  ChoiceField,
  PatternField,
  Rule,
  TextField,
  MAX_ADDRESS_CHARACTERS,
} from '../../platform/index.js';
import { isMapping, PartField, RuleUnlessLeftOut } from './fields.js';
import { SMS_PLACEHOLDERS, SMS_TEMPLATE_KEYS, type SmsTemplateKey } from '../../settings/index.js';

const optional = true;
const MAX_TEMPLATE_CHARACTERS = 4_000;
const MAX_COMPANY_CHARACTERS = 100;

/** The registration with the telecom operators. */
class DltSection {
  @PatternField(/^\d{10,25}$/, 'must be the entity id: 10 to 25 digits, in quotes')
  entityId: string;

  @PatternField(/^[A-Za-z0-9]{3,11}$/, 'must be the registered header: 3 to 11 letters or digits')
  senderId: string;
}

class TwilioSection {
  @PatternField(/^AC[0-9a-f]{32}$/, 'must be an account SID: AC and 32 hexadecimal digits')
  accountSid: string;

  @TextField()
  authToken: string;

  @PatternField(
    /^(\+[1-9]\d{6,14}|MG[0-9a-f]{32})$/,
    'must be a number such as "+14155550100", or the SID of a messaging service',
  )
  from: string;

  @TextField({ optional, most: MAX_ADDRESS_CHARACTERS })
  apiBaseUrl?: string;
}

/** One request for each message. */
export class HttpGatewaySection {
  @ChoiceField(['POST', 'GET'])
  method: 'POST' | 'GET';

  @TextField({ most: MAX_TEMPLATE_CHARACTERS })
  @Placeholders()
  @Rule(
    'addressTemplate',
    isAddressTemplate,
    'must be an address, with placeholders only after the host',
  )
  url: string;

  @Placeholders()
  @RuleUnlessLeftOut(
    { optional },
    'headers',
    isHeaders,
    'must be a mapping of header names to texts',
  )
  headers?: Record<string, string>;

  @TextField({ optional, most: MAX_TEMPLATE_CHARACTERS })
  @Placeholders()
  body?: string;

  @RuleUnlessLeftOut({ optional }, 'pattern', isPattern, 'must be a regular expression')
  acceptedPattern?: string;

  @PatternField(/^[\w-]+(\.[\w-]+)*$/, 'must be a dotted path such as "data.id"', { optional })
  messageIdPath?: string;
}

export class SmsSection {
  @ChoiceField(['inbox', 'twilio', 'http'])
  gateway: 'inbox' | 'twilio' | 'http';

  /** Applicants read which firm gets their mobile number. */
  @TextField({ optional, most: MAX_COMPANY_CHARACTERS })
  company?: string;

  @PartField(DltSection, { optional })
  dlt?: DltSection;

  @RuleUnlessLeftOut(
    { optional },
    'templateIds',
    isTemplateIds,
    `must name DLT template ids for ${SMS_TEMPLATE_KEYS.join(', ')}`,
  )
  templateIds?: Partial<Record<SmsTemplateKey, string>>;

  @PartField(TwilioSection, { optional })
  twilio?: TwilioSection;

  @PartField(HttpGatewaySection, { optional })
  http?: HttpGatewaySection;
}

/** A mistyped placeholder would be empty in every message. */
function Placeholders(): PropertyDecorator {
  const names: readonly string[] = SMS_PLACEHOLDERS;
  return Rule(
    'placeholders',
    (value) => {
      const text = JSON.stringify(value ?? '');
      return [...text.matchAll(/\{\{\s*(.*?)\s*\}\}/g)].every(([, name]) => names.includes(name));
    },
    `may hold no other placeholders than ${names.map((name) => `{{${name}}}`).join(', ')}`,
  );
}

/** Placeholders must not change the host. */
function isAddressTemplate(value: unknown): boolean {
  const url = typeof value === 'string' ? URL.parse(value) : null;
  return url !== null && !url.host.includes('{');
}

function isHeaders(value: unknown): boolean {
  return (
    isMapping(value) &&
    Object.entries(value).every(
      ([name, text]) =>
        /^[A-Za-z0-9-]{1,100}$/.test(name) && typeof text === 'string' && !/[\r\n]/.test(text),
    )
  );
}

function isTemplateIds(value: unknown): boolean {
  const keys: readonly string[] = SMS_TEMPLATE_KEYS;
  return (
    isMapping(value) &&
    Object.entries(value).every(
      ([key, id]) => keys.includes(key) && typeof id === 'string' && /^[\w-]{1,40}$/.test(id),
    )
  );
}

function isPattern(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  try {
    return new RegExp(value).source.length > 0;
  } catch {
    return false;
  }
}
