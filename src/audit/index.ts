export { AuditModule } from './audit.module.js';
export {
  auditSource,
  type AuditSource,
  sealedHash,
  type RecordedRow,
  recordedJson,
} from './audit-source.js';
export { type CurrentRecord, detailOf, textOf } from './current-record.js';
export { type AuditKey, AuditSigner, type SignedKind } from './signed-statement.js';
export { AuditVerification, type VerifiedAudit } from './audit-verification.js';
export type { RecordedEntry } from './audit-chain.js';
export { type AuditFile, auditFileText, type Exhibit } from './file/audit-file.js';
export { AuditFiles } from './file/audit-files.js';
export {
  checkAuditFile,
  type CheckedFile,
  faultText,
  readAuditFile,
} from './file/check-audit-file.js';
export type { FromElsewhere } from './roots/root-verification.js';
export { AuditRoots } from './roots/audit-roots.service.js';
export { AUDIT_ENTITIES, hasChain } from './store/audit-chains.repository.js';
