import { type Mode, parseBoolean, parseInteger, type Variables } from './read-variable.js';

export interface DatabaseVariables {
  /** Absent: an embedded PostgreSQL in `dataDir`. */
  readonly databaseUrl?: string;
  /** A way to the same server that keeps sessions; absent: `databaseUrl` does. */
  readonly databaseSessionUrl?: string;
  /** A standby that may answer lists. */
  readonly databaseReadUrl?: string;
  /** Whether `databaseUrl` supports named statements. */
  readonly databaseNamedStatements: boolean;
  readonly databasePoolSize: number;
  /** Whether production may run on a database that can lose commits. */
  readonly databaseLossAccepted: boolean;
  /** Whether to start on a database with unknown migrations. */
  readonly newerSchemaAllowed: boolean;
}

/** Explicit, because production never falls back to the embedded database. */
const EMBEDDED = 'embedded';

/** Adds what is wrong to `problems`. */
export function parseDatabase(
  variables: Variables,
  mode: Mode,
  problems: string[],
): DatabaseVariables {
  const databaseUrl = parseDatabaseUrl(variables, mode, problems);
  return {
    databaseUrl,
    databaseSessionUrl: parseOtherUrl(
      variables,
      'DATABASE_SESSION_URL',
      { databaseUrl, what: 'that leads through a pooler' },
      problems,
    ),
    databaseReadUrl: parseOtherUrl(
      variables,
      'DATABASE_READ_URL',
      { databaseUrl, what: 'of its primary' },
      problems,
    ),
    databaseNamedStatements: parseBoolean(variables, 'DATABASE_NAMED_STATEMENTS', true, problems),
    databasePoolSize: parseInteger(variables, 'DATABASE_POOL', 10, [2, 500], problems),
    databaseLossAccepted: parseBoolean(variables, 'DATABASE_LOSS_ACCEPTED', false, problems),
    newerSchemaAllowed: parseBoolean(variables, 'ALLOW_NEWER_SCHEMA', false, problems),
  };
}

function parseDatabaseUrl(
  variables: Variables,
  mode: Mode,
  problems: string[],
): string | undefined {
  const text = variables.DATABASE_URL;
  if (!text && mode === 'production') {
    problems.push(`DATABASE_URL is required in production (${EMBEDDED} for the one in DATA_DIR)`);
  }
  if (!text || text === EMBEDDED) return undefined;
  if (isPostgresAddress(text)) return text;
  problems.push(`DATABASE_URL must be a postgres:// address, or ${EMBEDDED}`);
  return undefined;
}

function parseOtherUrl(
  variables: Variables,
  name: string,
  { databaseUrl, what }: { databaseUrl: string | undefined; what: string },
  problems: string[],
): string | undefined {
  const text = variables[name];
  if (!text) return undefined;
  if (!isPostgresAddress(text)) problems.push(`${name} must be a postgres:// address`);
  else if (databaseUrl === undefined) problems.push(`${name} goes with a DATABASE_URL ${what}`);
  return text;
}

function isPostgresAddress(text: string): boolean {
  return ['postgres:', 'postgresql:'].includes(URL.parse(text)?.protocol ?? '');
}
