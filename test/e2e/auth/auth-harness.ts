import { randomUUID } from 'node:crypto';
import { expect, vi } from 'vitest';
import { type IssuedKey, KeyAdministration } from '../../../src/admin/index.js';
import { SCOPES } from '../../../src/auth/index.js';
import { Clock, Database, isPartnerPath, SystemClock } from '../../../src/platform/index.js';
import { type Answer, PartnerClient } from '../../support/partner-client.js';
import { servedRoutes } from '../../support/served-routes.js';
import type { TestService } from '../../support/service.js';
import './answer-matchers.js';

/** Well-formed, but unknown. */
export const UNKNOWN_JOURNEY = `jrn_${'0'.repeat(32)}`;
export const UNKNOWN_APPLICATION = `app_${'0'.repeat(32)}`;
export const UNKNOWN_SUBSCRIPTION = `sub_${'0'.repeat(32)}`;
export const UNKNOWN_DELIVERY = `dlv_${'0'.repeat(32)}`;

export function remainingOf({ headers }: Answer<unknown>): number {
  return Number(headers['ratelimit-remaining']);
}

export function statusesOf(answers: Answer<unknown>[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

export interface TestKey extends IssuedKey {
  readonly client: PartnerClient;
}

interface KeyTerms {
  partnerId?: string;
  scopes?: readonly string[];
  products?: readonly string[];
  perMinute?: number;
  perDay?: number;
}

/** A new key for one test, with every scope and high limits by default. */
export async function issueKey(service: TestService, terms: KeyTerms = {}): Promise<TestKey> {
  const issued = await service.get<KeyAdministration>(KeyAdministration).issue({
    partnerId: terms.partnerId ?? service.partnerId,
    name: `test ${randomUUID()}`,
    scopes: terms.scopes ?? SCOPES,
    products: terms.products ?? ['ONLINE_PERSONAL', 'ONLINE_GOLD'],
    limits: { perMinute: terms.perMinute ?? 100_000, perDay: terms.perDay ?? 10_000_000 },
  });
  return { ...issued, client: clientOf(service, issued) };
}

/** The same key's client for another replica, or after a restart. */
export function clientOf(
  service: TestService,
  { apiKey, apiSecret }: { apiKey: string; apiSecret: string },
): PartnerClient {
  const { baseUrl } = service;
  const now = () => service.get<SystemClock>(SystemClock).now();
  return new PartnerClient({ apiKey, apiSecret, baseUrl, now });
}

/**
 * Counts each table's rows of the service's partner, and today's requests of its keys. Tables that belong to no partner
 * are counted whole.
 *
 * Not counted: leads counts, audit chains and the request log, because background tasks write them at any time.
 */
export async function contents(service: TestService): Promise<Record<string, number>> {
  const database = service.get<Database>(Database);
  const tables = await database.query<{ name: string; owner: string }>(
    `SELECT relname AS name, coalesce(
       (SELECT attname FROM pg_attribute
        WHERE attrelid = pg_class.oid AND attname IN ('partner_id', 'key_id') AND NOT attisdropped
        ORDER BY attname DESC LIMIT 1), '') AS owner
     FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace
       AND relname NOT IN ('lead_counts', 'lead_count_deltas', 'audit_entries')
       AND relname NOT LIKE 'partner\\_requests%'
     ORDER BY relname`,
  );
  const keys = `(SELECT id FROM api_keys WHERE partner_id = $1)`;
  const rowsOf: Record<string, string> = {
    partner_id: 'WHERE partner_id = $1',
    key_id: `WHERE key_id IN ${keys}`,
  };
  const counts = tables.map(
    ({ name, owner }) =>
      `(SELECT count(*)::integer FROM ${name} ${rowsOf[owner] ?? ''}) AS ${name}`,
  );
  const [row] = await database.query<Record<string, number>>(
    `SELECT ${counts.join(', ')},
       (SELECT sum(day_used)::integer FROM api_key_windows
        WHERE key_id IN ${keys}) AS requests_counted`,
    [service.partnerId],
  );
  return row;
}

/** What a rejected request may have used up, if its nonce was reached. */
const ADMISSION = ['request_nonces', 'api_key_windows', 'requests_counted'];

/** Sends requests that are rejected, and expects that they left nothing, not even a nonce. */
export async function expectNoTrace(
  service: TestService,
  work: () => Promise<unknown>,
): Promise<void> {
  const before = await contents(service);
  await work();
  expect(await contents(service)).toEqual(before);
}

/** Sends requests that are admitted and then rejected, and expects only a nonce and a count. */
export async function expectNoBusiness(
  service: TestService,
  work: () => Promise<unknown>,
): Promise<void> {
  const business = (counts: Record<string, number>) =>
    Object.fromEntries(Object.entries(counts).filter(([name]) => !ADMISSION.includes(name)));
  const before = business(await contents(service));
  await work();
  expect(business(await contents(service))).toEqual(before);
}

/**
 * Stops the time of all services on one database, in code and in SQL. So a test runs on an exact second. Start every
 * replica first: a start resets the sandbox's clock.
 */
export class StoppedClock {
  private constructor(
    private readonly database: Database,
    private at: Date,
  ) {}

  static async stop(services: TestService[], at: Date): Promise<StoppedClock> {
    const [first] = services;
    const stopped = new StoppedClock(first.get<Database>(Database), at);
    for (const service of services) {
      for (const clock of [service.get<Clock>(Clock), service.get<Clock>(SystemClock)]) {
        vi.spyOn(clock, 'now').mockImplementation(() => new Date(stopped.at));
      }
    }
    await stopped.database.query('CREATE TABLE IF NOT EXISTS stopped_clock (at timestamptz)');
    await stopped.moveTo(at);
    for (const name of ['app_now', 'real_now']) {
      await stopped.database.query(
        `CREATE OR REPLACE FUNCTION ${name}() RETURNS timestamptz LANGUAGE sql STABLE AS $$
           SELECT at FROM stopped_clock
         $$`,
      );
    }
    return stopped;
  }

  get epochSeconds(): number {
    return Math.floor(this.at.getTime() / 1000);
  }

  async moveTo(at: Date): Promise<void> {
    this.at = at;
    await this.database.query(
      `WITH gone AS (DELETE FROM stopped_clock)
       INSERT INTO stopped_clock VALUES ($1)`,
      [at],
    );
  }

  forward(seconds: number): Promise<void> {
    return this.moveTo(new Date(this.at.getTime() + seconds * 1000));
  }
}

export interface Route {
  readonly method: string;
  /** From the root, with parameters replaced by well-formed unknown ids. */
  readonly target: string;
}

/** Every route of the partner API that the service's router knows. */
export function partnerRoutesOf(service: TestService): Route[] {
  return servedRoutes(service).flatMap(({ method, path }) => {
    if (!isPartnerPath(path)) return [];
    const target = path
      .replace(':journeyId', UNKNOWN_JOURNEY)
      .replace(':applicationId', UNKNOWN_APPLICATION)
      .replace(':subscriptionId', UNKNOWN_SUBSCRIPTION)
      .replace(':deliveryId', UNKNOWN_DELIVERY)
      .replaceAll(/:\w+/g, `dlv_${'0'.repeat(32)}`);
    return [{ method, target }];
  });
}
