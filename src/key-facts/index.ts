export type { KeyFactsSection } from './forms/key-facts-document.js';
export { keyFactsDocument, KeyFactsDrafts } from './forms/key-facts-forms.js';
export { KeyFactsModule } from './key-facts.module.js';
export { KeyFactsPdfs } from './pdf/key-facts-pdfs.js';
export type { KeyFactsDraft } from './domain/key-facts-statement.js';
export { readIn } from './domain/key-facts-view.js';
export { collaborationOf } from './domain/key-facts-input.js';
export type { KeyFactsStatement } from './domain/key-facts-statement.js';
export type { KeyFactsView } from './domain/key-facts-view.js';
export {
  type Acknowledgement,
  type FrozenKeyFacts,
  type GivenAcknowledgement,
  type KeptKeyFacts,
  KEY_FACTS_ENTITIES,
  KEY_FACTS_SOURCE,
  KeyFactsRepository,
} from './store/key-facts.repository.js';
