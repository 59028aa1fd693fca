import { type FieldProblem, type Language, parseIsoInstant } from '../platform/index.js';
import type { GivenConsent } from './given-consent.dto.js';

/**
 * `TEXT`: to our text, with the lenders it named. `TERMS_ACCEPTED`: the partner reports that the
 * terms were accepted. `AGREEMENT`: the partner's contract obliges it to have the consent.
 */
export type ConsentBasis = 'TEXT' | 'TERMS_ACCEPTED' | 'AGREEMENT';

export interface ShownText {
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
      /** A text without its named lenders is only the partner's word. */
      readonly shown?: ShownText;
      readonly namedLenders?: undefined;
    };

// Allowed clock difference of callers.
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
    const message = 'must be a time that is not in the future, nor more than 30 days ago';
    problems.push({ field: 'consent.givenAt', message });
  }
  return time;
}
