import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import type { SmsToSend } from '../../messaging/index.js';
import { Columns, Database, Keyring, type Tx } from '../../platform/index.js';
import { SandboxSms } from './sandbox.entity.js';

const PURPOSE = 'sandbox_sms.content';
export const MAX_KEPT = 1_000;
const MOBILE_DIGITS = 10;
const columns = new Columns(SandboxSms);

export interface InboxMessage extends Pick<SandboxSms, 'id' | 'kind' | 'language' | 'receivedAt'> {
  readonly mobile: string;
  readonly text: string;
}

/** No message leaves the service. */
@Injectable()
export class SmsInbox {
  static readonly PERSONAL_COLUMNS = columns.qualified(['contentSealed', 'mobileHash']);

  constructor(
    private readonly database: Database,
    private readonly keyring: Keyring,
  ) {}

  /** Stores a message once, and deletes the oldest above `MAX_KEPT`. */
  async take({ mobile, text, ...sms }: SmsToSend): Promise<void> {
    await this.database.query(
      `INSERT INTO sandbox_sms (${columns.list(INSERTED)}, received_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, app_now()) ON CONFLICT (id) DO NOTHING`,
      [
        sms.id,
        sms.partnerId,
        sms.subjectId,
        sms.kind,
        sms.language,
        this.keyring.lookupHash(mobile, PURPOSE),
        this.keyring.seal(JSON.stringify({ mobile, text }), PURPOSE),
      ],
    );
    await this.database.query(REMOVE_OLDEST, [MAX_KEPT]);
  }

  /**
   * Newest first.
   * @param mobile with or without a country code; null: all
   */
  async newest(mobile: string | null, most: number): Promise<InboxMessage[]> {
    const rows = await this.database.with(SandboxSms, (messages) =>
      messages.find({
        where: mobile === null ? {} : { mobileHash: In(this.hashes(mobile)) },
        order: { receivedAt: 'DESC', id: 'DESC' },
        take: most,
      }),
    );
    return rows.map(({ id, kind, language, contentSealed, receivedAt }) => {
      const content = JSON.parse(this.keyring.open(contentSealed, PURPOSE)) as {
        mobile: string;
        text: string;
      };
      return { id, kind, language, ...content, receivedAt };
    });
  }

  async erase(tx: Tx, partnerId: string, subjectId: string): Promise<number> {
    const { affected } = await tx.repository(SandboxSms).delete({ partnerId, subjectId });
    return affected ?? 0;
  }

  private hashes(mobile: string): string[] {
    const digits = mobile.replaceAll(/\D/g, '').slice(-MOBILE_DIGITS);
    return this.keyring.lookupHashes(digits, PURPOSE);
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

// Skips rows that another replica is deleting, so that replicas do not block each other.
const REMOVE_OLDEST = `
  DELETE FROM sandbox_sms WHERE id IN (
    SELECT id FROM sandbox_sms
    WHERE (received_at, id) <= (
      SELECT received_at, id FROM sandbox_sms ORDER BY received_at DESC, id DESC OFFSET $1 LIMIT 1)
    FOR UPDATE SKIP LOCKED)
`;
