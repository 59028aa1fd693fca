import { type RedirectStep, STEP_QUESTIONS } from '../journey-steps/index.js';
import type { FeeCharge, Paise } from '../loans/index.js';
import type {
  ContingentCharge,
  Lender,
  LenderBranch,
  OwnTexts,
  StepProvider,
  UnpaidCharge,
} from '../settings/index.js';
import type { BankAccount, QuestionPayload, RefusedOffer, SentBody } from './question-payload.js';

/**
 * What a lender can be asked. The lender is on the far side of a network: every question may be
 * answered at once, later (by a poll or a callback), twice, or fail. Questions have an id that the
 * lender takes as an idempotency key, so asking again is always safe.
 */
export interface LenderConnector {
  /** The `adapter` of the lenders that this connector speaks for. */
  readonly adapter: string;

  /** Puts a durable question, or asks again about one that is pending. */
  ask(question: LenderQuestion): Promise<LenderReply>;

  /**
   * Quotes an offer again for another amount; null when the lender no longer stands by it, `DIFFERS` when
   * what it quotes is no loan of the kind that it offered.
   */
  quote(request: QuoteRequest): Promise<LenderOffer | 'DIFFERS' | null>;

  /** Tells the lender that an offer was chosen, and whether it takes the choice. */
  select(request: SelectRequest): Promise<SelectionVerdict>;

  /** Whether money can be paid to this account. */
  verifyAccount(request: AccountRequest): Promise<AccountVerdict>;

  /** Opens the provider's session for a redirect step and answers where to send the applicant. */
  openSession(request: SessionRequest): Promise<SessionVerdict>;

  /** On whose page every step of all its lenders is done; left out: the configuration says. */
  readonly provider?: ShownProvider;
}

export const LENDER_CONNECTORS = Symbol('lender connectors');

/** What the lenders of a journey are asked. `WITHDRAWAL`: one is told that nothing more comes of it. */
export const JOURNEY_QUESTION_KINDS = [...STEP_QUESTIONS, 'WITHDRAWAL'] as const;

export type JourneyQuestionKind = (typeof JOURNEY_QUESTION_KINDS)[number];

/**
 * What the lenders of an instant loan are asked: `INSTANT_OFFERS` for binding offers, `DECISION` whether the
 * loan, its fee paid, is sanctioned. They are told by `WITHDRAWAL` that nothing more comes of it.
 */
export const INSTANT_QUESTION_KINDS = ['INSTANT_OFFERS', 'DECISION'] as const;

export type InstantQuestionKind = (typeof INSTANT_QUESTION_KINDS)[number];

export type QuestionKind = JourneyQuestionKind | InstantQuestionKind;

export const QUESTION_KINDS: readonly QuestionKind[] = [
  ...JOURNEY_QUESTION_KINDS,
  ...INSTANT_QUESTION_KINDS,
];

/** The questions that ask several lenders side by side for offers. */
export function asksForOffers(kind: QuestionKind): kind is 'OFFERS' | 'INSTANT_OFFERS' {
  return kind === 'OFFERS' || kind === 'INSTANT_OFFERS';
}

/**
 * What stands in the place of a round where an answer to `OFFERS` is the offer by which a lender replaces the
 * one that was chosen: nobody has asked for it.
 */
export const REVISED_OFFER = 'revised';

/** A question's kind, as its id and the metrics have it. */
export type CallKind = QuestionKind | 'QUOTE' | 'SELECTION' | 'ACCOUNT' | 'SESSION';

/** The id under which a lender is asked: on the wire, in the log, and however often the question is put. */
export function questionId(subjectId: string, kind: CallKind, reference: string): string {
  return `${subjectId}:${kind}:${reference}`;
}

/** What names one call to a lender in both sides' logs. */
export interface CallNames {
  /** The question's id as the lender gets it: a connector may lengthen it. */
  question: string;
  /** Of the call, once it is made. */
  traceparent?: string;
}

export interface LenderQuestion {
  /** The idempotency key: the same however often, and by whomever, the question is put. */
  readonly id: string;
  readonly names?: CallNames;
  readonly lender: Lender;
  readonly kind: QuestionKind;
  readonly partnerId: string;
  readonly subjectId: string;
  /** What it is about there: an offer round, a redirect's id. */
  readonly reference: string;
  /** How many times it was put before this time. */
  readonly attemptsBefore: number;
  readonly askedAt: Date;
  readonly payload: QuestionPayload;
  readonly sent?: SentBody;
}

