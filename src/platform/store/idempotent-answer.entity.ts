import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** The answer to the first call with a key; by partner and operation. */
@Entity('idempotent_answers')
@Index('idempotent_answers_by_time', ['createdAt'])
export class IdempotentAnswerRow {
  @PrimaryColumn({
    name: 'partner_id',
    type: 'text',
    primaryKeyConstraintName: 'idempotent_answers_pkey',
  })
  partnerId: string;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'idempotent_answers_pkey' })
  operation: string;

  @PrimaryColumn({
    name: 'idempotency_key',
    type: 'text',
    primaryKeyConstraintName: 'idempotent_answers_pkey',
  })
  idempotencyKey: string;

  @Column({ name: 'body_hash', type: 'text' })
  bodyHash: string;

  @Column({ name: 'answer_sealed', type: 'text' })
  answerSealed: string;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;
}
