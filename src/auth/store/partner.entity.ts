import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** Who made a record's present state: the configuration file or the command line. */
export type Origin = 'FILE' | 'COMMAND';

/** A business that lends through the service; everything else it has hangs on its id. */
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

  /** A suspension by command is lifted by command alone, whatever the file says. */
  @Column('text', { name: 'status_origin', default: 'FILE' })
  readonly statusOrigin: Origin;

  /** Where the last hosted screen and the sandbox's providers send the applicant back to. */
  @Column('text', { name: 'return_url', nullable: true })
  readonly returnUrl: string | null;

  /** Who is e-mailed about its webhooks and keys; empty: nobody. */
  @Column('text', { name: 'alert_emails', array: true, default: '{}' })
  readonly alertEmails: readonly string[];

  @Column('timestamptz', { name: 'created_at', default: () => 'app_now()' })
  readonly createdAt: Date;
}
