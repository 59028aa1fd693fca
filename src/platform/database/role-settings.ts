import type { DataSource } from 'typeorm';
import { isPooled, SESSION_SETTINGS } from './data-source.js';

/** A limit that is longer than this lets one call hold others up for too long. */
const LONGEST_MS = 60_000;

/**
 * What a connection cannot be told through a pooler, the role's settings must say.
 * @throws Error with the statements that set what is missing
 */
export async function refuseUnsetRole(dataSource: DataSource): Promise<void> {
  if (!isPooled(dataSource)) return;
  const rows = await dataSource.query<{ name: string; setting: string; role: string }[]>(
    `SELECT name, setting, quote_ident(current_user) AS role
     FROM pg_settings WHERE name = ANY ($1) ORDER BY name`,
    [Object.keys(SESSION_SETTINGS)],
  );
  const missing = rows.filter(({ setting }) => !serves(setting));
  if (missing.length === 0) return;
  const statements = missing.map(
    ({ name, role }) =>
      `ALTER ROLE ${role} SET ${name} = ${SESSION_SETTINGS[name as keyof typeof SESSION_SETTINGS]};`,
  );
  throw new Error(
    `The pooler that DATABASE_URL leads through opens connections without settings that the service needs. ` +
      `Run ${statements.join(' ')} and have the pooler reconnect.`,
  );
}

/** @param setting a switch, or a limit in milliseconds of which 0 is none */
function serves(setting: string): boolean {
  if (setting === 'on' || setting === 'off') return setting === 'off';
  return Number(setting) > 0 && Number(setting) <= LONGEST_MS;
}
