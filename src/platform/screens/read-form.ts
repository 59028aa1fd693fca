import type { Request } from 'express';
import { Fault } from '../errors/fault.js';
import type { RawRequest } from '../http/raw-request.js';
import { isCalendarDate } from '../validation/iso-instant.js';
import { check, type Validatable } from '../validation/validated.js';
import { hasText, type TextValues } from './catalogue.js';
import { latinDigits, mobileOf, rupeesOf } from './entered-values.js';
import { type EnteredAs, formFieldsOf, type FormFieldTerms } from './form-field.js';

/** One mistake in a form, as the error summary and the field beside it show it. */
export interface FormError {
  readonly field: string;
  readonly messageKey: string;
  readonly values?: TextValues;
}

/** What was typed, as it was typed: the form shows it again. */
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
 * Reads a posted form into a class whose fields have the platform's rules and `@FormField`.
 * Every mistake is named, in the order of the class's fields; nothing is thrown for what an
 * applicant typed. Of a field that is sent twice the last counts; unknown ones are left out.
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
  // What is neither an amount nor a date is said to be wrong, whatever else a rule may dislike in it.
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

/** More than any form has; thousands take long to parse. */
const MOST_FIELDS = 300;

/**
 * The bare fields of a posted form, for one with a single button, say.
 * @throws Fault malformed_request for more fields than any form has
 */
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

/** Whether something was entered that could not be read as what it should be. */
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
