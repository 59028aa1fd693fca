export type { KeyFactsSection } from './forms/key-facts-document.js';
export { keyFactsDocument } from './forms/key-facts-forms.js';
export { KeyFactsModule } from './key-facts.module.js';
export { KeyFactsPdfs } from './pdf/key-facts-pdfs.js';
export { type KeyFactsDraft, KeyFactsDrafts } from './statement/key-facts-drafts.js';
export { readIn } from './statement/key-facts-view.js';
export { collaborationOf } from './statement/key-facts-input.js';
export type { KeyFactsStatement } from './statement/key-facts-statement.js';
export type { KeyFactsView } from './statement/key-facts-view.js';
export { KEY_FACTS_SOURCE } from './store/key-facts-statement.source.js';
export {
  type Acknowledgement,
  type FrozenKeyFacts,
  type GivenAcknowledgement,
  type KeptKeyFacts,
  KeyFactsRepository,
} from './store/key-facts.repository.js';
export { KEY_FACTS_ENTITIES } from './store/key-facts-entities.js';
