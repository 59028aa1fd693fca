import { Check, Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import type { Language } from '../../platform/index.js';

/** Deleted as soon as it is handled. */
@Entity('link_requests')
@Index('link_requests_due', ['dueAt', 'id'])
@Check('link_requests_language', `language IN ('en', 'hi')`)
export class LinkRequest {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    generatedIdentity: 'ALWAYS',
    primaryKeyConstraintName: 'link_requests_pkey',
  })
  readonly id: number;

  /** What the applicant is looked up by. */
  @Column({ name: 'subject_sealed', type: 'text' })
  readonly subjectSealed: string;

  @Column({ type: 'text' })
  readonly language: Language;

  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'app_now()' })
  readonly createdAt: Date;

  @Column({ name: 'due_at', type: 'timestamptz', default: () => 'app_now()' })
  readonly dueAt: Date;
}
