import { z } from 'zod';
import { NAME, PLAIN_TEXT } from '../../platform/index.js';

/** ₹1,000 crore in paise: more than any loan, and a safe integer. */
const MAX_AMOUNT = 1_000_000_000_000;
const MAX_ADDRESS = 2048;

export const REFERENCE = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,99}$/;
const PERCENT = /^\d{1,3}(\.\d{1,6})?$/;
const SIGNED_PERCENT = /^-?\d{1,3}(\.\d{1,6})?$/;

export const amount = (description: string) => z.int().min(1).max(MAX_AMOUNT).meta({ description });

export const amountOrZero = (description: string) =>
  z.int().min(0).max(MAX_AMOUNT).meta({ description });

/** As text, so that no reader rounds it. */
export const percent = (description: string) => z.string().regex(PERCENT).meta({ description });

export const signedPercent = (description: string) =>
  z.string().regex(SIGNED_PERCENT).meta({ description });

export const decimal = (description: string, whole = 7, places = 4) =>
  z
    .string()
    .regex(new RegExp(`^(?=.*[1-9])\\d{1,${whole}}(\\.\\d{1,${places}})?$`))
    .meta({ description });

/** ISO 8601 with seconds and an offset. */
export const moment = (description: string) =>
  z.iso.datetime({ offset: true }).refine(isOfThisCentury).meta({ description });

export const day = (description: string) =>
  z.iso.date().refine(isOfThisCentury).meta({ description });

// Other years break calendars and arithmetic.
function isOfThisCentury(written: string): boolean {
  return written.startsWith('20');
}

/** A person may be born in another century. */
export const dayOfBirth = (description: string) => z.iso.date().meta({ description });

export const text = (description: string, most = 200) =>
  z.string().min(1).max(most).regex(PLAIN_TEXT).meta({ description });

export const named = (description: string) =>
  z.string().min(1).max(200).regex(NAME).meta({ description });

/** Usable in an address as it is. */
export const reference = (description: string) => z.string().regex(REFERENCE).meta({ description });

export const hash = (description: string) =>
  z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .meta({ description });

export const address = (description: string) =>
  z
    .string()
    .max(MAX_ADDRESS)
    .regex(/^https?:\/\/[^\s\\]+$/)
    .refine(namesNobody, 'must be an address without user information')
    .meta({ description, format: 'uri' });

// Text before an @ misleads: the browser goes elsewhere.
function namesNobody(value: string): boolean {
  const url = URL.parse(value);
  return url !== null && url.username + url.password === '';
}

export const language = (description: string) =>
  z
    .string()
    .regex(/^[a-z]{2,3}(-[A-Z]{2})?$/)
    .meta({ description });

export const email = (description: string) =>
  z
    .string()
    .max(254)
    .regex(/^[^\s@]{1,64}@[^\s@]+\.[^\s@]+$/)
    .meta({ description });

export const pattern = (form: RegExp, description: string) =>
  z.string().regex(form).meta({ description });

/** An unknown word makes the message invalid. */
export const closedWords = <const Words extends readonly string[]>(
  words: Words,
  description: string,
) => z.enum(words).meta({ description });

/** An unknown word is read as OTHER. */
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
      description: `${description} A word that is not listed is read as \`OTHER\`.`,
      enum: [...words],
    });

export const integer = (least: number, most: number, description: string) =>
  z.int().min(least).max(most).meta({ description });
