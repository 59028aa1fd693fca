// Isolated: starts a process.
import { expect, it } from 'vitest';
import { spawnService } from './spawned-service.js';

it('a service that does not become ready fails with what its process wrote', async () => {
  const databaseUrl = 'postgres://nobody@127.0.0.1:1/none';
  const started = spawnService({ databaseUrl, env: { MODE: 'nonsense' } });
  await expect(started).rejects.toThrow('MODE must be one of sandbox, production');
});
