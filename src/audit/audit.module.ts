import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { AUDIT_SOURCES, type AuditSource } from './audit-source.js';
import { AuditFiles } from './file/audit-files.js';
import { AuditRoots, AuditTasks } from './roots/audit-roots.service.js';
import { AuditVerification } from './audit-verification.js';
import { CURRENT_RECORDS, type CurrentRecord } from './current-record.js';
import { RootVerification } from './roots/root-verification.js';
import { AuditChainsRepository } from './store/audit-chains.repository.js';
import { AuditRootsRepository } from './store/audit-roots.repository.js';

interface AuditBinding {
  readonly sources: readonly AuditSource[];
  readonly records: readonly CurrentRecord[];
  /** Exports an `AuditSigner`. */
  readonly signedBy: Type;
}

@Module({})
export class AuditModule {
  static of({ sources, records, signedBy }: AuditBinding): DynamicModule {
    const exported = [AuditVerification, AuditRoots, AuditFiles];
    return {
      module: AuditModule,
      imports: [signedBy],
      providers: [
        { provide: AUDIT_SOURCES, useValue: sources },
        { provide: CURRENT_RECORDS, useValue: records },
        ...exported,
        AuditChainsRepository,
        AuditRootsRepository,
        RootVerification,
        AuditTasks,
      ],
      exports: exported,
    };
  }
}
