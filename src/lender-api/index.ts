/** The lender protocol (RLP/1) and its document. */
export { CALLBACKS, type CallbackOf } from './protocol/callbacks.js';
export {
  QUESTIONS,
  type PostedQuestionName,
  type QuestionName,
  type RequestOf,
} from './protocol/questions.js';
export {
  AnswerSignature,
  ErrorBody,
  Pending,
  PROTOCOL,
  Receipt,
  RequestSignature,
} from './protocol/transport.js';
export { Offer } from './protocol/offer.js';
export { lenderDocument } from './document/lender-document.js';
export {
  signAnswer,
  type SignedRequest,
  signRequest,
  verifyAnswer,
  verifyRequest,
} from './signing/message-signatures.js';
export {
  type FindKey,
  type PublicJwk,
  publicJwkProblems,
  type SigningAlgorithm,
  type SigningKey,
  type VerificationKey,
  verificationKey,
} from './protocol-keys.js';
export { publicJwkOf, signingKey } from './protocol-keys.js';
export { LenderLanes } from './client/lender-lanes.js';
export { LenderClient } from './client/lender-client.js';
export { LenderPing } from './client/lender-ping.js';
export { SignatureAlarm } from './client/signature-alarm.js';
export { RlpConnector } from './connector/rlp-connector.js';
export { LenderKeys } from './keys/lender-keys.js';
export {
  KeyChangeRefused,
  type ListedKey,
  OwnKeyAdministration,
} from './keys/own-key-administration.js';
export { OwnKeys } from './keys/own-keys.js';
export { LenderApiModule, LenderClientModule, LenderMessagesModule } from './lender-api.module.js';
export {
  LENDER_API_ENTITIES,
  LENDER_API_KEPT,
  LENDER_MESSAGE_SOURCE,
  LenderMessagesRepository,
} from './store/lender-messages.repository.js';
export { sealedLenderApiKeys } from './store/lender-api-keys.repository.js';
