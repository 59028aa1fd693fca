import { Injectable } from '@nestjs/common';
import type { SmsToSend } from '../messaging/index.js';
import { Database, Keyring, type Language } from '../platform/index.js';
import type { SmsKind } from '../settings/index.js';

const PURPOSE = 'sandbox_sms.content';
/** Older ones go as new ones come. */
export const MOST_KEPT = 1_000;
const MOBILE_DIGITS = 10;

/** A text message as the applicant's telephone would show it. */
export interface InboxMessage {
  readonly id: string;
  readonly kind: SmsKind;
  readonly language: Language;
  readonly mobile: string;
  readonly text: string;
  readonly receivedAt: Date;
}

interface Row {
  [column: string]: unknown;
  id: string;
  kind: SmsKind;
  language: Language;
  content_sealed: string;
  received_at: Date;
}

/** The messages that the simulated gateway took: nothing of them leaves the service. */
@Injectable()
export class SmsInbox {
  constructor(
    private readonly database: Database,
    private readonly keyring: Keyring,
  ) {}

  /** Takes a message, once. */
  async take(sms: SmsToSend): Promise<void> {
    const { id, partnerId, subjectId, kind, language, mobile, text } = sms;
    await this.database.query(
      `INSERT INTO sandbox_sms (id, partner_id, subject_id, kind, language, mobile_hash,
         content_sealed, received_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, app_now()) ON CONFLICT (id) DO NOTHING`,
      [
        id,
        partnerId,
        subjectId,
        kind,
        language,
        this.keyring.lookupHash(mobile, PURPOSE),
        this.keyring.seal(JSON.stringify({ mobile, text }), PURPOSE),
      ],
    );
    await this.database.query(REMOVE_OLDEST, [MOST_KEPT]);
  }

  /**
   * The newest messages, newest first.
   * @param mobile to this number alone, with or without a country code; null: to all
   */
  async newest(mobile: string | null, most: number): Promise<InboxMessage[]> {
    const rows = await this.database.query<Row>(
      `SELECT id, kind, language, content_sealed, received_at FROM sandbox_sms
       WHERE $1::text[] IS NULL OR mobile_hash = ANY ($1)
       ORDER BY received_at DESC, id DESC LIMIT $2`,
      [mobile === null ? null : this.hashes(mobile), most],
    );
    return rows.map((row) => this.toMessage(row));
  }

  private hashes(mobile: string): string[] {
    const digits = mobile.replaceAll(/\D/g, '').slice(-MOBILE_DIGITS);
    return this.keyring.lookupHashes(digits, PURPOSE);
  }

  private toMessage(row: Row): InboxMessage {
    const { id, kind, language, received_at: receivedAt } = row;
    const { mobile, text } = JSON.parse(this.keyring.open(row.content_sealed, PURPOSE)) as {
      mobile: string;
      text: string;
    };
    return { id, kind, language, mobile, text, receivedAt };
  }
}

// What another replica is just removing is passed over: two would wait for each other.
const REMOVE_OLDEST = `
  DELETE FROM sandbox_sms WHERE id IN (
    SELECT id FROM sandbox_sms
    WHERE (received_at, id) <= (
      SELECT received_at, id FROM sandbox_sms ORDER BY received_at DESC, id DESC OFFSET $1 LIMIT 1)
    FOR UPDATE SKIP LOCKED)
`;
