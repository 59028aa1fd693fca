// Isolated: changes the configuration and keys of two replicas with remote lenders.
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { OwnKeys, type PublicJwk, verificationKey } from '../../../src/lender-api/index.js';
import { Database } from '../../../src/platform/index.js';
import { runAdmin } from '../../support/admin-command.js';
import { eventually, eventuallyFound } from '../../support/eventually.js';
import { startTwoReplicas, type TestService } from '../../support/service.js';
import { newKey, SigningLender } from './signing-lender.js';
import { ofFile } from '../../support/of-file.js';

vi.setConfig({ testTimeout: 90_000 });

const replicas = ofFile(() => startTwoReplicas());

async function published({ baseUrl }: TestService): Promise<PublicJwk[]> {
  const answer = await fetch(`${baseUrl}/.well-known/rlp-jwks.json`);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('cache-control')).toBe('public, max-age=60');
  return ((await answer.json()) as { keys: PublicJwk[] }).keys;
}

/** Clears the key cache, which otherwise expires after ten seconds. */
function forget(): void {
  for (const service of [replicas.first, replicas.second]) {
    Reflect.set(service.get<OwnKeys>(OwnKeys), 'current', undefined);
  }
}

function query<Row extends object>(sql: string, values: unknown[] = []): Promise<Row[]> {
  return replicas.first.get<Database>(Database).query<Row>(sql, values);
}

const names = (keys: readonly PublicJwk[]) => keys.map(({ kid }) => kid);

const admin = (...parameters: string[]) => runAdmin(replicas.first.databaseUrl, ...parameters);

it('the protocol’s document names where lenders find the service', async () => {
  const { baseUrl } = replicas.first;
  const document = await (await fetch(`${baseUrl}/lender-api/openapi.json`)).json();
  const paths = { '/.well-known/rlp-jwks.json': { servers: [{ url: baseUrl }] } };
  expect(document).toMatchObject({ paths });
});

