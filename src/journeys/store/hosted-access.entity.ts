import {
  Check,
  Column,
  Entity,
  ForeignKey,
  Index,
  PrimaryColumn,
  PrimaryGeneratedColumn,
} from 'typeorm';
import type { Language } from '../../platform/index.js';
import { Journey } from './journey.entity.js';

@Entity('hosted_links')
@Index('hosted_links_by_journey', ['journeyId'])
export class HostedLink {
  @PrimaryColumn({
    name: 'token_hash',
    type: 'text',
    primaryKeyConstraintName: 'hosted_links_pkey',
  })
  readonly tokenHash: string;

  @Column({ name: 'partner_id', type: 'text' })
  readonly partnerId: string;

  @Column({ name: 'journey_id', type: 'text' })
  @ForeignKey(() => Journey, 'id', { name: 'hosted_links_journey' })
  readonly journeyId: string;

  @Column({ name: 'expires_at', type: 'timestamptz' })
  readonly expiresAt: Date;

  @Column({ name: 'used_at', type: 'timestamptz', nullable: true })
  readonly usedAt: Date | null;

  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'app_now()' })
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
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'hosted_sessions_pkey' })
  readonly id: string;

  @Column({ name: 'partner_id', type: 'text' })
  readonly partnerId: string;

  @Column({ name: 'journey_id', type: 'text' })
  @ForeignKey(() => Journey, 'id', { name: 'hosted_sessions_journey' })
  readonly journeyId: string;

  @Column({ name: 'token_hash', type: 'text' })
  readonly tokenHash: string;

  @Column({ name: 'previous_token_hash', type: 'text', nullable: true })
  readonly previousTokenHash: string | null;

  @Column({ name: 'link_hash', type: 'text' })
  readonly linkHash: string;

  @Column({ name: 'browser_hash', type: 'text' })
  readonly browserHash: string;

  @Column({ name: 'created_at', type: 'timestamptz' })
  readonly createdAt: Date;

  @Column({ name: 'last_seen_at', type: 'timestamptz' })
  readonly lastSeenAt: Date;

  @Column({ name: 'verified_at', type: 'timestamptz', nullable: true })
  readonly verifiedAt: Date | null;

  @Column({ name: 'expires_at', type: 'timestamptz' })
  readonly expiresAt: Date;

  @Column({ name: 'ended_at', type: 'timestamptz', nullable: true })
  readonly endedAt: Date | null;
}

/** Deleted as soon as it is handled. */
@Entity('link_requests')
@Index('link_requests_due', ['dueAt', 'id'])
@Check('link_requests_language', `language IN ('en', 'hi')`)
export class LinkRequest {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    generatedIdentity: 'ALWAYS',
    primaryKeyConstraintName: 'link_requests_pkey',
  })
  readonly id: number;

  @Column({ name: 'subject_sealed', type: 'text' })
  readonly subjectSealed: string;

  @Column({ type: 'text' })
  readonly language: Language;

  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'app_now()' })
  readonly createdAt: Date;

  @Column({ name: 'due_at', type: 'timestamptz', default: () => 'app_now()' })
  readonly dueAt: Date;
}

@Entity('one_time_codes')
@Index('one_time_codes_newest', ['journeyId', 'createdAt', 'id'])
@Index('one_time_codes_expiring', ['expiresAt'])
export class OneTimeCode {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'one_time_codes_pkey' })
  readonly id: string;

  @Column({ name: 'partner_id', type: 'text' })
  readonly partnerId: string;

  @Column({ name: 'journey_id', type: 'text' })
  @ForeignKey(() => Journey, 'id', { name: 'one_time_codes_journey' })
  readonly journeyId: string;

  @Column({ name: 'session_id', type: 'text' })
  readonly sessionId: string;

  @Column({ name: 'code_hash', type: 'text' })
  readonly codeHash: string;

  @Column({ type: 'integer', default: 0 })
  readonly tries: number;

  @Column({ name: 'sms_id', type: 'text' })
  readonly smsId: string;

  @Column({ name: 'created_at', type: 'timestamptz' })
  readonly createdAt: Date;

  @Column({ name: 'expires_at', type: 'timestamptz' })
  readonly expiresAt: Date;

  @Column({ name: 'used_at', type: 'timestamptz', nullable: true })
  readonly usedAt: Date | null;
}
