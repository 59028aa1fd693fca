import type { HostedJourneyView, WayBack } from '../journeys/index.js';

type Offer = HostedJourneyView['offers'][number];

/** What a no costs where the lender has valued the gold. */
export interface ValuationCost {
  readonly lenderName: string;
  /** In paise; null: the lender's terms do not say. */
  readonly amount: number | null;
}

/** How the applicant can leave what they have chosen, as a page offers it. */
export interface LeavingChoices {
  /** Left out where there is nothing to say. */
  readonly heading?: string;
  /** Why the choice cannot be changed, or until when it can where that is before the signature. */
  readonly note: string | null;
  readonly lenderName?: string;
  /** What a no costs here; left out where there is none to be said. */
  readonly costKey?: string;
  /** The same once gold has been valued, by each lender that may do so; empty where none does. */
  readonly valuations: readonly ValuationCost[];
  /** Before the signature: how long the loan can be left after it, once the money is there. */
  readonly coolingOffDays?: number;
  readonly mayChooseAnother: boolean;
  readonly mayStop: boolean;
  /** Whether the visit of this step may end with a signature: until it is known there is no way back. */
  readonly signsNow: boolean;
  /** Whether the choice can no longer be changed once this step is done. */
  readonly bindsNow: boolean;
}

const NOTES: Readonly<Record<WayBack, string | null>> = {
  OPEN: null,
  BOUND: 'steps.leaving.bound',
  MAY_BE_SIGNED: 'steps.leaving.maybeSigned',
  NONE_LEFT: 'steps.leaving.noneLeft',
};

const UNTIL: Readonly<Record<NonNullable<HostedJourneyView['bindsAfter']>, string>> = {
  KYC: 'steps.leaving.until.kyc',
  BANK_ACCOUNT: 'steps.leaving.until.bankAccount',
  MANDATE: 'steps.leaving.until.mandate',
};

/** What is said of a no before the signature, and at it: at a branch the valuation of the gold may have its price. */
export function costOfNo(isGold: boolean): { readonly before: string; readonly last: string } {
  return isGold
    ? { before: 'steps.leaving.gold', last: 'steps.leaving.lastGold' }
    : { before: 'steps.leaving.free', last: 'steps.leaving.lastFree' };
}

/** What each lender of an offer against gold takes for a valuation of whoever then takes no loan. */
export function valuationCosts(
  offers: readonly { readonly lenderName: string; readonly terms: Offer['terms'] }[],
): ValuationCost[] {
  const ofLenders = new Map<string, ValuationCost>();
  for (const { lenderName, terms } of offers) {
    if (terms.branches.length === 0) continue;
    ofLenders.set(lenderName, { lenderName, amount: terms.pledge?.valuationWithoutLoan ?? null });
  }
  return [...ofLenders.values()];
}

/** @param concerned the offers that the page speaks of; without them the one that is chosen, or else all */
export function leavingChoices(
  view: Pick<
    HostedJourneyView,
    | 'wayBack'
    | 'mayStop'
    | 'bindsAfter'
    | 'bindsNow'
    | 'mayCoverSignature'
    | 'selected'
    | 'offers'
    | 'redirect'
  >,
  concerned?: readonly Pick<Offer, 'lenderName' | 'terms'>[],
): LeavingChoices {
  const { wayBack, mayStop, bindsNow, mayCoverSignature, selected, offers, redirect } = view;
  const note = noteOf(view);
  const isLast = redirect?.step === 'ESIGN';
  const isGold = offers.some(({ terms }) => terms.branches.length > 0);
  const cost = costOfNo(isGold);
  return {
    ...((mayStop || note !== null) && { heading: 'steps.leaving.heading' }),
    note,
    lenderName: selected?.offer.lenderName,
    ...(mayStop && { costKey: isLast ? cost.last : cost.before }),
    valuations: mayStop ? valuationCosts(concerned ?? (selected ? [selected.offer] : offers)) : [],
    ...(mayStop && isLast && { coolingOffDays: selected?.offer.terms.coolingOffDays }),
    mayChooseAnother: wayBack === 'OPEN',
    mayStop,
    signsNow: mayCoverSignature && mayStop,
    bindsNow: bindsNow && wayBack === 'OPEN',
  };
}

function noteOf({
  wayBack,
  bindsAfter,
  bindsNow,
}: Pick<HostedJourneyView, 'wayBack' | 'bindsAfter' | 'bindsNow'>): string | null {
  // At the step itself its page says so in a place of its own.
  const isAhead = wayBack === 'OPEN' && bindsAfter !== null && !bindsNow;
  if (isAhead) return UNTIL[bindsAfter];
  return wayBack === null ? null : NOTES[wayBack];
}
