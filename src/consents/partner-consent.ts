import { type FieldProblem, type Language, parseIsoInstant } from '../platform/index.js';
import type { GivenConsent } from './given-consent.dto.js';

/**
 * `TEXT`: to a text of ours, with the lenders that it named. `TERMS_ACCEPTED`: the partner says that the
 * applicant has accepted the terms. `AGREEMENT`: the partner's agreement with us obliges it to have the
 * consent.
 */
export type ConsentBasis = 'TEXT' | 'TERMS_ACCEPTED' | 'AGREEMENT';

/** Our text as the partner says that it has shown it. */
export interface ShownText {
  readonly textVersion: string;
  readonly language: Language;
  readonly givenAt: Date;
}

/** What a partner says of the applicant's consent. */
export type PartnerConsent =
  | {
      readonly basis: 'TEXT';
      readonly shown: ShownText;
      /** The lenders that the text named, in its order. */
      readonly namedLenders: readonly string[];
    }
  | {
      readonly basis: Exclude<ConsentBasis, 'TEXT'>;
      /** Without the lenders that it named, a text is no more than the partner's word. */
      readonly shown?: ShownText;
      readonly namedLenders?: undefined;
    };

// As far as a caller's clock may be from ours.
const AHEAD_MS = 300_000;
const OLDEST_MS = 30 * 86_400_000;

/**
 * Reads what a well-formed body says of the consent.
 * @param problems is given what is wrong with the time
 */
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
    const message = 'must be a time that is not in the future, nor more than 30 days ago';
    problems.push({ field: 'consent.givenAt', message });
  }
  return time;
}