describe('the keys that the service signs with', () => {
  it('begin with one sealed key, which two replicas make together when it is first needed', async () => {
    const [one, other] = await Promise.all([published(replicas.first), published(replicas.second)]);
    expect(one).toHaveLength(1);
    expect(other).toEqual(one);
    expect(one[0]).toMatchObject({ kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig' });
    expect(one[0]).not.toHaveProperty('d');
    expect(verificationKey(one[0]).algorithm).toBe('EdDSA');
    const rows = await query<{ sealed: string }>(
      'SELECT private_sealed AS sealed FROM lender_api_keys',
    );
    for (const { sealed } of rows) expect(sealed).toMatch(/^v1:test:/);
  });

  it('change without a gap: the new one is published before it signs, the old one after it did', async () => {
    const [first] = names(await published(replicas.first));
    const added = await admin('lender-keys', 'add', '--algorithm', 'ES256');
    expect(added).toMatchObject({ code: 0, error: '' });
    forget();
    const both = names(await published(replicas.second));
    expect(both).toHaveLength(2);
    expect(both[0]).toBe(first);
    const keys = replicas.second.get<OwnKeys>(OwnKeys);
    expect((await keys.signing()).kid).toBe(first);

    expect(await admin('lender-keys', 'add')).toMatchObject({
      code: 1,
      error: `Error: Two keys are already in use: retire ${first} first.`,
    });
    await replicas.travel(59 * 60_000);
    expect(await admin('lender-keys', 'retire', first)).toMatchObject({
      code: 1,
      error: expect.stringContaining('was added less than an hour ago') as string,
    });
    await replicas.travel(2 * 60_000);
    expect((await admin('lender-keys', 'retire', first)).code).toBe(0);
    // Without its master key the first key cannot sign, so the other one does.
    await query(`UPDATE lender_api_keys SET private_sealed = 'v1:gone:AAAA' WHERE kid = $1`, [
      first,
    ]);
    forget();
    expect((await keys.signing()).kid).toBe(both[1]);
    expect(names(await published(replicas.first))).toEqual(both);
    const { out } = await admin('lender-keys', 'list');
    expect(out).toMatch(new RegExp(`${first} +RETIRED`));
    expect(out).toMatch(new RegExp(`${both[1]} +SIGNS`));

    await replicas.travel(16 * 60_000);
    forget();
    expect(names(await published(replicas.first))).toEqual([both[1]]);
    // There is always one.
    const only = both[1];
    expect(await admin('lender-keys', 'retire', only)).toMatchObject({
      code: 1,
      error: `Error: ${only} is the only key in use: add another key first.`,
    });
    await admin('lender-keys', 'add');
    expect((await admin('lender-keys', 'retire', only, '--force')).code).toBe(0);
  });
});

/** About an application that the lender was never asked about. */
const EVENT = {
  id: 'event-1',
  applicationId: 'app_1',
  loanReference: 'LOAN-1',
  event: 'CLOSED',
  happenedAt: '2026-11-25T09:00:00+05:30',
};

describe('on two replicas', () => {
  let lenders: SigningLender[];

  beforeAll(async () => {
    const { first, second } = replicas;
    lenders = [first, second].map((service) => new SigningLender(service, 'navdhara'));
    await query('UPDATE lenders SET remote = $2 WHERE code = $1', [
      'navdhara',
      JSON.stringify(lenders[0].remote),
    ]);
    await query('UPDATE configuration SET revision = revision + 1');
    await replicas.travel(1_001);
  });

  it('a request’s id is good once, whichever of them has it first', async () => {
    const { key } = lenders[0];
    for (let turn = 0; turn < 10; turn += 1) {
      const wrong = { key, id: `same-request-${turn}` };
      const responses = await Promise.all(
        lenders.map((one) => one.tell('loan-events', EVENT, wrong)),
      );
      // EVENT is about no application, so the checked request gets `not_found` and its repeat is rejected.
      expect(responses.map(({ json }) => json.error!.code).toSorted()).toEqual([
        'not_found',
        'request_replayed',
      ]);
    }
  });

  it('signatures that do not hold raise one flag, however many there are', async () => {
    const flags = () => query(`SELECT 1 FROM operator_flags WHERE subject_id = 'navdhara'`);
    const key = newKey('navdhara-1');
    const tell = () =>
      Promise.all(lenders.map((one) => one.tell('loan-events', { id: 'a' }, { key })));
    for (let turn = 0; turn < 8; turn += 1) {
      for (const { status } of await tell()) expect(status).toBe(401);
    }
    await eventually(async () => expect(await flags()).toHaveLength(1));
    // After the flag is resolved, further refusals raise a new one.
    await query('UPDATE operator_flags SET resolved_at = app_now()');
    await replicas.travel(11 * 60_000);
    for (let turn = 0; turn < 5; turn += 1) await tell();
    await eventually(async () => expect(await flags()).toHaveLength(2));
  });

  it('too much at once is 429 for that lender, and for an address whose calls are not signed', async () => {
    const { baseUrl } = replicas.first;
    const tell = (body: object | string) => lenders[0].tell('loan-events', body);
    const refusedOfMany = async () => {
      const many = await Promise.all(Array.from({ length: 150 }, () => tell(EVENT)));
      return many.filter(({ status }) => status === 429);
    };
    // Retries: a busy machine may send too slowly to reach the limit.
    const refused = await eventuallyFound(async () => {
      const some = await refusedOfMany();
      return some.length > 0 ? some : null;
    });
    expect(refused[0].json.error!.code).toBe('too_many_requests');
    const metrics = await (await fetch(`${baseUrl}/metrics`)).text();
    expect(metrics).toContain(
      `lender_callbacks_total{lender="navdhara",call="LOAN_EVENTS",outcome="too_many_requests"} ${refused.length}`,
    );
    const address = `${baseUrl}/lender-api/v1/kaverisetu/answers`;
    const unsigned = () => fetch(address, { method: 'POST', body: '{' });
    const statuses = new Set<number>();
    for (let batch = 0; batch < 13; batch += 1) {
      const answers = await Promise.all(Array.from({ length: 50 }, unsigned));
      for (const { status } of answers) statuses.add(status);
      await Promise.all(answers.map((answer) => answer.arrayBuffer()));
    }
    expect(statuses).toEqual(new Set([401, 429]));
    // A lender behind that address still gets a response.
    await eventually(async () => expect((await tell('{')).status).toBe(400));
  });
});
