import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { JourneyRow } from './journey.entity.js';

@Entity('hosted_links')
@Index('hosted_links_by_journey', ['journeyId'])
export class HostedLinkRow {
  @PrimaryColumn({
    name: 'token_hash',
    type: 'text',
    primaryKeyConstraintName: 'hosted_links_pkey',
  })
  tokenHash: string;

  @Column({ name: 'partner_id', type: 'text' })
  partnerId: string;

  @Column({ name: 'journey_id', type: 'text' })
  @ForeignKey(() => JourneyRow, 'id', { name: 'hosted_links_journey' })
  journeyId: string;

  @Column({ name: 'expires_at', type: 'timestamptz' })
  expiresAt: Date;

  @Column({ name: 'used_at', type: 'timestamptz', nullable: true })
  usedAt: Date | null;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;
}
