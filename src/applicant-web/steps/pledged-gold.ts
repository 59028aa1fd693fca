import type { HostedJourneyView } from '../../journeys/index.js';
import { formatRupees, type Language, translate } from '../../platform/index.js';
import type { GoldDocument, LenderContact } from '../../settings/index.js';

type Selected = NonNullable<HostedJourneyView['selected']>;
type Terms = Selected['offer']['terms'];

/** A working day more than this is not allowed to a lender (RBI/2025-26/47, release of collateral). */
const MAX_WORKING_DAYS = 7;

const DOCUMENT_KEYS: Readonly<Record<GoldDocument, string>> = {
  IDENTITY: 'steps.gold.document.identity',
  ADDRESS: 'steps.gold.document.address',
  PAN: 'steps.gold.document.pan',
  PHOTOGRAPH: 'steps.gold.document.photograph',
  PURCHASE_BILL: 'steps.gold.document.bill',
};

/** What is told of gold that is pledged: what to bring, how it comes back, what happens if nothing is paid. */
export interface PledgedGoldPage {
  readonly lenderName: string;
  /** The gold as the applicant listed it; empty when that has been erased. */
  readonly pieces: string;
  readonly documents: readonly string[];
  readonly contact: LenderContact;
  readonly returned: string;
  readonly late: string;
  readonly notice: string;
  /** What a no at the branch costs. */
  readonly walkOut: string;
}

export function pledgedGold(
  { offer }: Pick<Selected, 'offer'>,
  applicant: HostedJourneyView['applicant'],
  language: Language,
): PledgedGoldPage {
  const { pledge = {}, contact, grievanceOfficer } = offer.terms;
  const lender = offer.lenderName;
  const count = pledge.returnWithinWorkingDays ?? MAX_WORKING_DAYS;
  const { lateReturnPerDay, auctionNoticeDays } = pledge;
  const gold = applicant?.gold;
  return {
    lenderName: lender,
    pieces: gold
      ? translate(language, 'steps.gold.pieces', {
          pieces: gold.jewelleryList.join(', '),
          grams: gold.grams,
        })
      : '',
    documents: (pledge.documents ?? []).map((one) => translate(language, DOCUMENT_KEYS[one])),
    contact: contact ?? grievanceOfficer,
    returned:
      count === 0
        ? translate(language, 'steps.gold.back.sameDay', { lender })
        : translate(language, 'steps.gold.back.days', { lender, count }),
    late:
      lateReturnPerDay === undefined
        ? translate(language, 'steps.gold.late', { lender })
        : translate(language, 'steps.gold.late.amount', {
            lender,
            amount: formatRupees(lateReturnPerDay),
          }),
    notice:
      auctionNoticeDays === undefined
        ? translate(language, 'steps.gold.notice', { lender })
        : translate(language, 'steps.gold.notice.days', { lender, count: auctionNoticeDays }),
    walkOut: walkOut(offer.terms, lender, language),
  };
}

/** What a no costs whoever has been at the branch, as it is said before they go. */
function walkOut(terms: Terms, lender: string, language: Language): string {
  return valuationCost(terms, lender, language, 'steps.gold.leave.ask');
}

/** The same once they may have been there: then it is too late to ask before the valuation. */
export function walkOutAfter(terms: Terms, lender: string, language: Language): string {
  return valuationCost(terms, lender, language, 'steps.gold.leave.askAfter');
}

function valuationCost(
  { pledge = {} }: Terms,
  lender: string,
  language: Language,
  unknownKey: string,
): string {
  const { valuationWithoutLoan: valuation } = pledge;
  if (valuation === undefined) return translate(language, unknownKey, { lender });
  return valuation === 0
    ? translate(language, 'steps.gold.leave.free')
    : translate(language, 'steps.gold.leave.amount', { lender, amount: formatRupees(valuation) });
}
