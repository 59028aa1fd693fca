/** The face of this folder: everything that other modules may import. */
export { keyFactsDocument } from './forms/key-facts-forms.js';
export { KeyFactsModule } from './key-facts.module.js';
export { KeyFactsPdfs } from './pdf/key-facts-pdfs.js';
export { CURRENT_FORM_VERSION } from './forms/key-facts-forms.js';
export { canonicalJson } from './statement/canonical-json.js';
export { keyFactsStatement, type KeyFactsStatement } from './statement/key-facts-statement.js';
export type { KeyFactsView } from './statement/key-facts-view.js';
export { KEY_FACTS_ENTITIES } from './store/key-facts-entities.js';
export { type FrozenKeyFacts, KeyFactsRepository } from './store/key-facts.repository.js';
