import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { makeApiKey, makeApiSecret } from '../../auth/index.js';
import { RandomSource } from '../../platform/index.js';
import { fieldsOf, problemsOf, SHIPPED, type Step, withValue } from './configuration-example.js';

const random = new RandomSource();
const TERMS: unknown = (parse(SHIPPED) as { lenders: { products: Record<string, object> }[] })
  .lenders[0].products.ONLINE_GOLD;

function lacking(product: number, steps: string, code: string): string {
  return `products[${product}].steps must have ${steps}: without that no loan of ${code} can be paid out`;
}

describe('a mistake between parts is named by its path', () => {
  const gold = ['lenders', 1, 'products', 'ONLINE_GOLD'];
  const key = ['partners', 0, 'keys', 0];
  const journey = ['OFFERS', 'KYC', 'BANK_ACCOUNT', 'MANDATE', 'ESIGN', 'DISBURSEMENT'];
  const mistakes: [guarantee: string, path: Step[], value: unknown, field: string][] = [
    ['two lenders of one code', ['lenders', 2, 'code'], 'navdhara', 'lenders[2].code'],
    ['two partners of one id', ['partners', 1, 'id'], 'demo', 'partners[1].id'],
    ['two keys of one name', [...key, 'name'], 'demo-load', 'partners[0].keys[1].name'],
    ['steps out of order', ['products', 0, 'steps'], journey.toReversed(), 'products[0].steps'],
    ['steps without OFFERS', ['products', 0, 'steps'], journey.slice(1), 'products[0].steps'],
    ['steps without an end', ['products', 0, 'steps'], journey.slice(0, -1), 'products[0].steps'],
    ['no steps', ['products', 0, 'steps'], [], 'products[0].steps'],
    ['a branch product with a journey', ['products', 5, 'steps'], journey, 'products[5].steps'],
    ['an instant loan with a journey', ['products', 4, 'steps'], journey, 'products[4].steps'],
    ['maximum < minimum', ['products', 0, 'maximumAmount'], 999, 'products[0].maximumAmount'],
    ['a default below', ['products', 0, 'defaultAmount'], 999, 'products[0].defaultAmount'],
    [
      'a lender that serves what is not there',
      ['lenders', 0, 'products', 'ONLINE_SILVER'],
      TERMS,
      'lenders[0].products.ONLINE_SILVER',
    ],
    [
      "a lender's maximum below its minimum",
      [...gold, 'maximumAmount'],
      500,
      'lenders[1].products.ONLINE_GOLD.maximumAmount',
    ],
    [
      'a fee without a basis',
      [...gold, 'fees', 0, 'flat'],
      undefined,
      'lenders[1].products.ONLINE_GOLD.fees[0]',
    ],
    [
      'a charge of an unpaid instalment without a basis',
      [...gold, 'contingentCharges'],
      [{ name: 'Late', description: 'Late', ifUnpaid: { gstPercent: 18, every: 'TIME' } }],
      'lenders[1].products.ONLINE_GOLD.contingentCharges[0].ifUnpaid',
    ],
    [
      "a fee's maximum below its minimum",
      [...gold, 'fees', 0],
      { name: 'Fee', payee: 'LENDER', percentOfPrincipal: 1, minimum: 50, maximum: 40 },
      'lenders[1].products.ONLINE_GOLD.fees[0].maximum',
    ],
    [
      'fees that leave nothing of the smallest loan',
      [...gold, 'fees', 0, 'flat'],
      999,
      'lenders[1].products.ONLINE_GOLD',
    ],
    [
      'gold without its terms',
      [...gold, 'gold'],
      undefined,
      'lenders[1].products.ONLINE_GOLD.gold',
    ],
    [
      'a lender as its own recovery agent',
      ['lenders', 0, 'recoveryAgentLsp'],
      'Navdhara Capital Limited',
      'lenders[0].recoveryAgentLsp',
    ],
    [
      'a branch that closes before it opens',
      ['lenders', 0, 'branches', 0, 'hours', 0, 'closes'],
      '09:30',
      'lenders[0].branches[0].hours[0].closes',
    ],
    [
      'opening hours of no day',
      ['lenders', 0, 'branches', 1, 'hours', 0, 'days'],
      [],
      'lenders[0].branches[1].hours[0].days',
    ],
    ['gold without a branch', ['lenders', 1, 'branches'], [], 'lenders[1].products.ONLINE_GOLD'],
    [
      'a slab that lends nothing',
      [...gold, 'gold', 'slabs'],
      [{ ratioPercent: 0 }],
      'lenders[1].products.ONLINE_GOLD.gold',
    ],
    [
      'a product that is not in the catalogue',
      [...key, 'products', 1],
      'ONLINE_SILVER',
      'partners[0].keys[0].products[1]',
    ],
    [
      "a default that is not the key's",
      ['partners', 1, 'keys', 0, 'defaultProduct'],
      'ONLINE_GOLD',
      'partners[1].keys[0].defaultProduct',
    ],
    [
      'a return to another host',
      ['partners', 0, 'returnUrl'],
      '//evil.example',
      'partners[0].returnUrl',
    ],
    [
      'a return that is read as one',
      ['partners', 0, 'returnUrl'],
      '/\\evil.example',
      'partners[0].returnUrl',
    ],
    ['a path with a fragment', ['partners', 0, 'returnUrl'], '/sandbox#x', 'partners[0].returnUrl'],
    ['a return to nowhere', ['partners', 0, 'returnUrl'], 'example.com', 'partners[0].returnUrl'],
    ['a return to a script', ['partners', 0, 'returnUrl'], 'javascript:1', 'partners[0].returnUrl'],
    [
      'a return with credentials',
      ['partners', 0, 'returnUrl'],
      'https://a:b@example.com/',
      'partners[0].returnUrl',
    ],
    [
      'a give-up before the deadline',
      ['settings', 'lenderGiveUpSeconds'],
      60,
      'settings.lenderGiveUpSeconds',
    ],
    [
      'a give-up at the deadline itself',
      ['settings', 'lenderGiveUpSeconds'],
      120,
      'settings.lenderGiveUpSeconds',
    ],
    ['a truncated key', [...key, 'apiKey'], 'rinpath_test_abc', 'partners[0].keys[0].apiKey'],
    [
      'a mistyped key',
      [...key, 'apiKey'],
      `rinpath_test_${'a'.repeat(36)}`,
      'partners[0].keys[0].apiKey',
    ],
    [
      'a key of another brand',
      [...key, 'apiKey'],
      makeApiKey('other', 'test', random),
      'partners[0].keys[0].apiKey',
    ],
    [
      'a live key in a sandbox',
      [...key, 'apiKey'],
      makeApiKey('rinpath', 'live', random),
      'partners[0].keys[0].apiKey',
    ],
    [
      'a live secret in a sandbox',
      [...key, 'apiSecret'],
      makeApiSecret('rinpath', 'live', random),
      'partners[0].keys[0].apiSecret',
    ],
    ['a short secret', [...key, 'apiSecret'], 'hush', 'partners[0].keys[0].apiSecret'],
  ];

  it.each(mistakes)('%s', (_, path, value, field) => {
    expect(fieldsOf(withValue(path, value))).toEqual([field]);
  });

  it('steps that cannot lead to the money, each and the product by name', () => {
    const [personal, onGold] = [0, 3].map((index) => ['products', index, 'steps']);
    const branch = journey.toSpliced(1, 0, 'BRANCH');
    const without = (...left: string[]) => journey.filter((step) => !left.includes(step));
    const outcomes: [path: Step[], steps: string[], problem: string][] = [
      [personal, without('KYC'), lacking(0, 'KYC', 'ONLINE_PERSONAL')],
      [personal, without('BANK_ACCOUNT'), lacking(0, 'BANK_ACCOUNT', 'ONLINE_PERSONAL')],
      [personal, without('ESIGN'), lacking(0, 'ESIGN', 'ONLINE_PERSONAL')],
      [
        personal,
        ['OFFERS', 'DISBURSEMENT'],
        lacking(0, 'KYC, BANK_ACCOUNT, ESIGN', 'ONLINE_PERSONAL'),
      ],
      [onGold, without('MANDATE'), lacking(3, 'BRANCH', 'ONLINE_GOLD')],
      [
        personal,
        branch,
        'products[0].steps must not have BRANCH: no gold is appraised for a loan of ONLINE_PERSONAL',
      ],
    ];
    for (const [path, steps, problem] of outcomes) {
      expect(problemsOf(withValue(path, steps))).toEqual([problem]);
    }
  });

  it('two products of one code', () => {
    expect(fieldsOf(withValue(['products', 1, 'code'], 'ONLINE_GOLD'))).toContain(
      'products[3].code',
    );
  });

  it('the same key twice', () => {
    const { partners } = parse(SHIPPED) as { partners: { keys: { apiKey: string }[] }[] };
    const text = withValue(['partners', 1, 'keys', 0, 'apiKey'], partners[0].keys[0].apiKey);
    expect(fieldsOf(text)).toEqual(['partners[1].keys[0].apiKey']);
  });

  it('the same branch twice', () => {
    const { lenders } = parse(SHIPPED) as { lenders: { branches: { id: string }[] }[] };
    const text = withValue(['lenders', 1, 'branches', 0, 'id'], lenders[0].branches[0].id);
    expect(fieldsOf(text)).toEqual(['lenders[1].branches[0].id']);
  });

  it("a lender's amounts that miss the product's", () => {
    const document = parse(SHIPPED) as {
      lenders: { products: Record<string, { minimumAmount: number; maximumAmount: number }> }[];
    };
    Object.assign(document.lenders[1].products.ONLINE_GOLD, {
      minimumAmount: 20_000_000,
      maximumAmount: 30_000_000,
    });
    expect(fieldsOf(stringify(document))).toEqual([
      'lenders[1].products.ONLINE_GOLD.minimumAmount',
    ]);
  });
});

describe('steps that an operator may choose', () => {
  it.each([
    ['a loan without a mandate', 0, ['OFFERS', 'KYC', 'BANK_ACCOUNT', 'ESIGN', 'DISBURSEMENT']],
    [
      'a loan against gold with a mandate',
      3,
      ['OFFERS', 'BRANCH', 'KYC', 'BANK_ACCOUNT', 'MANDATE', 'ESIGN', 'DISBURSEMENT'],
    ],
  ])('%s', (_, product, steps) => {
    expect(problemsOf(withValue(['products', product, 'steps'], steps))).toEqual([]);
  });
});
