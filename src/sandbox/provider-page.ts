import { redirectDefinition } from '../journey-steps/index.js';
import type { Paise } from '../loans/index.js';
import { formatRupees } from '../platform/index.js';
import { simulatedVerdict } from './sandbox-outcomes.js';
import type { SandboxSession } from './store/sandbox-sessions.js';
import type { SimulatedAgreement } from './store/sandbox-session.entity.js';

interface ProviderPage {
  readonly titleKey: string;
  readonly sheets: readonly string[];
  readonly explanationKey: string;
  readonly approveKey: string;
  readonly declineKey: string;
  readonly action: string;
  /** Whether a reserved PAN makes this attempt fail. */
  readonly isBoundToFail: boolean;
  /** Null when nothing is signed. */
  readonly agreement: AgreementView | null;
  readonly decidedKey: string | null;
  readonly returnUrl: string;
}

interface AgreementView {
  readonly rows: readonly { readonly labelKey: string; readonly value: string }[];
  readonly keyFactsHash: string | null;
}

const DECIDED = {
  approve: 'sandbox.provider.decided.approve',
  decline: 'sandbox.provider.decided.decline',
} as const;

/** @param action the address that the form posts to */
export function providerPage(session: SandboxSession, action: string): ProviderPage {
  const { pan, step, attempt, agreement, decision, returnUrl } = session;
  const { textKeys, shows } = redirectDefinition(step);
  return {
    titleKey: textKeys.providerTitle,
    explanationKey: textKeys.providerExplanation,
    approveKey: textKeys.providerApprove,
    declineKey: textKeys.providerDecline,
    sheets: ['sandbox.css'],
    action,
    isBoundToFail: simulatedVerdict(pan, step, attempt, 'approve') !== 'PASSED',
    agreement: shows === 'AGREEMENT' ? agreementView(agreement) : null,
    decidedKey: decision === null ? null : DECIDED[decision],
    returnUrl,
  };
}

function agreementView(agreement: SimulatedAgreement): AgreementView {
  const { lender, loanAmount, totalPayable, netDisbursed, keyFactsHash } = agreement;
  const rows = [
    { labelKey: 'common.offer.lender', value: lender },
    { labelKey: 'offers.amount', value: formatRupees(loanAmount) },
    ...amountRow('offers.repay', totalPayable),
    ...amountRow('offers.get', netDisbursed),
  ];
  return { rows, keyFactsHash };
}

function amountRow(labelKey: string, amount: Paise | null) {
  return amount === null ? [] : [{ labelKey, value: formatRupees(amount) }];
}
