import { Column } from 'typeorm';

/** The columns of a row that one process at a time works on. */
export abstract class Leased {
  /** The fencing token: each claim increments it, and a result under an older one is ignored. */
  @Column({ name: 'lease_token', type: 'bigint', default: 0 })
  readonly leaseToken: number;

  /** Null or past: no process holds the row. */
  @Column({ name: 'lease_until', type: 'timestamptz', nullable: true })
  readonly leaseUntil: Date | null;
}
