import { FrozenPdf } from './frozen-pdf.entity.js';
import { KeyFactsStatementRow } from './key-facts-statement.entity.js';

export const KEY_FACTS_ENTITIES = [KeyFactsStatementRow, FrozenPdf];
