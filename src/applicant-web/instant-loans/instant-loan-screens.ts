import type { InstantLoanStage, InstantLoanView } from '../../instant-loans/index.js';
import { formatPercent, formatRupees, type ScreenModel } from '../../platform/index.js';

const LOOK_AGAIN_SECONDS = 4;

const STATUS_TITLES: Readonly<Record<InstantLoanStage, string>> = {
  TO_PAY: 'instant.checking.title',
  TO_PAY_AGAIN: 'instant.failed.title',
  UNDER_DECISION: 'instant.received.title',
  SANCTIONED: 'instant.sanctioned.title',
  REJECTED: 'instant.rejected.title',
  EXPIRED: 'instant.expired.title',
};

/** Where something is still to come, the page looks again by itself. */
const CHANGES_BY_ITSELF: readonly InstantLoanStage[] = ['TO_PAY', 'UNDER_DECISION'];

interface Figure {
  readonly labelKey: string;
  readonly value: string;
  readonly isMain?: boolean;
}

type InstantScreen = ScreenModel & InstantLoanView & { readonly figures: readonly Figure[] };

/** What the loan is, what is paid now, and the way to the payment. */
export function payScreen(view: InstantLoanView): InstantScreen {
  return { ...view, titleKey: 'instant.pay.title', figures: figuresOf(view) };
}

/** How it stands after the payment, or after the try. */
export function statusScreen(view: InstantLoanView): InstantScreen {
  return {
    ...view,
    titleKey: STATUS_TITLES[view.stage],
    figures: figuresOf(view),
    ...(CHANGES_BY_ITSELF.includes(view.stage) && { refreshSeconds: LOOK_AGAIN_SECONDS }),
  };
}

function figuresOf({ loanAmount, instalment, apr }: InstantLoanView): Figure[] {
  return [
    { labelKey: 'instant.amount', value: formatRupees(loanAmount), isMain: true },
    { labelKey: 'instant.instalment', value: formatRupees(instalment) },
    { labelKey: 'instant.apr', value: formatPercent(apr) },
  ];
}
