import { isFault } from '../../platform/index.js';
import { RBI_GOLD_LIMITS } from '../../settings/index.js';
import { readInitiateRequest } from './read-initiate-request.js';

export type Fields = Record<string, unknown>;

const TODAY = '2026-06-15';
const RULES = { products: [], goldLimits: RBI_GOLD_LIMITS };
const DEFAULTS = { channel: 'API_HEADLESS', productCode: 'ONLINE_PERSONAL' } as const;

export const CUSTOMER_A: Fields = {
  fullName: 'Asha Verma',
  pan: 'ABCDE1234F',
  dob: '1990-04-15',
  gender: 'FEMALE',
  employmentType: 'salaried',
  monthlyIncome: 60_000,
  pinCode: '560001',
};

export const CUSTOMER_B: Fields = {
  pan: 'ABCDE1234F',
  dob: '1990-04-15',
  pinCode: '560001',
  termsAccepted: true,
  annualIncome: 720_000,
};

export const GOLD = { jewellaryList: ['necklace'], grams: '42.5' };

export const missing = (rule: string) => `is missing; it ${rule}`;
export const A_NUMBER = ', as a number, not text';
export const A_TEXT = ', as text, not a number';

export const TEXT =
  'must be text of 1 to 200 characters without control characters or more than three combining marks in a row';
export const NAME = TEXT.replace(
  'text of 1 to 200 characters',
  'a name of 1 to 200 characters with at least one letter,',
);
export const AMOUNT = 'must be an amount in rupees above zero with at most two decimals';
export const INCOME = 'is missing; give it, above zero, or customer.annualIncome';
export const PAN = 'must be a PAN: five capital letters, four digits, one capital letter';
export const MOBILE = 'must be a mobile number of 10 digits that starts with 6 to 9';
export const CHANNELS = 'must be one of API_HOSTED, API_HEADLESS';
export const PRODUCTS_A =
  'must be one of ONLINE_PERSONAL, ONLINE_SHORT_TERM, ONLINE_BUSINESS, ONLINE_GOLD';

export const INSTANT = '; for ONLINE_INSTANT use POST /instant-loans';

export function bodyA(more: Fields = {}, customer: Fields = {}): Fields {
  return {
    channel: 'API_HEADLESS',
    productCode: 'ONLINE_PERSONAL',
    mobile: '9876543210',
    loanAmount: 200_000,
    customer: { ...CUSTOMER_A, ...customer },
    ...more,
  };
}

export function bodyB(more: Fields = {}, customer: Fields = {}): Fields {
  return { mobile: '9876543210', customer: { ...CUSTOMER_B, ...customer }, ...more };
}

/** A date without a time means noon in India. */
function noonOf(day: string): Date {
  return new Date(day.includes('T') ? day : `${day}T12:00:00+05:30`);
}

export function read(body: Fields, defaults: Parameters<typeof readInitiateRequest>[1] = DEFAULTS) {
  return readInitiateRequest(body, defaults, noonOf(TODAY), RULES);
}

export function problemsOf(body: Fields, today = TODAY): Record<string, string> {
  try {
    readInitiateRequest(body, DEFAULTS, noonOf(today), RULES);
    return {};
  } catch (error) {
    if (!isFault(error, 'validation_failed')) throw error;
    const entries = error.details!.map(({ field, message }) => [field, message]);
    const fields = new Set(entries.map(([field]) => field));
    if (fields.size < entries.length)
      throw new Error(`a field twice: ${String(entries)}`, { cause: error });
    return Object.fromEntries(entries) as Record<string, string>;
  }
}
