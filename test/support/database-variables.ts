/**
 * The variables by which a service finds its database: through the pooler at TEST_POOLER_URL where that is set
 * (`npm run test:pooler`), and then by a way that keeps sessions, too.
 */
export function databaseVariables(databaseUrl: string | undefined): Record<string, string> {
  const pooler = process.env.TEST_POOLER_URL;
  if (databaseUrl === undefined) return {};
  // Some specs have a way of their own to the server, which they take away.
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
