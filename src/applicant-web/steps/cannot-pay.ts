import type { HostedJourneyView } from '../../journeys/index.js';
import { readIn } from '../../key-facts/index.js';
import type { Language } from '../../platform/index.js';
import type { ContingentCharge, GrievanceOfficer, LenderContact } from '../../settings/index.js';
import { recoveryAgent } from './lender-identity.js';
import { type PledgedGoldPage, pledgedGold } from './pledged-gold.js';

/** What is told to somebody who cannot pay an instalment. */
export interface CannotPayPage {
  readonly lenderName: string;
  /** Where the lender is reached; null where the configuration does not say: then its grievance officer is. */
  readonly contact: LenderContact | null;
  /** As the statement that was agreed to names them. */
  readonly charges: readonly ContingentCharge[];
  readonly kfsHref: string;
  /** Who comes when nothing is paid. */
  readonly recovery: string;
  readonly grievance: GrievanceOfficer;
  /** Of a gold loan: what becomes of the gold. */
  readonly gold: PledgedGoldPage | null;
}

/** @throws Error when nothing was chosen */
export function cannotPay(
  { selected, applicant }: Pick<HostedJourneyView, 'selected' | 'applicant'>,
  language: Language,
): CannotPayPage {
  if (!selected) throw new Error('a loan that is paid out has its terms');
  const { offer, kfsUrl } = selected;
  const statement = readIn(selected.statement, language);
  return {
    lenderName: offer.lenderName,
    contact: offer.terms.contact ?? null,
    charges: statement.part1.contingentCharges,
    kfsHref: kfsUrl,
    recovery: recoveryAgent(statement.part2.digitalLoan, language),
    grievance: offer.terms.grievanceOfficer,
    gold: selected.branch && pledgedGold(selected, applicant, language),
  };
}
