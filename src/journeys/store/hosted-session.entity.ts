import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Journey } from './journey.entity.js';

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

  /** Of the token before the sign-in. */
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
