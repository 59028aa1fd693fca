export { ApiDocument } from './api-document.js';
export { ApiDocumentModule } from './api-document.module.js';
export { apiDocument, describeCalls } from './build-document.js';
