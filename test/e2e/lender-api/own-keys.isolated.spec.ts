// Isolated: begins without keys, and changes those of the service.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { brandOf } from '../../../src/admin/index.js';
import {
  lenderDocument,
  OwnKeys,
  type PublicJwk,
  verificationKey,
} from '../../../src/lender-api/index.js';
import { Database } from '../../../src/platform/index.js';
import { runAdmin } from '../../support/admin-command.js';
import { shippedConfiguration } from '../../support/shipped-configuration.js';
import { startTwoReplicas, type TestService, type TwoReplicas } from '../../support/service.js';

let replicas: TwoReplicas;

beforeAll(async () => {
  replicas = await startTwoReplicas();
});

afterAll(() => replicas?.close());

async function published({ baseUrl }: TestService): Promise<PublicJwk[]> {
  const answer = await fetch(`${baseUrl}/.well-known/rlp-jwks.json`);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('cache-control')).toBe('public, max-age=60');
  return ((await answer.json()) as { keys: PublicJwk[] }).keys;
}

/** What was read before is forgotten, as it is after ten seconds. */
function forget(): void {
  for (const service of [replicas.first, replicas.second]) {
    Reflect.set(service.get<OwnKeys>(OwnKeys), 'current', undefined);
  }
}

const names = (keys: readonly PublicJwk[]) => keys.map(({ kid }) => kid);
const admin = (...parameters: string[]) => runAdmin(replicas.first.databaseUrl, ...parameters);

describe('the protocol’s document', () => {
  it('is served to everybody, and names where lenders find the service', async () => {
    const { baseUrl } = replicas.first;
    const answer = await fetch(`${baseUrl}/lender-api/openapi.json`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    const document = (await answer.json()) as ReturnType<typeof lenderDocument>;
    const { brand } = parse(shippedConfiguration()) as { brand: Parameters<typeof brandOf>[0] };
    expect(document).toEqual(JSON.parse(JSON.stringify(lenderDocument(brandOf(brand), baseUrl))));
    expect(document.paths['/.well-known/rlp-jwks.json']).toMatchObject({
      servers: [{ url: baseUrl }],
    });
  });
});

describe('the keys that the service signs with', () => {
  it('begin with one, which two replicas make together when it is first needed', async () => {
    const [one, other] = await Promise.all([published(replicas.first), published(replicas.second)]);
    expect(one).toHaveLength(1);
    expect(other).toEqual(one);
    expect(one[0]).toMatchObject({ kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig' });
    expect(one[0]).not.toHaveProperty('d');
    expect(verificationKey(one[0]).algorithm).toBe('EdDSA');
  });

  it('are sealed in their table', async () => {
    await published(replicas.first);
    const rows = await replicas.first
      .get<Database>(Database)
      .query<{ private_sealed: string }>('SELECT private_sealed FROM lender_api_keys');
    for (const { private_sealed } of rows) expect(private_sealed).toMatch(/^v1:test:/);
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
      error: `There are two keys in use: retire ${first} first.`,
    });
    await replicas.travel(59 * 60_000);
    expect(await admin('lender-keys', 'retire', first)).toMatchObject({
      code: 1,
      error: expect.stringContaining('was added less than an hour ago') as string,
    });
    await replicas.travel(2 * 60_000);
    expect((await admin('lender-keys', 'retire', first)).code).toBe(0);
    // Its master key is gone: it is told all the same, and the other one signs.
    await replicas.first
      .get<Database>(Database)
      .query(`UPDATE lender_api_keys SET private_sealed = 'v1:gone:AAAA' WHERE kid = $1`, [first]);
    forget();
    expect((await keys.signing()).kid).toBe(both[1]);
    expect(names(await published(replicas.first))).toEqual(both);
    const { out } = await admin('lender-keys', 'list');
    expect(out).toMatch(new RegExp(`${first} +RETIRED`));
    expect(out).toMatch(new RegExp(`${both[1]} +SIGNS`));

    await replicas.travel(16 * 60_000);
    forget();
    expect(names(await published(replicas.first))).toEqual([both[1]]);
  });

  it('are never none', async () => {
    const [only] = names(await published(replicas.first));
    expect(await admin('lender-keys', 'retire', only)).toMatchObject({
      code: 1,
      error: `${only} is the only key in use: add another one first.`,
    });
    expect(await admin('lender-keys', 'retire', 'nobody')).toMatchObject({ code: 1 });
    await admin('lender-keys', 'add');
    expect((await admin('lender-keys', 'retire', only, '--force')).code).toBe(0);
  });
});
