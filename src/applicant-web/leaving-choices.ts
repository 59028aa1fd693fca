import type { HostedJourneyView, WayBack } from '../journeys/index.js';

/** How the applicant can leave what they have chosen, as a page offers it. */
export interface LeavingChoices {
  /** Why the choice cannot be changed, or until when it can where that is before the signature. */
  readonly note: string | null;
  readonly mayChooseAnother: boolean;
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

export function leavingChoices(
  view: Pick<
    HostedJourneyView,
    'wayBack' | 'mayStop' | 'bindsAfter' | 'bindsNow' | 'mayCoverSignature'
  >,
): LeavingChoices {
  const { wayBack, mayStop, bindsNow, mayCoverSignature } = view;
  return {
    note: noteOf(view),
    mayChooseAnother: wayBack === 'OPEN',
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
