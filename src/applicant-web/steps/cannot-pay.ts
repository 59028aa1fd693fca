import type { HostedJourneyView } from '../../journeys/index.js';
import { readIn } from '../../key-facts/index.js';
import { chargeFees, type Paise } from '../../loans/index.js';
import { formatRupees, type Language, translate } from '../../platform/index.js';
import type {
  ContingentCharge,
  GrievanceOfficer,
  LenderContact,
  UnpaidInterval,
} from '../../settings/index.js';
import { type FurtherComplaint, furtherComplaint } from './further-complaint.js';
import { recoveryAgent, recoveryNote } from './lender-identity.js';
import { type PledgedGoldPage, pledgedGold } from './pledged-gold.js';

const INTERVAL_KEYS: Readonly<Record<UnpaidInterval, string>> = {
  MONTH: 'steps.cannotPay.every.month',
  TIME: 'steps.cannotPay.every.time',
};

type Selected = NonNullable<HostedJourneyView['selected']>;

/** What an unpaid instalment costs: the statement's charge, and what it comes to. */
interface UnpaidRow extends ContingentCharge {
  /** In rupees, and how often. */
  readonly amount: string;
}

/** What is told to somebody who cannot pay an instalment. */
export interface CannotPayPage {
  readonly lenderName: string;
  /** Where the lender is reached; null where the configuration does not say: then its grievance officer is. */
  readonly contact: LenderContact | null;
  readonly instalment: Paise;
  /** What an unpaid instalment costs; empty where the lender's terms do not say which charges it does. */
  readonly unpaid: readonly UnpaidRow[];
  /** All charges as the statement that was agreed to names them. */
  readonly charges: readonly ContingentCharge[];
  readonly kfsHref: string;
  /** Who comes when nothing is paid. */
  readonly recovery: string;
  readonly recoveryNote: string | undefined;
  readonly grievance: GrievanceOfficer;
  readonly further: FurtherComplaint;
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
    instalment: selected.selection.instalment,
    unpaid: unpaidRows(selected, language),
    charges: statement.part1.contingentCharges,
    kfsHref: kfsUrl,
    recovery: recoveryAgent(statement.part2.digitalLoan, language),
    recoveryNote: recoveryNote(statement.part2.digitalLoan, offer.lenderName, language),
    grievance: offer.terms.grievanceOfficer,
    further: furtherComplaint(offer.terms),
    gold: selected.branch && pledgedGold(selected, applicant, language),
  };
}

/** The statement names the charges in English; which of them fall due, and on what basis, the offer's terms say. */
function unpaidRows(selected: Selected, language: Language): UnpaidRow[] {
  const { offer, selection, statement } = selected;
  const { contingentCharges } = statement.part1;
  const said = readIn(statement, language).part1.contingentCharges;
  return (offer.terms.unpaidCharges ?? []).flatMap((charge) => {
    const place = contingentCharges.findIndex(({ name }) => name === charge.name);
    if (place < 0) return [];
    const { name, flat, gstPercent, percentOfInstalment, every } = charge;
    const basis = { name, payee: 'LENDER', flat, gstPercent } as const;
    const [{ amount }] = chargeFees(selection.instalment, [
      { ...basis, percentOfPrincipal: percentOfInstalment },
    ]);
    const shown = translate(language, INTERVAL_KEYS[every], { amount: formatRupees(amount) });
    return [{ ...said[place], amount: shown }];
  });
}
