import type { DynamicModule } from '@nestjs/common';
import type { AuditSource } from '../audit/index.js';

/** The audit trail: which tables are in it, and the module that reads and signs it. */
export interface AuditTrail {
  readonly sources: readonly AuditSource[];
  readonly module: DynamicModule;
}
