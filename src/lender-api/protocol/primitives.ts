import { z } from 'zod';
import { NAME, PLAIN_TEXT } from '../../platform/index.js';

/** ₹1,000 crore in paise: more than any loan, and far within a safe integer. */
const MAX_AMOUNT = 1_000_000_000_000;
const MAX_ADDRESS = 2048;

const REFERENCE = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,99}$/;
const PERCENT = /^\d{1,3}(\.\d{1,6})?$/;
const SIGNED_PERCENT = /^-?\d{1,3}(\.\d{1,6})?$/;

/** Money above zero, in paise. */
export const amount = (description: string) => z.int().min(1).max(MAX_AMOUNT).meta({ description });

/** Money that may be nothing, in paise. */
export const amountOrZero = (description: string) =>
  z.int().min(0).max(MAX_AMOUNT).meta({ description });

/** A percentage as decimal text, so that no reader rounds it. */
export const percent = (description: string) => z.string().regex(PERCENT).meta({ description });

export const signedPercent = (description: string) =>
  z.string().regex(SIGNED_PERCENT).meta({ description });

/** A decimal above zero, as text. */
export const decimal = (description: string, whole = 7, places = 4) =>
  z
    .string()
    .regex(new RegExp(`^(?=.*[1-9])\\d{1,${whole}}(\\.\\d{1,${places}})?$`))
    .meta({ description });

/** ISO 8601 with seconds and an offset. */
export const moment = (description: string) =>
  z.iso.datetime({ offset: true }).refine(isOfThisCentury).meta({ description });

/** A day that exists, as YYYY-MM-DD. */
export const day = (description: string) =>
  z.iso.date().refine(isOfThisCentury).meta({ description });

// With other years arithmetic and calendars come to nothing that anybody meant.
function isOfThisCentury(written: string): boolean {
  return written.startsWith('20');
}

/** The same of a person, who may be born in another century. */
export const dayOfBirth = (description: string) => z.iso.date().meta({ description });

/** One line of text for people. */
export const text = (description: string, most = 200) =>
  z.string().min(1).max(most).regex(PLAIN_TEXT).meta({ description });

/** A name: text with at least one letter. */
export const named = (description: string) =>
  z.string().min(1).max(200).regex(NAME).meta({ description });

/** An identifier of either side's; it can stand in an address as it is. */
export const reference = (description: string) => z.string().regex(REFERENCE).meta({ description });

/** SHA-256 in lower-case hexadecimal. */
export const hash = (description: string) =>
  z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .meta({ description });

/** An address for a browser. */
export const address = (description: string) =>
  z
    .string()
    .max(MAX_ADDRESS)
    .regex(/^https?:\/\/[^\s\\]+$/)
    .refine(namesNobody, 'must be an address without user information')
    .meta({ description, format: 'uri' });

// What stands before an @ is not where the browser goes, and misleads who reads it.
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

/** A text of which only its form is known. */
export const pattern = (form: RegExp, description: string) =>
  z.string().regex(form).meta({ description });

/** Words of which every one is known: with another word the message does not validate. */
export const closedWords = <const Words extends readonly string[]>(
  words: Words,
  description: string,
) => z.enum(words).meta({ description });

/** Words of which more may come: a word that is not known here is read as OTHER. */
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
