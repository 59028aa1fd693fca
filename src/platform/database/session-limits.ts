import type { DataSource } from 'typeorm';
import { isPooled, SESSION_LIMITS } from './data-source.js';

/** A limit that is longer than this lets one call hold others up for too long. */
const LONGEST_MS = 60_000;

/**
 * What a connection cannot be told through a pooler, the role's settings must say.
 * @throws Error with the statement that sets what is missing
 */
export async function refuseUnlimitedSessions(dataSource: DataSource): Promise<void> {
  if (!isPooled(dataSource)) return;
  const names = Object.keys(SESSION_LIMITS);
  const rows = await dataSource.query<{ name: string; ms: number; role: string }[]>(
    `SELECT name, setting::bigint AS ms, quote_ident(current_user) AS role
     FROM pg_settings WHERE name = ANY ($1) ORDER BY name`,
    [names],
  );
  const missing = rows.filter(({ ms }) => ms === 0 || ms > LONGEST_MS);
  if (missing.length === 0) return;
  const statements = missing.map(
    ({ name, role }) =>
      `ALTER ROLE ${role} SET ${name} = ${SESSION_LIMITS[name as keyof typeof SESSION_LIMITS]};`,
  );
  throw new Error(
    `The pooler that DATABASE_URL leads through opens connections without limits. Run ${statements.join(' ')} ` +
      'and have the pooler reconnect.',
  );
}
