import { AsyncLocalStorage } from 'node:async_hooks';
import type { RequestListener, Server } from 'node:http';
import pg from 'pg';
import { describe, expect, it, vi } from 'vitest';
import { eventually } from '../../support/eventually.js';
import { askForLink, linkFor, startHosted } from '../../support/hosted-client.js';
import { recordsOf } from '../../support/journey-records.js';
import { serviceOfFile } from '../../support/shared-service.js';

const service = serviceOfFile();
const records = recordsOf(service);

/** The statements that requests to the service send to the database during `work`. */
async function statementsOfRequests(work: () => Promise<unknown>): Promise<string[]> {
  const requests = new AsyncLocalStorage<string[]>();
  const seen: string[] = [];
  const query = Reflect.get(pg.Client.prototype, 'query') as (...values: unknown[]) => unknown;
  const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
    this: pg.Client,
    ...values: unknown[]
  ) {
    const [statement] = values as [string | { text: string }];
    requests.getStore()?.push(typeof statement === 'string' ? statement : statement.text);
    return query.apply(this, values);
  });
  const server = service.app.getHttpServer() as Server;
  const listeners = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request');
  for (const listener of listeners) {
    server.on('request', (request, response) =>
      requests.run(seen, () => listener(request, response)),
    );
  }
  try {
    await work();
    // Excluded: the configuration check once a second, and the check on each new connection whether the database
    // accepts writes.
    return seen.filter((statement) => !/FROM configuration|transaction_read_only/.test(statement));
  } finally {
    spy.mockRestore();
    server.removeAllListeners('request');
    for (const listener of listeners) server.on('request', listener);
  }
}

describe('a fresh link that is asked for', () => {
  it('costs the same statements before the answer, whether there is a journey or not', async () => {
    const { mobile } = await startHosted(service);
    const statementsFor = (subject: string) =>
      statementsOfRequests(async () => {
        expect((await askForLink(service, subject)).path).toBe('/hosted/link/sent');
      });
    const statements = await statementsFor(mobile);
    expect(statements.join(' ')).toContain('counted_limits');
    expect(statements.join(' ')).not.toMatch(/journeys|sms_messages/);
    for (const subject of ['9000000000', mobile])
      expect(await statementsFor(subject)).toEqual(statements);
    await linkFor(service, mobile);
  });

  it('keeps no number in the clear while it waits, and does not wait behind one that fails', async () => {
    const { mobile } = await startHosted(service);
    await records.query(
      `INSERT INTO link_requests (subject_sealed, language, created_at, due_at)
       VALUES ('spoiled', 'en', app_now(), app_now() - interval '1 minute')`,
    );
    await askForLink(service, mobile);
    const rows = await records.query('SELECT * FROM link_requests');
    expect(JSON.stringify(rows)).not.toContain(mobile);
    await linkFor(service, mobile);
    const left = await records.query<{ subject: string; isLater: boolean }>(
      `SELECT subject_sealed AS subject, due_at > app_now() AS "isLater" FROM link_requests`,
    );
    expect(left).toEqual([{ subject: 'spoiled', isLater: true }]);
    await service.travel(3_601_000);
    const waiting = () => records.query('SELECT id FROM link_requests');
    await eventually(async () => expect(await waiting()).toEqual([]));
  });
});
