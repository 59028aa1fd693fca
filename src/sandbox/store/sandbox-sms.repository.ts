import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { Columns, Database, type Tx } from '../../platform/index.js';
import { SandboxSms } from './sandbox-sms.entity.js';

const columns = new Columns(SandboxSms);

export type NewSandboxSms = Omit<SandboxSms, 'receivedAt'>;

/** The messages that the simulated gateway took. */
@Injectable()
export class SandboxSmsRepository {
  /** What `erase` takes away. */
  static readonly PERSONAL_COLUMNS = columns.qualified(['contentSealed', 'mobileHash']);

  constructor(private readonly database: Database) {}

  /** Keeps a message, once. */
  async insertOnce(sms: NewSandboxSms): Promise<void> {
    await this.database.query(
      `INSERT INTO sandbox_sms (${columns.list(INSERTED)}, received_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, app_now()) ON CONFLICT (id) DO NOTHING`,
      INSERTED.map((property) => sms[property]),
    );
  }

  async removeOldest(kept: number): Promise<void> {
    await this.database.query(REMOVE_OLDEST, [kept]);
  }

  /** The newest, newest first. @param mobileHashes of one mobile; null: of all */
  newest(mobileHashes: readonly string[] | null, most: number): Promise<SandboxSms[]> {
    return this.database.with(SandboxSms, (messages) =>
      messages.find({
        where: mobileHashes === null ? {} : { mobileHash: In(mobileHashes) },
        order: { receivedAt: 'DESC', id: 'DESC' },
        take: most,
      }),
    );
  }

  async erase(tx: Tx, partnerId: string, subjectId: string): Promise<number> {
    const { affected } = await tx.repository(SandboxSms).delete({ partnerId, subjectId });
    return affected ?? 0;
  }
}

const INSERTED = [
  'id',
  'partnerId',
  'subjectId',
  'kind',
  'language',
  'mobileHash',
  'contentSealed',
] as const;

// What another replica is just removing is passed over: two would wait for each other.
const REMOVE_OLDEST = `
  DELETE FROM sandbox_sms WHERE id IN (
    SELECT id FROM sandbox_sms
    WHERE (received_at, id) <= (
      SELECT received_at, id FROM sandbox_sms ORDER BY received_at DESC, id DESC OFFSET $1 LIMIT 1)
    FOR UPDATE SKIP LOCKED)
`;
