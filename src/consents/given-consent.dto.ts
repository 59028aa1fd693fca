import { ChoiceField, InstantField, LANGUAGES, type Language } from '../platform/index.js';
import { CONSENT_TEXTS, CONSENT_VERSION } from './consent-texts.js';

/** The consent that a partner took from the applicant with our text. */
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
}

export const CONSENT_FIELD = {
  optional: true,
  about:
    'For a partner that shows our consent text. Left out, `termsAccepted` or the partner’s agreement is ' +
    'recorded as the partner’s word that the applicant has consented.',
};

export const CONSENT_MESSAGE = 'must be an object with textVersion, language and givenAt';
