import { z } from 'zod';
import { NAME, PLAIN_TEXT } from '../../platform/index.js';

/** ₹1,000 crore in paise: above any loan, and a safe integer. */
const MAX_AMOUNT = 1_000_000_000_000;
/** ₹10 lakh crore in paise: above any income or day's payouts, and a safe integer. */
export const MAX_SUM = 1_000_000_000_000_000;
const MAX_ADDRESS = 2048;

export const REFERENCE = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,99}$/;
const PERCENT = /^\d{1,3}(\.\d{1,6})?$/;
const SIGNED_PERCENT = /^-?\d{1,3}(\.\d{1,6})?$/;

/** A number without an example shows its minimum. */
function about(description: string, example?: unknown) {
  return { description, ...(example !== undefined && { examples: [example] }) };
}

export const amount = (description: string, example = 20_000_000, most = MAX_AMOUNT) =>
  z.int().min(1).max(most).meta(about(description, example));

export const amountOrZero = (description: string, most = MAX_AMOUNT) =>
  z.int().min(0).max(most).meta(about(description, 19_508_000));

/** As text, so that no parser rounds it. */
export const percent = (description: string) =>
  z.string().regex(PERCENT).meta(about(description, '14'));

export const signedPercent = (description: string) =>
  z.string().regex(SIGNED_PERCENT).describe(description);

export const decimal = (description: string, whole = 7, places = 4) =>
  z
    .string()
    .regex(new RegExp(`^(?=.*[1-9])\\d{1,${whole}}(\\.\\d{1,${places}})?$`))
    .meta(about(description, '22'));

export const moment = (description: string) =>
  z.iso
    .datetime({ offset: true })
    .refine(isOfThisCentury)
    .meta(about(description, '2026-11-24T12:08:05+05:30'));

export const day = (description: string) =>
  z.iso.date().refine(isOfThisCentury).meta(about(description, '2026-11-24'));

// Other years break calendars and arithmetic.
function isOfThisCentury(written: string): boolean {
  return written.startsWith('20');
}

/** Allows any century. */
export const dayOfBirth = (description: string) => z.iso.date().describe(description);

export const text = (description: string, most = 200, example?: string) =>
  line(PLAIN_TEXT, most, about(description, example));

export const named = (description: string) =>
  line(NAME, 200, about(description, 'Navdhara Capital Limited'));

/** Counts characters as JSON Schema and the partner API do; zod counts UTF-16 units. */
function line(form: RegExp, maxLength: number, meta: ReturnType<typeof about>) {
  return z
    .string()
    .min(1)
    .regex(form)
    .refine((written) => Array.from(written).length <= maxLength, {
      message: `must have at most ${maxLength} characters`,
    })
    .meta({ ...meta, maxLength });
}

export const hash = (description: string) =>
  pattern(
    /^[0-9a-f]{64}$/,
    description,
    '9f2c1de0b7a4836f5e1d20c98b7a6f5e4d3c2b1a09f8e7d6c5b4a39281706f5e',
  );

export const address = (description: string) =>
  z
    .string()
    .max(MAX_ADDRESS)
    .regex(/^https?:\/\/[^\s\\]+$/)
    .refine(hasNoUserInfo, 'must be a URL without user information')
    .meta({ ...about(description, 'https://apply.navdhara.example/s/7b1e9c04d2'), format: 'uri' });

// Text before an @ misleads: the browser goes elsewhere.
function hasNoUserInfo(value: string): boolean {
  const url = URL.parse(value);
  return url !== null && url.username + url.password === '';
}

export const language = (description: string) =>
  pattern(/^[a-z]{2,3}(-[A-Z]{2})?$/, description, 'hi');

export const email = (description: string) =>
  z
    .string()
    .max(254)
    .regex(/^[^\s@]{1,64}@[^\s@]+\.[^\s@]+$/)
    .describe(description);

export const pattern = (form: RegExp, description: string, example?: string) =>
  z.string().regex(form).meta(about(description, example));

/** Safe in a URL without escaping. */
export const reference = (description: string, example = 'NV-REF-311') =>
  pattern(REFERENCE, description, example);

export const questionId = (description: string) =>
  reference(description, 'qst_019aab3c5d7e7f0192a3b4c5d6e7f803');

export const applicationId = reference(
  'Rinpath’s id of the loan application.',
  'app_019aab3c5d7e7f0192a3b4c5d6e7f802',
);

export const loanReference = (description = 'The lender’s reference of the loan.') =>
  reference(description, 'NV-LOAN-77031');

export const applicationReference = (description: string) => reference(description, 'NV-APP-51120');

export const offerReference = (description: string) => reference(description, 'NV-OFF-88213');

export const ifsc = pattern(/^[A-Z]{4}0[A-Z0-9]{6}$/, 'The branch’s code.', 'HDFC0001234');

export const lastFour = (description: string) => pattern(/^\d{4}$/, description, '7890');

/** UTR, or the payment system's equivalent. */
export const transferReference = pattern(
  /^[A-Za-z0-9]{6,35}$/,
  'Unique Transaction Reference of the transfer.',
  'HDFCN52026112412345678',
);

/** An unknown word makes the message invalid. */
export const closedWords = <const Words extends readonly string[]>(
  words: Words,
  description: string,
) => z.enum(words).describe(description);

/** An unknown word becomes OTHER. */
export const openWords = <const Words extends readonly [...string[], 'OTHER']>(
  words: Words,
  description: string,
) =>
  z
    .string()
    .min(1)
    .max(64)
    .transform((word): Words[number] => (words.includes(word) ? word : 'OTHER'))
    .meta({
      description: `${description} Unlisted values are read as \`OTHER\`.`,
      enum: [...words],
    });

export const integer = (least: number, most: number, description: string) =>
  z.int().min(least).max(most).describe(description);
