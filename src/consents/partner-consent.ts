import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsOptional } from 'class-validator';
import {
  ChoiceField,
  DescribedField,
  type FieldProblem,
  InstantField,
  type Language,
  LANGUAGES,
  NestedField,
  parseIsoInstant,
  Rule,
} from '../platform/index.js';
import { CONSENT_TEXTS, CONSENT_VERSION } from './consent-texts.js';

const MAX_LENDERS = 50;
const MAX_CODE_CHARACTERS = 60;

export class GivenConsent {
  @ChoiceField(Object.keys(CONSENT_TEXTS), {
    about: 'The version of the consent text that the applicant agreed to.',
    example: CONSENT_VERSION,
  })
  textVersion: string;

  @ChoiceField(LANGUAGES, { about: 'The language in which it was displayed.', example: 'en' })
  language: Language;

  @InstantField({
    about: 'When the applicant agreed; at most 30 days ago, not in the future.',
    example: '2026-01-31T15:30:00+05:30',
  })
  givenAt: string;

  @LenderCodesField()
  lenderCodes?: string[];
}

export const ConsentField = () =>
  NestedField(GivenConsent, 'must be an object with textVersion, language and givenAt', {
    optional: true,
    about:
      'For a partner that displays our consent text. If left out or null, `termsAccepted` or the partner’s ' +
      'agreement is recorded as the partner’s attestation of consent.',
  });

function LenderCodesField(): PropertyDecorator {
  const message = `must be a list of 1 to ${MAX_LENDERS} different lender codes`;
  const areCodes = (value: unknown) =>
    Array.isArray(value) &&
    value.length > 0 &&
    value.length <= MAX_LENDERS &&
    new Set(value).size === value.length &&
    value.every((code) => typeof code === 'string' && code.length <= MAX_CODE_CHARACTERS);
  return applyDecorators(
    DescribedField(
      {
        type: 'array',
        items: { type: 'string', maxLength: MAX_CODE_CHARACTERS },
        minItems: 1,
        maxItems: MAX_LENDERS,
        uniqueItems: true,
      },
      {
        optional: true,
        about:
          'The codes of the lenders that the text named (`GET /products`), in its order. Only these are ' +
          'asked. If left out, the consent is recorded as the partner’s attestation, not as consent to the text.',
        example: ['kaverisetu', 'navdhara'],
      },
    ),
    Transform(({ value }: { value: unknown }) => value ?? undefined),
    IsOptional(),
    Rule('lenderCodes', areCodes, message),
  );
}

/**
 * `TEXT`: our text with its named lenders. `TERMS_ACCEPTED`: the partner reports accepted terms. `AGREEMENT`: the
 * partner's contract requires it to have the consent.
 */
export type ConsentBasis = 'TEXT' | 'TERMS_ACCEPTED' | 'AGREEMENT';

interface ShownText {
  readonly textVersion: string;
  readonly language: Language;
  readonly givenAt: Date;
}

export type PartnerConsent =
  | {
      readonly basis: 'TEXT';
      readonly shown: ShownText;
      readonly namedLenders: readonly string[];
    }
  | {
      readonly basis: Exclude<ConsentBasis, 'TEXT'>;
      /** A text without named lenders is only the partner's claim. */
      readonly shown?: ShownText;
      readonly namedLenders?: undefined;
    };

// Allowed clock difference.
const AHEAD_MS = 300_000;
const OLDEST_MS = 30 * 86_400_000;

/** @param problems receives errors of the time */
export function readPartnerConsent(
  given: GivenConsent | undefined,
  hasAcceptedTerms: boolean,
  now: Date,
  problems: FieldProblem[],
): PartnerConsent {
  const attested = hasAcceptedTerms ? 'TERMS_ACCEPTED' : 'AGREEMENT';
  if (!given) return { basis: attested };
  const { textVersion, language, lenderCodes } = given;
  const shown = { textVersion, language, givenAt: timeOf(given, now, problems) };
  return lenderCodes
    ? { basis: 'TEXT', shown, namedLenders: lenderCodes }
    : { basis: attested, shown };
}

function timeOf({ givenAt }: GivenConsent, now: Date, problems: FieldProblem[]): Date {
  const time = typeof givenAt === 'string' ? parseIsoInstant(givenAt) : null;
  if (!time) return now;
  const ago = now.getTime() - time.getTime();
  if (ago < -AHEAD_MS || ago > OLDEST_MS) {
    const message = 'must be a time within the last 30 days';
    problems.push({ field: 'consent.givenAt', message });
  }
  return time;
}
