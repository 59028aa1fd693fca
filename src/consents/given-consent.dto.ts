import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsOptional } from 'class-validator';
import {
  ChoiceField,
  DescribedField,
  InstantField,
  LANGUAGES,
  type Language,
  NestedField,
  Rule,
} from '../platform/index.js';
import { CONSENT_TEXTS, CONSENT_VERSION } from './consent-texts.js';

const MAX_LENDERS = 50;
const MAX_CODE_CHARACTERS = 60;

export class GivenConsent {
  @ChoiceField(Object.keys(CONSENT_TEXTS), {
    about: 'The version of our text that the applicant agreed to.',
    example: CONSENT_VERSION,
  })
  textVersion: string;

  @ChoiceField(LANGUAGES, { about: 'The language that it was shown in.', example: 'en' })
  language: Language;

  @InstantField({
    about: 'When the applicant agreed; not in the future, and not more than 30 days ago.',
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
      'For a partner that shows our consent text. Left out, or null, `termsAccepted` or the partner’s ' +
      'agreement is recorded as the partner’s word that the applicant has consented.',
  });

function LenderCodesField(): PropertyDecorator {
  const message = `must be a list of 1 to ${MAX_LENDERS} codes of lenders, each once`;
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
          'The lenders that the text named, by their codes (`GET /products`), in its order. No other is ' +
          'asked. Left out, the consent is recorded as the partner’s word, not as a consent to the text.',
        example: ['kaverisetu', 'navdhara'],
      },
    ),
    Transform(({ value }: { value: unknown }) => value ?? undefined),
    IsOptional(),
    Rule('lenderCodes', areCodes, message),
  );
}
