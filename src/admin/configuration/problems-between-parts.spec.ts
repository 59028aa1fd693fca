import { describe, expect, it } from 'vitest';
import { makeApiKey, makeApiSecret } from '../../auth/index.js';
import { RandomSource } from '../../platform/index.js';
import { fieldsOf, pathOf, problemsOf, shippedValues, withValue } from './configuration-example.js';

interface File {
  lenders: { products: Record<string, Record<string, unknown>>; branches: { id: string }[] }[];
  partners: { keys: { apiKey: string }[] }[];
}

const random = new RandomSource();
const { lenders, partners } = shippedValues() as unknown as File;
const JOURNEY = ['OFFERS', 'KYC', 'BANK_ACCOUNT', 'MANDATE', 'ESIGN', 'DISBURSEMENT'];

describe('an error between parts is named by its path', () => {
  const terms = 'lenders[1].products.ONLINE_GOLD';
  const key = 'partners[0].keys[0]';
  const late = {
    name: 'Late',
    description: 'Late',
    ifUnpaid: { gstPercent: 18, every: 'TIME' },
  };
  const fee = {
    name: 'Fee',
    payee: 'LENDER',
    percentOfPrincipal: 1,
    minimum: 50,
    maximum: 40,
  };

  it.each<[what: string, path: string, value: unknown, field?: string]>([
    ['two lenders of one code', 'lenders[2].code', 'navdhara'],
    ['two partners of one id', 'partners[1].id', 'demo'],
    ['two keys of one name', `${key}.name`, 'demo-load', 'partners[0].keys[1].name'],
    ['one key twice', 'partners[1].keys[0].apiKey', partners[0].keys[0].apiKey],
    ['one branch twice', 'lenders[1].branches[0].id', lenders[0].branches[0].id],
    ['steps out of order', 'products[0].steps', JOURNEY.toReversed()],
    ['steps without OFFERS', 'products[0].steps', JOURNEY.slice(1)],
    ['steps without an end', 'products[0].steps', JOURNEY.slice(0, -1)],
    ['no steps', 'products[0].steps', []],
    ['a branch product with a journey', 'products[5].steps', JOURNEY],
    ['an instant loan with a journey', 'products[4].steps', JOURNEY],
    ['maximum < minimum', 'products[0].maximumAmount', 999],
    ['a default below the minimum', 'products[0].defaultAmount', 999],
    ['unknown product', 'lenders[0].products.ONLINE_SILVER', lenders[0].products.ONLINE_GOLD],
    ['a maximum of terms below the minimum', `${terms}.maximumAmount`, 500],
    ['a fee without a basis', `${terms}.fees[0].flat`, undefined, `${terms}.fees[0]`],
    [
      'a charge without a basis',
      `${terms}.contingentCharges`,
      [late],
      `${terms}.contingentCharges[0].ifUnpaid`,
    ],
    ['a maximum of a fee below its minimum', `${terms}.fees[0]`, fee, `${terms}.fees[0].maximum`],
    ['fees that leave nothing of the smallest loan', `${terms}.fees[0].flat`, 999, terms],
    ['gold without its terms', `${terms}.gold`, undefined],
    ['a slab that lends nothing', `${terms}.gold.slabs`, [{ ratioPercent: 0 }], `${terms}.gold`],
    ['gold without a branch', 'lenders[1].branches', [], terms],
    ['a lender as its agent', 'lenders[0].recoveryAgentLsp', 'Navdhara Capital Limited'],
    ['a branch that closes first', 'lenders[0].branches[0].hours[0].closes', '09:30'],
    ['opening hours of no day', 'lenders[0].branches[1].hours[0].days', []],
    ['a key of an unknown product', `${key}.products[1]`, 'ONLINE_SILVER'],
    ['a default that is not the key’s', 'partners[1].keys[0].defaultProduct', 'ONLINE_GOLD'],
    ['a return to another host', 'partners[0].returnUrl', '//evil.example'],
    ['a return that is read as one', 'partners[0].returnUrl', '/\\evil.example'],
    ['a path with a fragment', 'partners[0].returnUrl', '/sandbox#x'],
    ['a return to nowhere', 'partners[0].returnUrl', 'example.com'],
    ['a return to a script', 'partners[0].returnUrl', 'javascript:1'],
    ['a return with credentials', 'partners[0].returnUrl', 'https://a:b@example.com/'],
    ['a return to a private address', 'partners[0].returnUrl', 'https://10.1.2.3/'],
    ['alerts to no host', 'partners[0].alertEmails', ['a@a..example']],
    ['a give-up before the deadline', 'settings.lenderGiveUpSeconds', 60],
    ['a give-up at the deadline itself', 'settings.lenderGiveUpSeconds', 120],
    ['a truncated key', `${key}.apiKey`, 'rinpath_test_abc'],
    ['a mistyped key', `${key}.apiKey`, `rinpath_test_${'a'.repeat(36)}`],
    ['a key of another brand', `${key}.apiKey`, makeApiKey('other', 'test', random)],
    ['a live key in a sandbox', `${key}.apiKey`, makeApiKey('rinpath', 'live', random)],
    ['a live secret in a sandbox', `${key}.apiSecret`, makeApiSecret('rinpath', 'live', random)],
    ['a short secret', `${key}.apiSecret`, 'hush'],
  ])('%s', (_, path, value, field = path) => {
    expect(fieldsOf(withValue(pathOf(path), value))).toEqual([field]);
  });

  it('two products of one code', () => {
    const text = withValue(['products', 1, 'code'], 'ONLINE_GOLD');
    expect(fieldsOf(text)).toContain('products[3].code');
  });

  it("a lender's amounts that miss the product's", () => {
    const file = shippedValues() as unknown as File;
    const amounts = { minimumAmount: 20_000_000, maximumAmount: 30_000_000 };
    Object.assign(file.lenders[1].products.ONLINE_GOLD, amounts);
    expect(fieldsOf(file)).toEqual([`${terms}.minimumAmount`]);
  });
});

describe('steps', () => {
  const without = (...left: string[]) => JOURNEY.filter((step) => !left.includes(step));
  const lacking = (product: number, steps: string, code: string) =>
    `products[${product}].steps must have ${steps}: a loan of ${code} cannot be paid out without it`;

  it.each<[product: number, steps: string[], problems: string[]]>([
    [0, without('KYC'), [lacking(0, 'KYC', 'ONLINE_PERSONAL')]],
    [0, without('BANK_ACCOUNT'), [lacking(0, 'BANK_ACCOUNT', 'ONLINE_PERSONAL')]],
    [0, without('ESIGN'), [lacking(0, 'ESIGN', 'ONLINE_PERSONAL')]],
    [0, ['OFFERS', 'DISBURSEMENT'], [lacking(0, 'KYC, BANK_ACCOUNT, ESIGN', 'ONLINE_PERSONAL')]],
    [3, without('MANDATE'), [lacking(3, 'BRANCH', 'ONLINE_GOLD')]],
    [
      0,
      JOURNEY.toSpliced(1, 0, 'BRANCH'),
      ['products[0].steps must not have BRANCH: ONLINE_PERSONAL is not a gold loan'],
    ],
    [0, without('MANDATE'), []],
    [3, JOURNEY.toSpliced(1, 0, 'BRANCH'), []],
  ])('of products[%i]: %j', (product, steps, problems) => {
    expect(problemsOf(withValue(['products', product, 'steps'], steps))).toEqual(problems);
  });
});
