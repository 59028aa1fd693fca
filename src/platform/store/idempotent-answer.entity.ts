import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

@Entity('idempotent_answers')
@Index('idempotent_answers_by_time', ['createdAt'])
export class IdempotentAnswerRow {
  @PrimaryColumn({
    name: 'partner_id',
    type: 'text',
    primaryKeyConstraintName: 'idempotent_answers_pkey',
  })
  readonly partnerId: string;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'idempotent_answers_pkey' })
  readonly operation: string;

  @PrimaryColumn({
    name: 'idempotency_key',
    type: 'text',
    primaryKeyConstraintName: 'idempotent_answers_pkey',
  })
  readonly idempotencyKey: string;

  @Column({ name: 'body_hash', type: 'text' })
  readonly bodyHash: string;

  @Column({ name: 'answer_sealed', type: 'text' })
  readonly answerSealed: string;

  @Column({ name: 'created_at', type: 'timestamptz' })
  readonly createdAt: Date;
}
