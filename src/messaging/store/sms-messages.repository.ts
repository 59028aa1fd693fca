import { Injectable } from '@nestjs/common';
import {
  appNow,
  Columns,
  Database,
  dueRows,
  IdGenerator,
  Keyring,
  type Tx,
} from '../../platform/index.js';
import { SmsMessage, type SmsStatus } from './sms-message.entity.js';

const columns = new Columns(SmsMessage);

const PURPOSE = 'sms_messages.content';
// Longer than any attempt, so that only a dead holder loses its lease.
const LEASE_SECONDS = 20;
/** Longer than disputes and gateway bills take. */
const DAYS_KEPT = 180;
const HELD_BACK = 'the mobile’s daily limit of texts is reached';
/** Time for the caller to send the message before the background job may. */
export const HEAD_START_MS = 3_000;

interface SealedContent {
  readonly mobile: string;
  readonly pan: string;
  readonly values: Readonly<Record<string, string>>;
}

type SmsFacts = Pick<SmsMessage, 'partnerId' | 'subjectId' | 'kind' | 'language'>;

/** Valid until another process raises the token. `attempts` includes this one, `unknowns` those of lost holders. */
export interface SmsClaim
  extends SmsFacts, Pick<SmsMessage, 'id' | 'leaseToken' | 'attempts' | 'unknowns'> {
  readonly contentSealed: string;
  readonly validForSeconds: number;
}

const WAITING_SMS = { table: 'sms_messages', where: "status = 'WAITING'", isLeased: true };

@Injectable()
export class SmsMessagesRepository {
  static readonly PERSONAL_COLUMNS = columns.qualified(['contentSealed']);

  static readonly DUE = dueRows({ ...WAITING_SMS, at: 'next_attempt_at' });
  static readonly EXPIRED = dueRows({ ...WAITING_SMS, at: 'expires_at' });

  constructor(
    private readonly database: Database,
    private readonly ids: IdGenerator,
    private readonly keyring: Keyring,
  ) {}

  async insert(
    tx: Tx,
    sms: SmsFacts & { content: SealedContent; validForSeconds: number },
  ): Promise<string> {
    const id = this.ids.next('sms');
    await tx.execute(INSERT, [
      id,
      sms.partnerId,
      sms.subjectId,
      sms.kind,
      sms.language,
      this.keyring.seal(JSON.stringify(sms.content), PURPOSE),
      HEAD_START_MS,
      sms.validForSeconds,
    ]);
    return id;
  }

  async insertHeldBack(tx: Tx, sms: SmsFacts): Promise<string> {
    const id = this.ids.next('sms');
    await tx.repository(SmsMessage).insert({
      ...sms,
      id,
      status: 'REFUSED',
      lastFailure: HELD_BACK,
      nextAttemptAt: appNow,
      expiresAt: appNow,
      createdAt: appNow,
      finishedAt: appNow,
    });
    return id;
  }

  /** @throws Error when the key is not in the ring */
  open(claim: SmsClaim): SealedContent {
    return JSON.parse(this.keyring.open(claim.contentSealed, PURPOSE)) as SealedContent;
  }

  claimDue(most: number): Promise<SmsClaim[]> {
    return this.database.query(
      `${CLAIM} WHERE id IN (
         SELECT id FROM sms_messages
         WHERE status = 'WAITING' AND next_attempt_at <= app_now() AND expires_at > app_now()
           AND (lease_until IS NULL OR lease_until < app_now())
         ORDER BY next_attempt_at LIMIT $2 FOR UPDATE SKIP LOCKED) ${CLAIMED}`,
      [LEASE_SECONDS, most],
    );
  }

  claimOne(id: string): Promise<SmsClaim | null> {
    return this.database.first(
      `${CLAIM} WHERE id = $2 AND status = 'WAITING' AND expires_at > app_now()
         AND (lease_until IS NULL OR lease_until < app_now()) ${CLAIMED}`,
      [LEASE_SECONDS, id],
    );
  }

  /** @returns false when the claim was lost */
  async recordHandedOver(
    claim: SmsClaim,
    gateway: string,
    gatewayMessageId: string | null,
  ): Promise<boolean> {
    const { affected } = await this.database.with(SmsMessage, (messages) =>
      messages.update(
        { id: claim.id, leaseToken: claim.leaseToken, status: 'WAITING' },
        {
          ...ENDED,
          status: 'HANDED_OVER',
          gateway,
          // PostgreSQL stores no NUL, and an accepted message must not be sent again because of its id.
          gatewayMessageId: gatewayMessageId?.replaceAll('\0', '') ?? null,
        },
      ),
    );
    return affected === 1;
  }

  /** @returns false when the claim was lost */
  async recordEnd(
    tx: Tx,
    claim: SmsClaim,
    status: Extract<SmsStatus, 'REFUSED' | 'GIVEN_UP'>,
    failure: string,
  ): Promise<boolean> {
    return (
      (await tx.update(
        SmsMessage,
        { id: claim.id, leaseToken: claim.leaseToken, status: 'WAITING' },
        { ...ENDED, status, lastFailure: failure },
      )) === 1
    );
  }

