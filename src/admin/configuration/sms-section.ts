import {
  ChoiceField,
  PatternField,
  Rule,
  TextField,
  MAX_ADDRESS_CHARACTERS,
} from '../../platform/index.js';
import { PartField } from './part-fields.js';
import { SMS_PLACEHOLDERS, SMS_TEMPLATE_KEYS, type SmsTemplateKey } from '../../settings/index.js';

const optional = true;
const MAX_TEMPLATE_CHARACTERS = 4_000;
const MAX_COMPANY_CHARACTERS = 100;

/** The operator's registration with the telecom operators' DLT platform. */
export class DltSection {
  @PatternField(/^\d{10,25}$/, 'must be the entity id: 10 to 25 digits, in quotes')
  entityId: string;

  @PatternField(/^[A-Za-z0-9]{3,11}$/, 'must be the registered header: 3 to 11 letters or digits')
  senderId: string;
}

export class TwilioSection {
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

/** A gateway that is reached by one request a message. */
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
  @Rule('headers', isHeaders, 'must be a mapping of header names to texts')
  headers?: Record<string, string>;

  @TextField({ optional, most: MAX_TEMPLATE_CHARACTERS })
  @Placeholders()
  body?: string;

  @Rule('pattern', isPattern, 'must be a regular expression')
  acceptedPattern?: string;

  @PatternField(/^[\w-]+(\.[\w-]+)*$/, 'must be a dotted path such as "data.id"', { optional })
  messageIdPath?: string;
}

/** How text messages leave the service. */
export class SmsSection {
  @ChoiceField(['inbox', 'twilio', 'http'])
  gateway: 'inbox' | 'twilio' | 'http';

  /** The firm that sends the texts: applicants read who has their mobile number. */
  @TextField({ optional, most: MAX_COMPANY_CHARACTERS })
  company?: string;

  @PartField(DltSection, { optional })
  dlt?: DltSection;

  @Rule(
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

/** A mistyped placeholder would be nothing in every message. */
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

/** Whatever is filled in, the host stays the one that the operator has named. */
function isAddressTemplate(value: unknown): boolean {
  const url = typeof value === 'string' ? URL.parse(value) : null;
  return url !== null && !url.host.includes('{');
}

function isHeaders(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  return (
    isMapping(value) &&
    Object.entries(value).every(
      ([name, text]) =>
        /^[A-Za-z0-9-]{1,100}$/.test(name) && typeof text === 'string' && !/[\r\n]/.test(text),
    )
  );
}

function isTemplateIds(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  const keys: readonly string[] = SMS_TEMPLATE_KEYS;
  return (
    isMapping(value) &&
    Object.entries(value).every(
      ([key, id]) => keys.includes(key) && typeof id === 'string' && /^[\w-]{1,40}$/.test(id),
    )
  );
}

function isPattern(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value !== 'string') return false;
  try {
    return new RegExp(value).source.length > 0;
  } catch {
    return false;
  }
}

function isMapping(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
