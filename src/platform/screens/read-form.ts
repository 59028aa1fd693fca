import type { Request } from 'express';
import { Fault } from '../errors/fault.js';
import type { RawRequest } from '../http/partner-routes.js';
import { isCalendarDate } from '../validation/iso-instant.js';
import { check, type Validatable } from '../validation/validated.js';
import { hasText, type TextValues } from './catalogue.js';

const DEVANAGARI_ZERO = 0x966;

// Includes direction marks of copied numbers.
const BETWEEN_DIGITS = /[\s\p{Cf}().\-\u2010-\u2015\u2212]/gu;
const MOBILE = /^(?:(?:\+|0{1,2})?91)?0?([6-9]\d{9})$/;

const BETWEEN_WORDS = /[\s\p{Cf}]/gu;
/** A comma before paise; read as a thousands separator it would multiply the amount by 100. */
const OTHER_COMMA = /,(?!\d{3}(?!\d))[^,]*$/;
const RUPEES = '₹|rs\\.?|inr|rupees?|रु\\.?|रू\\.?|रुपये|रुपए|रुपया';
const AMOUNT = new RegExp(
  `^(?:${RUPEES}){0,2}(\\d{1,13}(?:\\.\\d{1,2})?)(?:${RUPEES}|only|मात्र|/[-=–—]?){0,3}$`,
  'i',
);

function latinDigits(text: string): string {
  return text.replaceAll(/[०-९]/g, (digit) => String(digit.charCodeAt(0) - DEVANAGARI_ZERO));
}

/** Ten digits; accepts +91, 0091, 091, 91 or 0. Other text is returned. */
export function mobileOf(text: string): string {
  const plain = latinDigits(text).replaceAll(BETWEEN_DIGITS, '');
  return MOBILE.exec(plain)?.[1] ?? plain;
}

/** Accepts `Rs. 60,000/-`. Other text is returned. */
export function rupeesOf(text: string): number | string {
  const plain = latinDigits(text).replaceAll(BETWEEN_WORDS, '');
  if (OTHER_COMMA.test(plain)) return plain;
  const amount = AMOUNT.exec(plain.replaceAll(',', ''))?.[1];
  return amount === undefined ? plain : Number(amount);
}

type EnteredAs =
  | 'text'
  /** `Rs. 1,00,000.50/-`, Latin or Devanagari: 100000.5. */
  | 'rupees'
  /** `+91 (98765) 43210`: ten digits. */
  | 'mobile'
  /** Codes, PIN codes, account numbers. */
  | 'digits'
  /** Upper case without blanks: PAN, IFSC. */
  | 'capitals'
  /** From `<name>-day`, `-month`, `-year`: `2026-11-21`, if it exists. */
  | 'date'
  | 'checkbox';

interface FormFieldTerms {
  readonly as?: EnteredAs;
  /** For an empty field; absent: `wrong`. */
  readonly missing?: string;
  /** When the rule's message is no key of the catalogue. */
  readonly wrong: string;
}

const FIELDS = Symbol('form fields');

type FormFields = ReadonlyMap<string, FormFieldTerms>;

export function FormField(field: FormFieldTerms): PropertyDecorator {
  return (prototype, property) => {
    const fields = new Map([...fieldsOf(prototype), [String(property), field]]);
    Reflect.defineMetadata(FIELDS, fields, prototype);
  };
}

/** Inherited fields first. */
function formFieldsOf({ prototype }: { prototype: object }): FormFields {
  return fieldsOf(prototype);
}

function fieldsOf(prototype: object): FormFields {
  return (Reflect.getMetadata(FIELDS, prototype) ?? new Map()) as FormFields;
}

export interface FormError {
  readonly field: string;
  readonly messageKey: string;
  readonly values?: TextValues;
}

/** As typed, to display it again. */
export type Entered = Readonly<Record<string, string>>;

type ReadForm<Shape> =
  | {
      readonly isValid: true;
      readonly value: Shape;
      readonly errors: [];
      readonly entered: Entered;
    }
  | { readonly isValid: false; readonly errors: FormError[]; readonly entered: Entered };

/** Never throws for input. The last of duplicate fields counts; unknown ones are dropped. */
export function readForm<Shape extends object>(
  request: Request,
  shape: Validatable<Shape>,
): ReadForm<Shape> {
  const entered = enteredIn(request);
  const fields = formFieldsOf(shape);
  const plain: Record<string, unknown> = { ...entered };
  for (const [name, { as }] of fields) plain[name] = tidied(entered, name, as ?? 'text');
  const { value, problems } = check(shape, plain);
  const keys = new Map(
    problems.map(({ field, message }) => [
      field,
      messageKey(message, plain[field], fields.get(field)),
    ]),
  );
  // An unreadable value has one message, whichever rule it breaks.
  for (const [name, terms] of fields) {
    if (isUnread(plain[name], terms.as)) keys.set(name, terms.wrong);
  }
  if (keys.size === 0) return { isValid: true, value, errors: [], entered };
  const order = [...fields.keys()];
  const errors = [...keys]
    .map(([field, key]) => ({ field, messageKey: key }))
    .toSorted((a, b) => order.indexOf(a.field) - order.indexOf(b.field));
  return { isValid: false, errors, entered };
}

/** More than any form has; parsing thousands is slow. */
const MAX_FORM_FIELDS = 300;

/** @throws Fault malformed_request for too many fields */
export function enteredIn(request: Request): Entered {
  const text = (request as RawRequest).rawBody.toString('utf8');
  if (text.split('&', MAX_FORM_FIELDS + 1).length > MAX_FORM_FIELDS)
    throw new Fault('malformed_request');
  return Object.fromEntries(new URLSearchParams(text));
}

function messageKey(message: string, plain: unknown, terms: FormFieldTerms | undefined): string {
  const isMissing = plain === undefined || plain === '' || plain === false;
  if (isMissing && terms?.missing !== undefined) return terms.missing;
  if (hasText(message)) return message;
  if (!terms) throw new Error(`a form field without @FormField has no error text: ${message}`);
  return terms.wrong;
}

function isUnread(plain: unknown, as: EnteredAs | undefined): boolean {
  if (typeof plain !== 'string' || plain === '') return false;
  return as === 'rupees' || (as === 'date' && !isCalendarDate(plain));
}

function tidied(entered: Entered, name: string, as: EnteredAs): unknown {
  const text = (entered[name] ?? '').trim();
  switch (as) {
    case 'text':
      return text;
    case 'rupees':
      return rupeesOf(text);
    case 'mobile':
      return mobileOf(text);
    case 'digits':
      return latinDigits(text).replaceAll(/[\s-]/g, '');
    case 'capitals':
      return latinDigits(text).replaceAll(/\s/g, '').toUpperCase();
    case 'date':
      return dateOf(entered, name);
    case 'checkbox':
      return text !== '';
  }
}

function dateOf(entered: Entered, name: string): string {
  const part = (key: string) => latinDigits((entered[`${name}-${key}`] ?? '').trim());
  const [day, month, year] = [part('day'), part('month'), part('year')];
  if (day === '' && month === '' && year === '') return '';
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}
