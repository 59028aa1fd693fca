import type { INSTANT_LEAD_STATUSES } from '../../journeys/index.js';
import type { STANDINGS_WITHOUT_OFFER } from '../../matching/index.js';
import type { OutboundFailureReason } from '../../platform/index.js';
import type { DeliveryStatus } from '../../webhooks/index.js';

export const CATEGORIES: Readonly<Record<'POLL' | 'REDIRECT' | 'ACTION', string>> = {
  POLL: 'read the journey again after pollIntervalSeconds',
  REDIRECT:
    'send the applicant to url, and post redirect-returned when they return (not for a fee)',
  ACTION: 'ask the applicant, and post the action with this type as its kind',
};

export const LAST_STATES: Readonly<Record<string, string>> = {
  SANCTIONED: 'The end: the lender paid out the loan, or sanctioned an instant loan.',
  REJECTED: 'The end: there is no loan, and outcomeReason says why.',
  ABANDONED:
    'The end: the journey was inactive for too long, the fee was not paid, or the applicant stopped it. Start a new one.',
};

/** Moves that no step's definition explains. */
export const MOVE_MEANINGS: Readonly<Record<string, string>> = {
  STARTED: 'POST /journey/initiate (POST /instant-loans for an instant loan) was accepted.',
  OFFERS_RAN_OUT:
    'Every offer expired before the applicant chose. The lenders are asked again when the applicant or your app opens the journey.',
  BRANCH_SELECTED: 'The branch for the gold was chosen.',
  ACCOUNT_ACCEPTED: 'The lender accepted the bank account for the payout.',
  OFFER_LET_GO:
    'The chosen offer was deselected, by the applicant on the hosted screens or by its lender.',
  CONSENT_WITHDRAWN: 'The applicant stopped the journey.',
  WENT_IDLE: 'The journey was inactive for too long.',
  CONSENTED: 'The applicant consented on the hosted screens to asking lenders.',
  CONFIRMED: 'The applicant confirmed the details on the hosted screens.',
  AMOUNT_NAMED: 'The applicant named the amount.',
  KEY_FACTS_ACKNOWLEDGED: 'The applicant acknowledged the Key Facts Statement of the chosen offer.',
  FEE_PAID: 'The applicant paid the fee.',
  LOAN_SANCTIONED: 'The lender sanctioned the instant loan.',
  FEE_UNPAID: 'The time to pay the fee ended.',
  FEE_ASKED: 'The fee of the chosen lender is due.',
  FEE_ORDERED: 'The applicant went to pay the fee.',
  FEE_ORDERED_AGAIN: 'The applicant went to pay the fee again, on another page.',
  FEE_TAKEN: 'The payment of the fee was accepted.',
  FEE_TRY_FAILED: 'A payment attempt for the fee failed. The applicant can retry.',
  FEE_RETURNED: 'A payment is refunded to the applicant.',
  FEE_KEPT: 'The lender keeps the fee, according to its terms.',
  REFUND_TOLD: 'The applicant was notified of the refund by SMS.',
  OFFER_REVISED: 'The lender replaced the chosen offer. The applicant must choose again.',
  APPLICANT_ERASED: 'The applicant’s personal data was erased. The record stays.',
};

export const REASON_MEANINGS: Readonly<Record<string, string>> = {
  NO_OFFERS: 'Every lender declined.',
  LENDERS_UNAVAILABLE: 'No lender could be reached in time.',
  BANK_ACCOUNT_FAILED: 'The account was refused permanently, or three accounts were refused.',
  LOAN_DECLINED: 'The lender declined the loan after the fee was paid.',
  DISBURSEMENT_FAILED: 'The payout was refused or returned.',
  PAYMENT_EXPIRED: 'The fee was not paid in time.',
  CONSENT_WITHDRAWN: 'The applicant stopped the journey.',
};

export const STANDING_MEANINGS: Readonly<Record<(typeof STANDINGS_WITHOUT_OFFER)[number], string>> =
  {
    DECLINED: 'The lender makes no offer.',
    UNREACHABLE: 'The lender could not be reached.',
    NO_ANSWER: 'The lender did not answer in time.',
    OFFER_REFUSED: 'The lender’s offer failed our check of its figures, so it is not displayed.',
  };

export const REDIRECT_MEANINGS = {
  SENT: 'The journey waits for the applicant at this step. The link in nextAction.url leads to the lender’s provider, or to the payment of the fee.',
  VISITED: 'The applicant opened the link.',
  RETURNED:
    'Your app reported the applicant’s return. The service asks the provider for the result.',
} as const;

export const VISIT_MEANINGS = {
  LINK: 'A single-use link to the hosted screens was created: hostedUrl of initiate, or a new link that the applicant requested.',
  OPENED: 'A browser opened the link.',
  SIGNED_IN: 'The applicant entered the code from the SMS.',
  ENDED: 'The session ended: the applicant signed in elsewhere, or the journey is over.',
} as const;

export const DELIVERY_MEANINGS: Readonly<Record<DeliveryStatus, string>> = {
  PENDING: 'The delivery is in progress, or waits for its next attempt.',
  SUCCEEDED: 'Your address answered 2xx within 5 seconds.',
  EXHAUSTED: 'Every attempt failed. Redeliver the event when your address works again.',
  CANCELLED: 'The delivery waited for 30 days, or the subscription was deleted.',
  PAUSED: 'The subscription is inactive. Enable it to send this.',
};

type FailedAttempt = OutboundFailureReason | 'STATUS';

export const FAILURE_MEANINGS: Readonly<Record<FailedAttempt, string>> = {
  STATUS: 'Your address answered, but not with a 2xx status.',
  TIMEOUT: 'No answer within 5 seconds. Answer first, then do the work.',
  URL_REFUSED: 'The address is not allowed. Use a public https URL.',
  ADDRESS_REFUSED:
    'The host resolves to an address that is not allowed, for example in a private network.',
  NAME_NOT_FOUND: 'The host’s name cannot be resolved.',
  TLS: 'The TLS handshake failed, or the certificate is not trusted. Often an intermediate certificate is missing.',
  CONNECTION: 'The connection was refused, reset, or closed before the response.',
  PROTOCOL: 'The response is not HTTP.',
  REDIRECT: 'Your address answered with a redirect, which is never followed.',
};

export const INSTANT_MEANINGS: Readonly<Record<(typeof INSTANT_LEAD_STATUSES)[number], string>> = {
  PAYMENT_PENDING: 'The applicant waits for the lenders’ offers, or has not paid the fee yet.',
  PAYMENT_FAILED: 'A payment attempt for the fee failed. The applicant can retry.',
  PAYMENT_RECEIVED: 'The fee is paid, and the lender decides.',
  SANCTIONED: 'The end: the lender sanctioned the loan.',
  REJECTED: 'The end: no lender makes an offer, or the lender declined after the payment.',
  EXPIRED: 'The end: the fee was not paid in time.',
};

/** Calls that ended without a code. */
export const CALL_MEANINGS = {
  ANSWERED: 'The call succeeded.',
  HUNG_UP: 'The caller closed the connection before the response (499).',
} as const;
