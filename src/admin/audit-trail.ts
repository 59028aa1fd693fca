import type { DynamicModule } from '@nestjs/common';
import type { AuditSource, CurrentRecord } from '../audit/index.js';

/** The audit trail: which tables are in it, and the module that reads and signs it. */
export interface AuditTrail {
  readonly sources: readonly AuditSource[];
  readonly records: readonly CurrentRecord[];
  readonly module: DynamicModule;
}
