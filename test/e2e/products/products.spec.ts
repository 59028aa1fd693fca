import { beforeAll, describe, expect, it } from 'vitest';
import { KeyAdministration } from '../../../src/admin/index.js';
import { PartnerClient, partnerClient } from '../../support/partner-client.js';
import type { TestService } from '../../support/service.js';
import { sharedService } from '../../support/shared-service.js';

interface Products {
  products: (Record<string, string> & { lenders?: { code: string; name: string }[] })[];
}

let service: TestService;

beforeAll(async () => {
  service = await sharedService();
});

const codesOf = ({ products }: Products) => products.map(({ code }) => code);

describe('GET /products answers 200', () => {
  it('with every product of the key, in the order of the configuration', async () => {
    const { status, json } = await partnerClient(service).get<Products>('/products');
    expect(status).toBe(200);
    expect(json.success).toBe(true);
    expect(codesOf(json.data)).toEqual([
      'ONLINE_PERSONAL',
      'ONLINE_SHORT_TERM',
      'ONLINE_BUSINESS',
      'ONLINE_GOLD',
      'ONLINE_INSTANT',
      'OFFLINE_LAP',
    ]);
  });

  it('with exactly the documented fields, none of them empty', async () => {
    const { json } = await partnerClient(service).get<Products>('/products');
    for (const { lenders: _, ...product } of json.data.products) {
      expect(Object.keys(product)).toEqual([
        'code',
        'displayName',
        'category',
        'channel',
        'provider',
        'icon',
      ]);
      expect(Object.values(product).every((value) => value.trim() !== '')).toBe(true);
    }
    expect(json.data.products.at(-1)?.channel).toBe('OFFLINE');
  });

  it('with the lenders that serve each of them, for a consent’s text', async () => {
    const { json } = await partnerClient(service).get<Products>('/products');
    const lendersOf = (code: string) =>
      json.data.products.find((one) => one.code === code)?.lenders;
    expect(lendersOf('ONLINE_PERSONAL')).toContainEqual({
      code: 'navdhara',
      name: 'Navdhara Capital Limited',
    });
    expect(lendersOf('OFFLINE_LAP')).toBeUndefined();
  });

  it('with the products of the key alone', async () => {
    const client = partnerClient(service, { partner: 'limited' });
    const { json } = await client.get<Products>('/products');
    expect(codesOf(json.data)).toEqual(['ONLINE_PERSONAL', 'OFFLINE_LAP']);
  });
});

describe('GET /products answers 403', () => {
  it('to a key without the scope products:read', async () => {
    const issued = await service.get(KeyAdministration).issue({
      partnerId: 'demo',
      name: 'without the scope',
      scopes: ['leads:read'],
      products: ['ONLINE_GOLD'],
      limits: { perMinute: 10, perDay: 10 },
    });
    const client = new PartnerClient({
      ...issued,
      baseUrl: service.baseUrl,
    });
    const { status, json } = await client.get('/products');
    expect(status).toBe(403);
    expect(json).toMatchObject({ success: false, code: 'scope_missing' });
  });

  it('to a partner that is suspended', async () => {
    const { status, json } = await partnerClient(service, { partner: 'suspended' }).get(
      '/products',
    );
    expect(status).toBe(403);
    expect(json.code).toBe('partner_suspended');
  });
});
