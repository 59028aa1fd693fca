import { type Mode, parseBoolean, parseInteger, type Variables } from './read-variable.js';

/** Where the database is, and how it is used. */
export interface DatabaseVariables {
  /** Absent: an embedded PostgreSQL in `dataDir`. */
  readonly databaseUrl?: string;
  /** The same server by a way that keeps a connection's session; absent: `databaseUrl` is one. */
  readonly databaseSessionUrl?: string;
  /** A standby of it that may answer lists; absent: the primary answers all. */
  readonly databaseReadUrl?: string;
  /** Whether a statement may be kept under a name on connections by `databaseUrl`. */
  readonly databaseNamedStatements: boolean;
  readonly databasePoolSize: number;
  /** Whether production may run on a database that can lose what was answered. */
  readonly databaseLossAccepted: boolean;
  /** Whether to start on a database with migrations that this release does not know. */
  readonly newerSchemaAllowed: boolean;
}

/** What DATABASE_URL says where the embedded database is meant: production never falls back to it. */
const EMBEDDED = 'embedded';

/** What the environment says of the database; what is wrong is added to `problems`. */
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

/** The address; undefined where the embedded database is meant. */
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

/** Another way to the server of `databaseUrl`, or to its standby. */
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
