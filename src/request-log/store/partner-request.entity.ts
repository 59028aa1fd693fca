import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import {
  IntegerColumn,
  NullableColumn,
  NullableTextColumn,
  NullableTimeColumn,
  TextColumn,
  TextKeyColumn,
} from '../../platform/index.js';
import type { SignatureExplanation } from '../../auth/index.js';

/** In the sandbox only; `canonical` ends before the body and has the masked path. */
export type KeptRefusal = Omit<SignatureExplanation, 'says' | 'isInTime'>;

/** Without personal data. Partitioned by `at` into UTC days (`PARTNER_REQUEST_DAYS`). */
@Entity('partner_requests')
// TypeORM cannot declare these; the migration creates them.
@Index('partner_requests_by_subject', { synchronize: false })
@Index('partner_requests_by_given_id', { synchronize: false })
@Index('partner_requests_by_code', { synchronize: false })
@Index('partner_requests_failed', { synchronize: false })
@Index('partner_requests_of_our_fault', { synchronize: false })
@Index('partner_requests_writes', { synchronize: false })
export class PartnerRequest {
  @TextKeyColumn
  readonly partnerId: string;

  /** The time in `id`, in milliseconds. */
  @PrimaryColumn('timestamptz')
  readonly at: Date;

  /** Null unless the sandbox had moved its time. */
  @NullableTimeColumn
  readonly realAt: Date | null;

  /** The UUIDv7 of our `req_` id. */
  @PrimaryColumn('uuid')
  readonly id: string;

  /** The caller's own `X-Request-Id`. */
  @NullableTextColumn
  readonly givenId: string | null;

  @TextColumn
  readonly keyId: string;

  @TextColumn
  readonly method: string;

  /** Below `/api/v1/partner`: `/journey/:journeyId/action`. */
  @TextColumn
  readonly route: string;

  /** Masked, except for ids and known values. */
  @TextColumn
  readonly path: string;

  /** The first id in the path, or of what the call created. */
  @NullableTextColumn
  readonly subjectId: string | null;

  /** 499: the caller disconnected. */
  @Column('smallint')
  readonly status: number;

  @NullableTextColumn
  readonly code: string | null;

  /** Until the response was sent. */
  @IntegerColumn
  readonly durationUs: number;

  /** False: the key is only claimed. */
  @Column('boolean')
  readonly isAuthenticated: boolean;

  @NullableColumn('jsonb')
  readonly refused: KeptRefusal | null;
}
