import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { JourneyRow } from './journey.entity.js';

@Entity('hosted_sessions')
@Index('hosted_sessions_by_token', ['tokenHash'], { unique: true })
@Index('hosted_sessions_by_previous_token', ['previousTokenHash'], {
  where: 'previous_token_hash IS NOT NULL',
})
@Index('hosted_sessions_by_journey', ['journeyId'])
@Index('hosted_sessions_expiring', ['expiresAt'])
export class HostedSessionRow {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'hosted_sessions_pkey' })
  id: string;

  @Column({ name: 'partner_id', type: 'text' })
  partnerId: string;

  @Column({ name: 'journey_id', type: 'text' })
  @ForeignKey(() => JourneyRow, 'id', { name: 'hosted_sessions_journey' })
  journeyId: string;

  @Column({ name: 'token_hash', type: 'text' })
  tokenHash: string;

  /** Of the token before the sign-in. */
  @Column({ name: 'previous_token_hash', type: 'text', nullable: true })
  previousTokenHash: string | null;

  @Column({ name: 'link_hash', type: 'text' })
  linkHash: string;

  @Column({ name: 'browser_hash', type: 'text' })
  browserHash: string;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  @Column({ name: 'last_seen_at', type: 'timestamptz' })
  lastSeenAt: Date;

  @Column({ name: 'verified_at', type: 'timestamptz', nullable: true })
  verifiedAt: Date | null;

  @Column({ name: 'expires_at', type: 'timestamptz' })
  expiresAt: Date;

  @Column({ name: 'ended_at', type: 'timestamptz', nullable: true })
  endedAt: Date | null;
}
