export { figureRefused } from './figure-refused.js';
export { LenderGateway } from './lender-gateway.js';
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
  type Acknowledgement,
  type BankAccount,
  type CoLender,
  type FeePaid,
  type GoldValuation,
  GONE_REASONS,
  type GoneReason,
  JOURNEY_QUESTION_KINDS,
  type JourneyQuestionKind,
  type LenderAnswer,
  type LenderApplicant,
  type LenderConnector,
  type LenderConsent,
  type LenderOffer,
  type LenderQuestion,
  type LenderReply,
  LenderUnavailable,
  type OfferedBranch,
  QUESTION_KINDS,
  type QuestionKind,
  type QuestionPayload,
  type QuoteRequest,
  type RefusedOffer,
  type Refusal,
  type SelectionVerdict,
  type SelectRequest,
  type SessionRequest,
  type SessionVerdict,
  type StepEvidence,
  type Withdrawal,
  type WithdrawalReason,
} from './lender-port.js';
export { type ConnectorBinding, LenderRecordsModule, LendersModule } from './lenders.module.js';
export { QuestionOutbox, type NewQuestion } from './question-outbox.js';
export { LenderPayouts } from './store/lender-payouts.js';
export { type LenderReference, LenderReferences } from './store/lender-references.js';
export { SentBody } from './sent-body.js';
export {
  type Differences,
  LenderStatementsRepository,
  type StatementLine,
  type StatementSums,
} from './store/lender-statements.repository.js';
export { LENDER_ENTITIES } from './store/lender-entities.js';
export type { QuestionState } from './store/lender-questions.repository.js';
