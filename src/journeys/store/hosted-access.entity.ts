import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import {
  CountColumn,
  IdentityColumn,
  type Language,
  NowColumn,
  NullableColumn,
} from '../../platform/index.js';
import { Journey } from './journey.entity.js';

@Entity('hosted_links')
@Index('hosted_links_by_journey', ['journeyId'])
export class HostedLink {
  @PrimaryColumn('text')
  readonly tokenHash: string;

  @Column('text')
  readonly partnerId: string;

  @Column('text')
  @ForeignKey(() => Journey)
  readonly journeyId: string;

  @Column('timestamptz')
  readonly expiresAt: Date;

  @NullableColumn('timestamptz')
  readonly usedAt: Date | null;

  @NowColumn
  readonly createdAt: Date;
}

@Entity('hosted_sessions')
@Index('hosted_sessions_by_token', ['tokenHash'], { unique: true })
@Index('hosted_sessions_by_previous_token', ['previousTokenHash'], {
  where: 'previous_token_hash IS NOT NULL',
})
@Index('hosted_sessions_by_journey', ['journeyId'])
@Index('hosted_sessions_expiring', ['expiresAt'])
export class HostedSession {
  @PrimaryColumn('text')
  readonly id: string;

  @Column('text')
  readonly partnerId: string;

  @Column('text')
  @ForeignKey(() => Journey)
  readonly journeyId: string;

  @Column('text')
  readonly tokenHash: string;

  @NullableColumn('text')
  readonly previousTokenHash: string | null;

  @Column('text')
  readonly linkHash: string;

  @Column('text')
  readonly browserHash: string;

  @Column('timestamptz')
  readonly createdAt: Date;

  @Column('timestamptz')
  readonly lastSeenAt: Date;

  @NullableColumn('timestamptz')
  readonly verifiedAt: Date | null;

  @Column('timestamptz')
  readonly expiresAt: Date;

  @NullableColumn('timestamptz')
  readonly endedAt: Date | null;
}

/** Deleted as soon as it is handled. */
@Entity('link_requests')
@Index('link_requests_due', ['dueAt', 'id'])
@Check('link_requests_language', `language IN ('en', 'hi')`)
export class LinkRequest {
  @IdentityColumn
  readonly id: number;

  @Column('text')
  readonly subjectSealed: string;

  @Column('text')
  readonly language: Language;

  @NowColumn
  readonly createdAt: Date;

  @NowColumn
  readonly dueAt: Date;
}

@Entity('one_time_codes')
@Index('one_time_codes_newest', ['journeyId', 'createdAt', 'id'])
@Index('one_time_codes_expiring', ['expiresAt'])
export class OneTimeCode {
  @PrimaryColumn('text')
  readonly id: string;

  @Column('text')
  readonly partnerId: string;

  @Column('text')
  @ForeignKey(() => Journey)
  readonly journeyId: string;

  @Column('text')
  readonly sessionId: string;

  @Column('text')
  readonly codeHash: string;

  @CountColumn
  readonly tries: number;

  @Column('text')
  readonly smsId: string;

  @Column('timestamptz')
  readonly createdAt: Date;

  @Column('timestamptz')
  readonly expiresAt: Date;

  @NullableColumn('timestamptz')
  readonly usedAt: Date | null;
}
