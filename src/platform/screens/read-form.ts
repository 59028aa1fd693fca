import type { Request } from 'express';
import { Fault } from '../errors/fault.js';
import type { RawRequest } from '../http/raw-request.js';
import { isCalendarDate } from '../validation/iso-instant.js';
import { check, type Validatable } from '../validation/validated.js';
import { hasText, type TextValues } from './catalogue.js';
import { latinDigits, mobileOf, rupeesOf } from './entered-values.js';
import { type EnteredAs, formFieldsOf, type FormFieldTerms } from './form-field.js';

export interface FormError {
  readonly field: string;
  readonly messageKey: string;
  readonly values?: TextValues;
}

/** As typed, to show it again. */
export type Entered = Readonly<Record<string, string>>;

export type ReadForm<Shape> =
  | {
      readonly isValid: true;
      readonly value: Shape;
      readonly errors: [];
      readonly entered: Entered;
    }
  | { readonly isValid: false; readonly errors: FormError[]; readonly entered: Entered };

/**
 * Validates a posted form against a class with `@FormField`s. Returns all errors in the order of
 * the fields and never throws for input. The last of duplicate fields counts; unknown ones are
 * dropped.
 */
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
  // Unreadable amounts and dates are reported as wrong, whichever rule they break.
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
const MOST_FIELDS = 300;

/** @throws Fault malformed_request for too many fields */
export function enteredIn(request: Request): Entered {
  const text = (request as RawRequest).rawBody.toString('utf8');
  if (text.split('&', MOST_FIELDS + 1).length > MOST_FIELDS) throw new Fault('malformed_request');
  return Object.fromEntries(new URLSearchParams(text));
}

function messageKey(message: string, plain: unknown, terms: FormFieldTerms | undefined): string {
  const isMissing = plain === undefined || plain === '' || plain === false;
  if (isMissing && terms?.missing !== undefined) return terms.missing;
  if (hasText(message)) return message;
  if (!terms) throw new Error(`a form's field has no @FormField to say what is wrong: ${message}`);
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
