export { LENDER_INBOX_SOURCE } from './store/lender-inbox.repository.js';
export { FEWEST_COMPARED, hasAnyAnswered, silentLenders, whatIsDue } from './awaited-offers.js';
export {
  AnswerPending,
  LENDER_CALL_MS,
  LenderGateway,
  LenderUnavailable,
  SessionElsewhere,
} from './lender-gateway.js';
export {
  LenderInbox,
  type ArrivedAnswer,
  type ClaimedAnswer,
  type KeptAnswer,
  type WaitingAnswer,
} from './lender-inbox.js';
export {
  type AccountRequest,
  type AccountVerdict,
  answerAmount,
  type CallKind,
  type CallNames,
  type CoLender,
  type Eligibility,
  ELIGIBILITY_REASONS,
  ELIGIBILITY_VERDICTS,
  type EligibilityQuestion,
  type EligibilityRequest,
  type GoldValuation,
  type GoneReason,
  type LenderAnswer,
  type LenderConnector,
  type LenderOffer,
  type LenderQuestion,
  type LenderReply,
  type OfferedCharge,
  QUESTION_KINDS,
  questionId,
  type QuestionKind,
  type QuoteRequest,
  type Refusal,
  REVISED_OFFER,
  type SelectionVerdict,
  type SelectRequest,
  type SessionRequest,
  type SessionVerdict,
  type ShownProvider,
  type StepEvidence,
} from './lender-port.js';
export {
  type Acknowledgement,
  type BankAccount,
  barePayload,
  type FeePaid,
  known,
  type LenderApplicant,
  type LenderConsent,
  type QuestionPayload,
  type RefusedOffer,
  SentBody,
  type WithdrawalReason,
} from './question-payload.js';
export {
  isWellFormed,
  type OfferedAnswer,
  OfferExamination,
  type SoundOffer,
} from './offer-examination.js';
export { chargesOf, type OfferTerms } from './offer-terms.js';
export {
  figureRefused,
  refusalReference,
  revisionRefusalReference,
  VALID_LONG_ENOUGH,
} from './refused-offers.js';
export { type ConnectorBinding, LenderRecordsModule, LendersModule } from './lenders.module.js';
export { type NewQuestion, QuestionOutbox, type QuestionState } from './store/question-outbox.js';
export {
  LENDER_ENTITIES,
  type LenderReference,
  LenderReferences,
} from './store/lender-references.js';
export {
  LenderPayouts,
  LenderStatementsRepository,
  type StatementLine,
} from './store/lender-statements.repository.js';
