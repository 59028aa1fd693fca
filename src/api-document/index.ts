export { ApiDocument } from './api-document.js';
export { ApiDocumentModule } from './api-document.module.js';
export { apiDocument, describeCalls } from './build-document.js';
export type { KnownWords } from './known-words.js';
