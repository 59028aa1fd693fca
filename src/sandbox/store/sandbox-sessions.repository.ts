import { Injectable } from '@nestjs/common';
import { Columns, Database, type Tx } from '../../platform/index.js';
import { SandboxSessionRow } from './sandbox-session.entity.js';

const columns = new Columns(SandboxSessionRow);

/** The visits to the simulated providers. */
@Injectable()
export class SandboxSessionsRepository {
  /** What `erase` takes away. */
  static readonly PERSONAL_COLUMNS = columns.qualified(['panSealed']);

  constructor(private readonly database: Database) {}

  /** The same visit again changes nothing. */
  async insertOnce(
    tx: Tx,
    session: Omit<SandboxSessionRow, 'decision' | 'decidedAt' | 'createdAt'>,
  ): Promise<void> {
    await tx.insertOnce(SandboxSessionRow, session);
  }

  async lock(tx: Tx, reference: string): Promise<SandboxSessionRow | null> {
    return tx
      .repository(SandboxSessionRow)
      .findOne({ where: { reference }, lock: { mode: 'pessimistic_write' } });
  }

  async find(reference: string): Promise<SandboxSessionRow | null> {
    return this.database.with(SandboxSessionRow, (sessions) => sessions.findOneBy({ reference }));
  }

  async decide(tx: Tx, reference: string, decision: SandboxSessionRow['decision']): Promise<void> {
    const decidedAt = () => 'app_now()';
    await tx.repository(SandboxSessionRow).update({ reference }, { decision, decidedAt });
  }

  async erase(tx: Tx, partnerId: string, subjectId: string): Promise<number> {
    const { affected } = await tx.repository(SandboxSessionRow).delete({ partnerId, subjectId });
    return affected ?? 0;
  }
}
