import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** What last set a record: the configuration file or the command line. */
export type Origin = 'FILE' | 'COMMAND';

@Entity('partners')
@Check('partners_status', `status IN ('ACTIVE', 'SUSPENDED')`)
@Check('partners_status_origin', `status_origin IN ('FILE', 'COMMAND')`)
export class Partner {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'partners_pkey' })
  readonly id: string;

  @Column('text')
  readonly name: string;

  @Column('text', { default: 'ACTIVE' })
  readonly status: 'ACTIVE' | 'SUSPENDED';

  /** Only a command lifts a suspension by command. */
  @Column('text', { name: 'status_origin', default: 'FILE' })
  readonly statusOrigin: Origin;

  /** Where the last hosted screen sends the applicant back to. */
  @Column('text', { name: 'return_url', nullable: true })
  readonly returnUrl: string | null;

  @Column('text', { name: 'alert_emails', array: true, default: '{}' })
  readonly alertEmails: readonly string[];

  @Column('timestamptz', { name: 'created_at', default: () => 'app_now()' })
  readonly createdAt: Date;
}
