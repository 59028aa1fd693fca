export { ApiDocument } from './api-document.js';
export { ApiDocumentModule } from './api-document.module.js';
export { apiDocument, describeCalls, type KnownWords } from './build-document.js';
