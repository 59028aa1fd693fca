export { LENDER_INBOX_SOURCE } from './store/lender-inbox.source.js';
export { FEWEST_COMPARED, hasAnyAnswered, silentLenders, whatIsDue } from './awaited-offers.js';
export { barePayload } from './bare-payload.js';
export { answerAmount } from './answer-amount.js';
export { figureRefused } from './figure-refused.js';
export { LenderGateway } from './lender-gateway.js';
export {
  LenderInbox,
  type ArrivedAnswer,
  type ClaimedAnswer,
  type KeptAnswer,
  type WaitingAnswer,
} from './lender-inbox.js';
export { AnswerPending } from './answer-pending.js';
export {
  type AccountRequest,
  type AccountVerdict,
  type CoLender,
  type GoldValuation,
  asksForOffers,
  GONE_REASONS,
  type GoneReason,
  INSTANT_QUESTION_KINDS,
  type InstantQuestionKind,
  JOURNEY_QUESTION_KINDS,
  type JourneyQuestionKind,
  type LenderAnswer,
  type LenderConnector,
  type LenderOffer,
  type LenderQuestion,
  type LenderReply,
  LenderUnavailable,
  type OfferedBranch,
  QUESTION_KINDS,
  type QuestionKind,
  type QuoteRequest,
  type Refusal,
  type SelectionVerdict,
  type SelectRequest,
  SessionElsewhere,
  type SessionRequest,
  type SessionVerdict,
  type ShownProvider,
  type StepEvidence,
} from './lender-port.js';
export type {
  Acknowledgement,
  BankAccount,
  FeePaid,
  LenderApplicant,
  LenderConsent,
  QuestionPayload,
  RefusedOffer,
  Withdrawal,
  WithdrawalReason,
} from './question-payload.js';
export {
  type ExaminedSubject,
  OfferExamination,
  type OfferedAnswer,
  type SoundOffer,
} from './offer-examination.js';
export type { OfferedCharge } from './offered-charge.js';
export { chargesOf, type OfferTerms } from './offer-terms.js';
export { refusalReference, revisionRefusalReference, VALID_LONG_ENOUGH } from './refused-offers.js';
export { isWellFormed } from './well-formed-offer.js';
export { type ConnectorBinding, LenderRecordsModule, LendersModule } from './lenders.module.js';
export { QuestionOutbox, type NewQuestion } from './question-outbox.js';
export { LenderPayouts } from './store/lender-payouts.js';
export { type LenderReference, LenderReferences } from './store/lender-references.js';
export type { CallNames } from './call-names.js';
export { type CallKind, questionId } from './question-id.js';
export { SentBody } from './sent-body.js';
export {
  type Differences,
  LenderStatementsRepository,
  type StatementLine,
  type StatementSums,
} from './store/lender-statements.repository.js';
export { LENDER_ENTITIES } from './store/lender-entities.js';
export type { QuestionState } from './store/lender-questions.repository.js';
export { REVISED_OFFER } from './revised-offer.js';
