import { describe, expect, it } from 'vitest';
import { partnerClient } from '../../support/partner-client.js';
import { serviceOfFile } from '../../support/shared-service.js';

interface Products {
  products: (Record<string, string> & { lenders?: { code: string; name: string }[] })[];
}

const service = serviceOfFile();

const codesOf = ({ products }: Products) => products.map(({ code }) => code);

describe('GET /products answers 200', () => {
  it('with every product of the key, in the order of the configuration, and exactly the documented fields', async () => {
    const { status, json } = await partnerClient(service).get<Products>('/products');
    expect([status, json.success]).toEqual([200, true]);
    expect(codesOf(json.data)).toEqual([
      'ONLINE_PERSONAL',
      'ONLINE_SHORT_TERM',
      'ONLINE_BUSINESS',
      'ONLINE_GOLD',
      'ONLINE_INSTANT',
      'OFFLINE_LAP',
    ]);
    const [personal] = json.data.products;
    // For a consent's text.
    expect(personal.lenders).toContainEqual({
      code: 'navdhara',
      name: 'Navdhara Capital Limited',
    });
    for (const { lenders: _, ...product } of json.data.products) {
      expect(Object.keys(product)).toEqual([
        'code',
        'displayName',
        'category',
        'channel',
        'provider',
        'icon',
        'minimumAmount',
        'maximumAmount',
        'defaultAmount',
        'steps',
      ]);
      expect(Object.values(product).filter((value) => value === '')).toEqual([]);
    }
    const offline = json.data.products.at(-1);
    expect([offline?.channel, offline?.lenders]).toEqual(['OFFLINE', undefined]);
  });

  it('with the products of the key alone', async () => {
    const client = partnerClient(service, { partner: 'limited' });
    const { json } = await client.get<Products>('/products');
    expect(codesOf(json.data)).toEqual(['ONLINE_PERSONAL', 'OFFLINE_LAP']);
  });
});

describe('GET /products answers 403', () => {
  it('to a partner that is suspended', async () => {
    const { status, json } = await partnerClient(service, { partner: 'suspended' }).get(
      '/products',
    );
    expect(status).toBe(403);
    expect(json.code).toBe('partner_suspended');
  });
});
