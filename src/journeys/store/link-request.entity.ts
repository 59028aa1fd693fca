import { Check, Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** A fresh link that was asked for, whoever asked; gone as soon as it has been looked into. */
@Entity('link_requests')
@Index('link_requests_due', ['dueAt', 'id'])
@Check('link_requests_language', `language IN ('en', 'hi')`)
export class LinkRequestRow {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    generatedIdentity: 'ALWAYS',
    primaryKeyConstraintName: 'link_requests_pkey',
  })
  id: number;

  /** By what the applicant is known who asked, or nothing. */
  @Column({ name: 'subject_sealed', type: 'text' })
  subjectSealed: string;

  @Column({ type: 'text' })
  language: 'en' | 'hi';

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  @Column({ name: 'due_at', type: 'timestamptz' })
  dueAt: Date;
}
