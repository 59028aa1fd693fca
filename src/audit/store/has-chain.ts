import type { DataSource } from 'typeorm';

/** Whether anything is kept of a subject. */
export async function hasChain(dataSource: DataSource, subjectId: string): Promise<boolean> {
  const found: unknown[] = await dataSource.query(
    'SELECT 1 FROM audit_entries WHERE subject_id = $1 LIMIT 1',
    [subjectId],
  );
  return found.length > 0;
}
