import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** One row with the sandbox's offset; empty in production. */
@Entity('sandbox_clock')
@Check('sandbox_clock_one_check', 'one')
export class SandboxClock {
  @PrimaryColumn({
    type: 'boolean',
    default: true,
    primaryKeyConstraintName: 'sandbox_clock_pkey',
  })
  readonly one: boolean;

  @Column({ name: 'offset_ms', type: 'bigint', default: 0 })
  readonly offsetMs: number;
}
