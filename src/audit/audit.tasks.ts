import { Injectable } from '@nestjs/common';
import { NO_PARTNER, OperatorFlags } from '../operator-flags/index.js';
import { Database, ScheduledTask, type Tx } from '../platform/index.js';
import { AuditRoots } from './roots/audit-roots.service.js';

const ROOT_EVERY_MS = 10 * 60_000;
const NOT_CLOSED = { subjectId: 'audit', kind: 'AUDIT_NOT_CLOSED' } as const;

@Injectable()
export class AuditTasks {
  constructor(
    private readonly database: Database,
    private readonly roots: AuditRoots,
    private readonly flags: OperatorFlags,
  ) {}

  @ScheduledTask('audit-root', ROOT_EVERY_MS)
  async closeDay(): Promise<void> {
    try {
      while (await this.roots.closeDay());
      await this.database.transaction(async (tx) => {
        // Another replica may be signing, and may fail.
        if ((await this.roots.lateDay(tx)) === null) await this.flags.resolve(tx, NOT_CLOSED, {});
      });
    } catch (error) {
      await this.database.transaction((tx) => this.flag(tx));
      throw error;
    }
  }

  private async flag(tx: Tx): Promise<void> {
    const day = await this.roots.lateDay(tx);
    if (day === null) return;
    await this.flags.raise(tx, {
      ...NOT_CLOSED,
      partnerId: NO_PARTNER,
      cause: [],
      detail: { day },
    });
  }
}
