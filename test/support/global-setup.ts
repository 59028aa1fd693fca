import type { TestProject } from 'vitest/node';
import { startMigratedCluster, TEMPLATE } from './migrated-cluster.ts';
import { run } from './run-statement.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    postgres: { serverUrl: string; template: string };
  }
}

/**
 * Starts one PostgreSQL for the whole run, or migrates a template on the server of TEST_DATABASE_URL. Its user must be
 * allowed to create databases.
 */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const external = process.env.TEST_DATABASE_URL;
  if (external) return setUpOn(project, external);
  const server = await startMigratedCluster(TEMPLATE);
  project.provide('postgres', { serverUrl: server.url, template: TEMPLATE });
  return () => server.stop();
}

async function setUpOn(project: TestProject, serverUrl: string): Promise<() => Promise<void>> {
  const { makeTemplate } = await import('./make-template.ts');
  const template = `rinpath_template_${process.pid}`;
  await makeTemplate(serverUrl, template);
  project.provide('postgres', { serverUrl, template });
  return async () =>
    void (await run(serverUrl, `DROP DATABASE IF EXISTS ${template} WITH (FORCE)`));
}
