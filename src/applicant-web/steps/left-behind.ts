import type { HostedJourneys, PossibleMandate } from '../../journeys/index.js';
import type { Language } from '../../platform/index.js';
import type { HostedSessionValue } from '../entry/signed-in.js';
import { type GoldLeft, goldLeft } from './gold-left.js';

/** What is left when no loan comes of an application. */
export interface LeftBehind extends GoldLeft {
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
  return { ...goldLeft(valuations, language), mandates };
}
