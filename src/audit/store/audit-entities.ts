import { AuditEntryRow } from './audit-entry.entity.js';
import { AuditLeaf } from './audit-leaf.entity.js';
import { AuditRoot } from './audit-root.entity.js';

export const AUDIT_ENTITIES = [AuditEntryRow, AuditRoot, AuditLeaf];
