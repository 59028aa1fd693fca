import type { HostedJourneys, PossibleMandate } from '../../journeys/index.js';
import type { Language } from '../../platform/index.js';
import type { HostedSessionValue } from '../entry/signed-in.js';
import { walkOutOf } from './walk-out.js';

/** What is left when no loan comes of an application. */
export interface LeftBehind {
  /** What the valuation of the gold costs; null where none can have been valued. */
  readonly walkOut: string | null;
  readonly mandates: readonly PossibleMandate[];
}

/** What an applicant on the hosted screens leaves behind, of choices that were undone, too. */
export async function leftBehind(
  hosted: HostedJourneys,
  session: HostedSessionValue,
  language: Language,
): Promise<LeftBehind> {
  const valuations = await hosted.possibleValuations(session);
  const mandates = await hosted.possibleMandates(session);
  return { walkOut: walkOutOf(valuations, language), mandates };
}
