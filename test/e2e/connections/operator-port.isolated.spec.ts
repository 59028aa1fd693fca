// Isolated: kills processes, and has an operator port.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { freePort } from '../../support/free-port.js';
import { HeldConnection } from '../../support/held-connection.js';
import { type SpawnedService, spawnService } from '../../support/spawned-service.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';

// Each of these starts a process.
vi.setConfig({ testTimeout: 90_000 });

const WHOLE = 'GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n';
const MAX_CONNECTIONS = 64;

let database: TestDatabase;
let service: SpawnedService;
let operator: string;
let held: HeldConnection[];

beforeEach(async () => {
  held = [];
  database = await createTestDatabase();
  const port = await freePort();
  operator = `http://127.0.0.1:${port}`;
  service = await spawnService({
    databaseUrl: database.url,
    env: { OPERATOR_PORT: String(port) },
  });
});

afterEach(async () => {
  for (const connection of held) connection.hangUp();
  await service?.kill();
  await database?.drop();
});

async function hold(bytes = '', url = operator): Promise<HeldConnection> {
  const connection = await HeldConnection.open(url, bytes);
  held.push(connection);
  return connection;
}

describe('the operator’s port', () => {
  it('waits for a header as long as the public one, and then hangs up', async () => {
    const half = await hold('GET /health/live HTTP/1.1\r\nHos');
    // Ten seconds, and up to five until it is looked.
    await half.untilClosed(25_000);
    expect(half.statuses).toEqual([408]);
  });

  it('has a most of connections: the one that has been still for longest makes room', async () => {
    for (let count = 0; count < MAX_CONNECTIONS; count += 1) await hold();
    const [first, second] = held;
    const next = await hold(WHOLE);
    expect(await next.answered(1)).toEqual([200]);
    await first.untilClosed(10_000);
    expect(second.isClosed).toBe(false);
  });

  it('refuses an address that cannot be read in the envelope', async () => {
    const odd = await hold('GET http://[ HTTP/1.1\r\nHost: localhost\r\n\r\n');
    expect(await odd.answered(1)).toEqual([400]);
    expect(odd.received).toContain('"success":false');
  });

  it('answers until callers have come to their end, and holds nothing up', async () => {
    await hold('', service.baseUrl);
    await hold('GET /health/live HTTP/1.1\r\nHos');
    await (await hold(WHOLE)).answered(1);
    const ended = service.stop();
    // The public port goes first: it is still waiting for its silent client.
    await expect
      .poll(() =>
        fetch(service.baseUrl).then(
          () => '',
          () => 'refused',
        ),
      )
      .toBe('refused');
    expect((await fetch(`${operator}/metrics`)).status).toBe(200);
    expect(await ended).toBe(0);
  });
});