export type LenderReply =
  | { readonly status: 'ANSWERED'; readonly answerId: string; readonly answer: LenderAnswer }
  | {
      readonly status: 'PENDING';
      readonly askAgainInMs?: number;
      /**
       * Of a redirect step: the provider waits for the applicant, whose session is still good. Left
       * out, the applicant is done there and the provider decides.
       */
      readonly isSessionOpen?: boolean;
    };

/** Why not. */
export interface Refusal {
  /** A word of the connector's. */
  readonly reason: string;
  /** In the lender's own words, which may name the applicant. */
  readonly detail?: string;
}

/** What a redirect step that was passed can be proved by; names nobody. */
export interface StepEvidence {
  /** ISO 8601. */
  readonly passedAt: string;
  /** Of KYC: the lender's own reference. */
  readonly kycReference?: string;
  /** Of a mandate: its UMRN. */
  readonly mandateReference?: string;
  /** Of an eSign: SHA-256 (hex) of the signed document. */
  readonly documentHash?: string;
}

export type LenderAnswer =
  | {
      readonly kind: 'OFFERED';
      readonly offers: readonly LenderOffer[];
      /** Offers that the port has no form for, or that do not hold in themselves. */
      readonly refused?: readonly RefusedOffer[];
    }
  | ({ readonly kind: 'DECLINED' } & Refusal)
  | { readonly kind: 'PASSED'; readonly evidence?: StepEvidence }
  | ({ readonly kind: 'FAILED' } & Refusal)
  | ({ readonly kind: 'REFUSED' } & Refusal)
  | {
      readonly kind: 'PAID';
      /** ISO 8601. */
      readonly paidAt: string;
      /** What was paid out: it is checked against what was agreed. */
      readonly amount: Paise;
      readonly transferReference: string;
      /** The lender's own reference of the loan. */
      readonly loanReference?: string;
      /** The last four digits of the account that it went to. */
      readonly accountLastFour?: string;
    }
  | {
      readonly kind: 'SANCTIONED';
      /** The lender's own reference of the loan. */
      readonly reference: string;
    }
  | { readonly kind: 'NOTED' }
  /** Of the service, not of a lender: it does not answer, and is left alone for a while. */
  | { readonly kind: 'UNREACHABLE' };

/** What a lender's answer is about: of a payout what was paid, of offers the principal of the first. */
export function answerAmount(answer: LenderAnswer): { readonly amount?: Paise } {
  if (answer.kind === 'PAID') return { amount: answer.amount };
  const [offer] = answer.kind === 'OFFERED' ? answer.offers : [];
  return offer ? { amount: offer.principal } : {};
}

/** An offer with the lender's own figures, which are computed again before anyone sees them. */
export interface LenderOffer {
  readonly reference: string;
  readonly principal: Paise;
  readonly minimumAmount: Paise;
  readonly annualRatePercent: number;
  readonly tenureMonths: number;
  readonly instalment: Paise;
  readonly apr: number;
  /** What reaches the borrower: of an instant loan, whose charges are paid up front, the principal. */
  readonly netDisbursed: Paise;
  readonly fees: readonly FeeCharge[];
  /** ISO 8601: so long the lender stands by it. */
  readonly validUntil: string;
  readonly collateralExplanation: string | null;
  /** What it says in other languages than English, by the English text. */
  readonly texts?: OwnTexts;
  /** The most that the lender would lend on these terms. */
  readonly maximumAmount?: Paise;
  /** These three, when left out: as the lender's configured terms say. */
  readonly contingentCharges?: readonly OfferedCharge[];
  readonly coolingOffDays?: number;
  readonly branches?: readonly OfferedBranch[];
  readonly coLender?: CoLender;
  readonly goldValuation?: GoldValuation;
}

/** A charge, and what it comes to for an unpaid instalment, where the lender states that. */
export interface OfferedCharge extends ContingentCharge {
  readonly ifUnpaid?: Omit<UnpaidCharge, 'name'>;
}

/** A branch under the lender's own reference. */
export type OfferedBranch = Omit<LenderBranch, 'id' | 'reference'> & { readonly reference: string };

/** Who lends beside the lender. */
export interface CoLender {
  readonly name: string;
  /** Of the principal, in percent. */
  readonly sharePercent: number;
}

