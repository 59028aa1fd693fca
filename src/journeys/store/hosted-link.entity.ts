import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
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
