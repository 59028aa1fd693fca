import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { SignatureFinding } from '../../auth/index.js';

const PRIMARY_KEY = 'partner_requests_pkey';

/** What the server signed where the given signature was another; kept in the sandbox alone. */
export interface KeptRefusal {
  /** What the given signature turned out to be. */
  readonly finding: SignatureFinding;
  /** What stands before the body in the signed string, with the path as the log keeps it. */
  readonly canonical: string;
  /** Of the timestamp, before the server’s time; negative: behind it. */
  readonly secondsAhead: number;
  /** Of the body as it was received. */
  readonly bodyBytes: number;
  /** Hex. */
  readonly bodySha256: string;
}

/**
 * A call of a partner. The table is partitioned by `at`, a table for each day in UTC
 * (`PARTNER_REQUEST_DAYS`), and holds no personal data.
 */
@Entity('partner_requests')
// TypeORM cannot say what a partitioned table has; the migration alone makes its indexes.
@Index('partner_requests_by_subject', { synchronize: false })
@Index('partner_requests_by_given_id', { synchronize: false })
@Index('partner_requests_by_code', { synchronize: false })
@Index('partner_requests_failed', { synchronize: false })
@Index('partner_requests_of_our_fault', { synchronize: false })
@Index('partner_requests_writes', { synchronize: false })
export class PartnerRequest {
  @PrimaryColumn('text', { name: 'partner_id', primaryKeyConstraintName: PRIMARY_KEY })
  readonly partnerId: string;

  /** When it arrived: the time in `id`, in whole milliseconds. */
  @PrimaryColumn('timestamptz', { primaryKeyConstraintName: PRIMARY_KEY })
  readonly at: Date;

  /** The UUIDv7 of the `req_` id that we gave it. */
  @PrimaryColumn('uuid', { primaryKeyConstraintName: PRIMARY_KEY })
  readonly id: string;

  /** The caller’s own `X-Request-Id`, which the answer carried then. */
  @Column('text', { name: 'given_id', nullable: true })
  readonly givenId: string | null;

  @Column('text', { name: 'key_id' })
  readonly keyId: string;

  @Column('text')
  readonly method: string;

  /** Below `/api/v1/partner`: `/journey/:journeyId/action`. */
  @Column('text')
  readonly route: string;

  /** As called, with its ids; what may be anything else is masked. */
  @Column('text')
  readonly path: string;

  /** The first id in the path, or what the call has made. */
  @Column('text', { name: 'subject_id', nullable: true })
  readonly subjectId: string | null;

  @Column('smallint')
  readonly status: number;

  /** Of a failure, as the envelope had it. */
  @Column('text', { nullable: true })
  readonly code: string | null;

  /** From the request’s arrival until its answer was sent. */
  @Column('integer', { name: 'duration_us' })
  readonly durationUs: number;

  /** Whether the signature was right and the nonce new; if not, the key is only the one that was named. */
  @Column('boolean', { name: 'is_authenticated' })
  readonly isAuthenticated: boolean;

  @Column('jsonb', { nullable: true })
  readonly refused: KeptRefusal | null;
}