/** What gold is good for; decimals as the lender has told them. */
export interface GoldValuation {
  readonly value: Paise;
  readonly purityKarat: string;
  readonly netWeightGrams: string;
  readonly pricePerGram: Paise;
  readonly ltvPercent: string;
}

/** What the questions that are put while somebody waits for the answer have in common. */
interface DirectRequest {
  /** The question's id: the same however often it is put, and no other question's. */
  readonly idempotencyKey: string;
  readonly names?: CallNames;
  readonly lender: Lender;
  readonly subjectId: string;
  /** Of a question that binds the lender. */
  readonly sent?: SentBody;
}

export interface QuoteRequest extends DirectRequest {
  readonly offerReference: string;
  readonly principal: Paise;
  readonly payload: QuestionPayload;
}

export interface SelectRequest extends DirectRequest {
  readonly offerReference: string;
  /** The amount that was chosen. */
  readonly loanAmount: Paise;
  /** SHA-256 (hex) of the Key Facts Statement that stands for the choice. */
  readonly keyFactsHash: string;
  /** Its `acknowledgement` and `branchReference` are those of the choice, where there are any. */
  readonly payload: QuestionPayload;
}

export const GONE_REASONS = ['EXPIRED', 'AMOUNT_OUT_OF_RANGE', 'WITHDRAWN', 'OTHER'] as const;

/** Why a lender does not take a choice. */
export type GoneReason = (typeof GONE_REASONS)[number];

export type SelectionVerdict =
  | {
      readonly kind: 'ACCEPTED';
      /** The lender's own; later questions carry it. */
      readonly applicationReference: string;
      /** The lender's compact JWS over the statement's hash, if it signs. */
      readonly keyFactsSignature?: string;
    }
  | { readonly kind: 'GONE'; readonly reason: GoneReason };

export interface AccountRequest extends DirectRequest {
  readonly account: BankAccount;
  readonly payload: QuestionPayload;
}

export type AccountVerdict =
  | { readonly kind: 'ACCEPTED' }
  | { readonly kind: 'REFUSED'; readonly reason: string }
  | { readonly kind: 'REFUSED_FOR_GOOD'; readonly reason: string };

export interface SessionRequest extends DirectRequest {
  readonly step: RedirectStep;
  readonly partnerId: string;
  /** The redirect's id. */
  readonly reference: string;
  readonly payload: QuestionPayload;
  /** Where the provider sends the applicant afterwards. */
  readonly returnUrl: string;
}

/** On whose page a step is done, as the applicant reads it before they leave. */
export type ShownProvider = Readonly<Pick<StepProvider, 'name' | 'host'>>;

export type SessionVerdict =
  | {
      readonly kind: 'OPENED';
      readonly url: string;
      /** ISO 8601; left out for a session that can be used as long as the step is open. */
      readonly expiresAt?: string;
      /** The steps that this one visit can pass, the one that was asked for among them. */
      readonly covers: readonly RedirectStep[];
    }
  /** There is no loan: the same as a refusal of the step. */
  | ({ readonly kind: 'REFUSED'; readonly answerId: string } & Refusal);

/** The lender could not be reached, or did not answer in time: an unknown answer, not a "no". */
export class LenderUnavailable extends Error {
  /** How long the lender asks to be left alone, or is left alone by us. */
  readonly askAgainInMs?: number;
  /** Whether it has not answered for so long that it is left alone for a while. */
  isLeftAlone = false;
  /** Whether the question itself does not hold, so that it was not even put. */
  isOwnMistake = false;

  constructor(reason: string, options: ErrorOptions & { askAgainInMs?: number } = {}) {
    super(reason, { cause: options.cause });
    this.name = 'LenderUnavailable';
    this.askAgainInMs = options.askAgainInMs;
  }
}

/** The lender has the question, and does not know the answer yet. */
export class AnswerPending extends LenderUnavailable {
  constructor(askAgainInMs: number) {
    super('not known yet', { askAgainInMs });
    this.name = 'AnswerPending';
  }
}

/** A session at no host that the configuration names for the step. No applicant is sent there. */
export class SessionElsewhere extends LenderUnavailable {
  /** @param host null where none is named, or no host would do; of the address no path: it may hold a token */
  constructor(
    readonly origin: string,
    readonly host: string | null,
    reason = 'the session is not at the host of its provider',
  ) {
    super(reason);
    this.name = 'SessionElsewhere';
  }
}