  async postpone(
    claim: SmsClaim,
    { failure, waitMs, isUnknown }: { failure: string; waitMs: number; isUnknown: boolean },
  ): Promise<void> {
    await this.database.query(
      `UPDATE sms_messages SET lease_until = NULL, last_failure = $3,
         unknowns = unknowns + $5, next_attempt_at = app_now() + $4 * interval '1 millisecond'
       WHERE id = $1 AND lease_token = $2 AND status = 'WAITING'`,
      [claim.id, claim.leaseToken, failure, waitMs, isUnknown ? 1 : 0],
    );
  }

  /**
   * Leaves messages in progress to their sender.
   * @returns at most `most`
   */
  async expire(most: number): Promise<number> {
    const expired = await this.database.query(
      `UPDATE sms_messages SET status = 'EXPIRED', content_sealed = NULL, lease_until = NULL,
         finished_at = app_now()
       WHERE id IN (
         SELECT id FROM sms_messages
         WHERE status = 'WAITING' AND expires_at <= app_now()
           AND (lease_until IS NULL OR lease_until < app_now())
         ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED)
       RETURNING id`,
      [most],
    );
    return expired.length;
  }

  /** Without the partner: the id comes only from `insert`. */
  async isHandedOver(tx: Tx, id: string): Promise<boolean> {
    return tx.repository(SmsMessage).existsBy({ id, status: 'HANDED_OVER' });
  }

  cancel(tx: Tx, partnerId: string, subjectId: string): Promise<number> {
    return tx.update(
      SmsMessage,
      { partnerId, subjectId, status: 'WAITING' },
      { ...ENDED, status: 'CANCELLED' },
    );
  }

  /**
   * The ids come only from `insert`.
   * @returns those that no gateway can have accepted
   */
  async withdraw(tx: Tx, ids: readonly string[]): Promise<string[]> {
    const ended = await tx.query<Pick<SmsMessage, 'id' | 'unknowns'>>(WITHDRAW, [ids]);
    return ended.filter(({ unknowns }) => unknowns === 0).map(({ id }) => id);
  }

  /**
   * @param after the previous chunk's end; empty for the first
   * @returns this chunk's end; null after the last
   */
  async removeFinished(most: number, after: string): Promise<string | null> {
    const [row] = await this.database.query<{ last: string | null; looked: number }>(
      REMOVE_FINISHED,
      [most, DAYS_KEPT, after],
    );
    return row.looked < most ? null : row.last;
  }

  async oldestWaitingSeconds(): Promise<number> {
    return (
      (await this.database.value<number>(
        `SELECT coalesce(extract(epoch FROM app_now() - min(created_at)), 0)::float8 AS seconds
       FROM sms_messages WHERE status = 'WAITING'`,
      )) ?? 0
    );
  }
}

const ENDED = { contentSealed: null, leaseUntil: null, finishedAt: appNow };

const INSERT = `
  INSERT INTO sms_messages (id, partner_id, subject_id, kind, language, content_sealed,
    next_attempt_at, expires_at, created_at)
  SELECT $1, $2, $3, $4, $5, $6, now.at + $7 * interval '1 millisecond',
    now.at + $8 * interval '1 second', now.at
  FROM (SELECT app_now() AS at) AS now
`;

// 1 if the last attempt has recorded no outcome: the SMS may have been sent.
const IF_LEASED = '(lease_until IS NOT NULL)::int';

// `status = 'WAITING'` is implied: with it PostgreSQL might scan that whole index.
const WITHDRAW = `
  UPDATE sms_messages SET status = 'CANCELLED', unknowns = unknowns + ${IF_LEASED},
    content_sealed = NULL, lease_until = NULL, finished_at = app_now()
  WHERE id = ANY ($1) AND content_sealed IS NOT NULL RETURNING id, unknowns
`;

const CLAIM = `
  UPDATE sms_messages SET attempts = attempts + 1, unknowns = unknowns + ${IF_LEASED},
    lease_token = lease_token + 1, lease_until = lease.until, next_attempt_at = lease.until
  FROM (SELECT app_now() + $1 * interval '1 second' AS until) AS lease
`;

const CLAIM_COLUMNS = columns.selected([
  'id',
  'partnerId',
  'subjectId',
  'kind',
  'language',
  'contentSealed',
  'attempts',
  'unknowns',
  'leaseToken',
]);

const CLAIMED = `
  RETURNING ${CLAIM_COLUMNS},
    greatest(1, floor(extract(epoch FROM expires_at - app_now())))::int AS "validForSeconds"
`;

// UUIDv7 ids begin with milliseconds, so newer rows are not read.
const REMOVE_FINISHED = `
  WITH time AS MATERIALIZED (SELECT app_now() - $2 * interval '1 day' AS until),
  looked AS MATERIALIZED (
    SELECT id, finished_at < time.until AS is_old FROM sms_messages, time
    WHERE id > $3 AND id < 'sms_' || lpad(to_hex(
      (extract(epoch FROM time.until) * 1000)::bigint), 12, '0')
    ORDER BY id LIMIT $1
  ),
  removed AS (
    DELETE FROM sms_messages WHERE id = ANY (ARRAY(
      SELECT sms.id FROM sms_messages AS sms JOIN looked ON looked.id = sms.id AND looked.is_old
      ORDER BY sms.id FOR UPDATE OF sms SKIP LOCKED))
  )
  SELECT max(id) AS last, count(*)::int AS looked FROM looked
`;

export const MESSAGING_ENTITIES = [SmsMessage];
