export { LenderGateway } from './lender-gateway.js';
export {
  LenderInbox,
  type ArrivedAnswer,
  type ClaimedAnswer,
  type WaitingAnswer,
} from './lender-inbox.js';
export {
  type AccountRequest,
  type AccountVerdict,
  type BankAccount,
  type FeePaid,
  JOURNEY_QUESTION_KINDS,
  type JourneyQuestionKind,
  type LenderAnswer,
  type LenderApplicant,
  type LenderConnector,
  type LenderOffer,
  type LenderQuestion,
  type LenderReply,
  LenderUnavailable,
  type QuestionKind,
  type QuestionPayload,
  type QuoteRequest,
  type SessionRequest,
} from './lender-port.js';
export { type ConnectorBinding, LenderRecordsModule, LendersModule } from './lenders.module.js';
export { QuestionOutbox, type NewQuestion } from './question-outbox.js';
export { LENDER_ENTITIES } from './store/lender-entities.js';
export type { QuestionState } from './store/lender-questions.repository.js';
