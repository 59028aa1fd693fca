/**
 * The variables for the database of a service. With TEST_POOLER_URL (`npm run test:pooler`) they lead through the
 * pooler, and to a second address that keeps sessions.
 */
export function databaseVariables(databaseUrl: string | undefined): Record<string, string> {
  const pooler = process.env.TEST_POOLER_URL;
  if (databaseUrl === undefined) return {};
  // Some specs have their own proxy to the server, which they disconnect.
  const isServers = hostOf(process.env.TEST_DATABASE_URL) === hostOf(databaseUrl);
  if (!pooler || !isServers) return { DATABASE_URL: databaseUrl };
  const pooled = new URL(databaseUrl);
  pooled.host = hostOf(pooler)!;
  return {
    DATABASE_URL: pooled.href,
    DATABASE_SESSION_URL: databaseUrl,
    DATABASE_NAMED_STATEMENTS: process.env.TEST_POOLER_KEEPS_STATEMENTS ?? 'false',
  };
}

function hostOf(url: string | undefined): string | undefined {
  return url === undefined ? undefined : new URL(url).host;
}
