import type { HostedJourneyView, WayBack } from '../journeys/index.js';

export interface LeavingChoices {
  /** Why, or until when before the signature, the choice can be changed. */
  readonly note: string | null;
  readonly mayChooseAnother: boolean;
  /** Whether this step's visit may include the signature; meanwhile there is no way back. */
  readonly signsNow: boolean;
  /** Whether this step makes the choice final. */
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
  // The page of the binding step says so itself.
  const isAhead = wayBack === 'OPEN' && bindsAfter !== null && !bindsNow;
  if (isAhead) return UNTIL[bindsAfter];
  return wayBack === null ? null : NOTES[wayBack];
}
