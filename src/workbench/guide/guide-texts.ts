import type { INSTANT_LEAD_STATUSES } from '../../journeys/index.js';
import type { STANDINGS_WITHOUT_OFFER } from '../../matching/index.js';
import type { OutboundFailureReason } from '../../platform/index.js';
import type { DeliveryStatus } from '../../webhooks/index.js';

export const CATEGORIES: Readonly<Record<'POLL' | 'REDIRECT' | 'ACTION', string>> = {
  POLL: 'read the journey again after pollIntervalSeconds',
  REDIRECT:
    'send the applicant to url, and post redirect-returned when they are back (not for a fee)',
  ACTION: 'ask the applicant, and post the action with this type as its kind',
};

export const LAST_STATES: Readonly<Record<string, string>> = {
  SANCTIONED: 'The end: the lender has paid the loan out.',
  REJECTED: 'The end: there is no loan, and outcomeReason says why.',
  ABANDONED:
    'The end: nothing happened for too long, the fee was not paid, or the applicant stopped it. Start a new one.',
};

/** Moves that no step's definition explains. */
export const MOVE_MEANINGS: Readonly<Record<string, string>> = {
  STARTED: 'POST /journey/initiate was accepted.',
  OFFERS_RAN_OUT:
    'Every offer ran out before one was chosen. The lenders are asked again when somebody comes for the journey.',
  BRANCH_SELECTED: 'The branch was chosen to which the gold is brought.',
  ACCOUNT_ACCEPTED: 'The lender accepted the bank account for the payout.',
  OFFER_LET_GO:
    'The chosen offer was let go for another one: by the applicant on the hosted screens, or by its lender.',
  CONSENT_WITHDRAWN: 'The applicant stopped the journey.',
  WENT_IDLE: 'Nobody did anything for too long.',
  CONSENTED: 'The applicant agreed on the hosted screens that lenders may be asked.',
  CONFIRMED: 'The applicant confirmed the details on the hosted screens.',
  AMOUNT_NAMED: 'The applicant named the amount.',
  KEY_FACTS_ACKNOWLEDGED: 'The applicant acknowledged the Key Facts Statement of the chosen offer.',
  FEE_PAID: 'The applicant paid the fee.',
  FEE_UNPAID: 'The time to pay the fee ended.',
  FEE_ASKED: 'The fee of the chosen lender is to be paid.',
  FEE_ORDERED: 'The applicant went to pay the fee.',
  FEE_ORDERED_AGAIN: 'The applicant went to pay the fee again, on another page.',
  FEE_TAKEN: 'The payment of the fee counts.',
  FEE_TRY_FAILED: 'A try to pay the fee failed. It can be paid again.',
  FEE_RETURNED: 'A payment goes back to the applicant.',
  FEE_KEPT: 'The lender keeps the fee, as its terms say.',
  REFUND_TOLD: 'The applicant was texted of the refund.',
  OFFER_REVISED:
    'The lender made another offer in the place of the chosen one. It has to be chosen anew.',
  APPLICANT_ERASED: 'The applicant’s personal data was erased. The record stays without it.',
};

export const REASON_MEANINGS: Readonly<Record<string, string>> = {
  NO_OFFERS: 'Every lender declined.',
  LENDERS_UNAVAILABLE: 'No lender could be reached in time.',
  BANK_ACCOUNT_FAILED: 'The account was refused for good, or three were refused.',
  DISBURSEMENT_FAILED: 'The payout was refused, or came back.',
  PAYMENT_EXPIRED: 'The fee was not paid in time.',
  CONSENT_WITHDRAWN: 'The applicant stopped the journey.',
};

export const STANDING_MEANINGS: Readonly<Record<(typeof STANDINGS_WITHOUT_OFFER)[number], string>> =
  {
    DECLINED: 'The lender was asked, and makes no offer.',
    UNREACHABLE: 'The lender could not be reached.',
    NO_ANSWER: 'The lender was asked, and did not answer in time.',
    OFFER_REFUSED:
      'The lender’s offer did not hold when its figures were computed again, so it is not shown.',
  };

export const REDIRECT_MEANINGS = {
  SENT: 'The journey waits for the applicant at this step. The link in nextAction.url leads to the lender’s provider, or to the payment of the fee.',
  VISITED: 'The applicant opened the link.',
  RETURNED: 'The applicant was said to be back. That proves nothing: the provider is asked.',
} as const;

export const VISIT_MEANINGS = {
  LINK: 'A single-use link to the hosted screens was made: hostedUrl of initiate, or a fresh one that the applicant asked for.',
  OPENED: 'A browser opened the link.',
  SIGNED_IN: 'The applicant gave the code that came by SMS.',
  ENDED: 'The session was ended: the applicant signed in elsewhere, or the journey is over.',
} as const;

export const DELIVERY_MEANINGS: Readonly<Record<DeliveryStatus, string>> = {
  PENDING: 'It is on its way, or waits for the next attempt.',
  SUCCEEDED: 'Your address answered 2xx within 5 seconds.',
  EXHAUSTED: 'Every attempt failed. Redeliver it once your address works.',
  CANCELLED: 'It was given up: it waited for 30 days, or the subscription was deleted.',
  PAUSED: 'The subscription is inactive. Enable it, and this is sent.',
};

type FailedAttempt = OutboundFailureReason | 'STATUS';

export const FAILURE_MEANINGS: Readonly<Record<FailedAttempt, string>> = {
  STATUS: 'Your address answered, but not with a 2xx status.',
  TIMEOUT: 'No answer within 5 seconds. Answer at once, and do the work afterwards.',
  URL_REFUSED: 'The address is not one that may be called.',
  ADDRESS_REFUSED: 'The host leads to an address that must not be reached: a private network, say.',
  NAME_NOT_FOUND: 'The host’s name cannot be resolved.',
  TLS: 'The TLS handshake failed, or the certificate is not to be trusted: a missing intermediate certificate is frequent.',
  CONNECTION: 'The connection was refused, reset, or closed before the answer was there.',
  PROTOCOL: 'What came back is not HTTP.',
  REDIRECT: 'Your address answered with a redirect, which is never followed.',
};

export const INSTANT_MEANINGS: Readonly<Record<(typeof INSTANT_LEAD_STATUSES)[number], string>> = {
  PAYMENT_PENDING: 'The applicant waits for the lenders’ offers, or has not paid the fee yet.',
  PAYMENT_FAILED: 'A try to pay the fee failed. The applicant can try again.',
  PAYMENT_RECEIVED: 'The fee is paid, and the lender decides.',
  SANCTIONED: 'The end: the lender sanctioned the loan.',
  REJECTED: 'The end: no lender makes an offer, or the lender declined after the payment.',
  EXPIRED: 'The end: the fee was not paid in time.',
};

/** Calls that ended without a code. */
export const CALL_MEANINGS = {
  ANSWERED: 'The call was answered.',
  HUNG_UP: 'The caller hung up before the answer (499).',
} as const;
