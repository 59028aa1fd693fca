import { type FieldProblem, type Language, parseIsoInstant } from '../platform/index.js';
import type { GivenConsent } from './given-consent.dto.js';

/**
 * `TEXT`: to a text of ours. `TERMS_ACCEPTED`: the partner says that the applicant has accepted the terms.
 * `AGREEMENT`: the partner's agreement with us obliges it to have the consent.
 */
export type ConsentBasis = 'TEXT' | 'TERMS_ACCEPTED' | 'AGREEMENT';

/** What a partner says of the applicant's consent. */
export type PartnerConsent =
  | {
      readonly basis: 'TEXT';
      readonly textVersion: string;
      readonly language: Language;
      readonly givenAt: Date;
    }
  | { readonly basis: Exclude<ConsentBasis, 'TEXT'> };

// As far as a caller's clock may be from ours.
const AHEAD_MS = 300_000;
const OLDEST_MS = 30 * 86_400_000;

/**
 * Reads what a well-formed body says of the consent.
 * @param problems is given what is wrong with the time
 */
export function readPartnerConsent(
  given: GivenConsent | null | undefined,
  hasAcceptedTerms: boolean,
  now: Date,
  problems: FieldProblem[],
): PartnerConsent {
  if (!given) return { basis: hasAcceptedTerms ? 'TERMS_ACCEPTED' : 'AGREEMENT' };
  const givenAt = typeof given.givenAt === 'string' ? parseIsoInstant(given.givenAt) : null;
  if (givenAt) {
    const ago = now.getTime() - givenAt.getTime();
    if (ago < -AHEAD_MS || ago > OLDEST_MS) {
      const message = 'must be a time that is not in the future, nor more than 30 days ago';
      problems.push({ field: 'consent.givenAt', message });
    }
  }
  const { textVersion, language } = given;
  return { basis: 'TEXT', textVersion, language, givenAt: givenAt ?? now };
}
