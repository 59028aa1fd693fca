import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { makeApiKey, makeApiSecret } from '../auth/index.js';
import { projectPath, RandomSource, sha256 } from '../platform/index.js';
import { checkConfiguration, readConfigurationFile } from './configuration-file.js';
import { OPEN_KEY_HASHES } from './configuration/open-key-hashes.js';
import type { Deployment } from './configuration/deployment.js';
import { settingsOf } from './configuration/settings-of.js';

const SANDBOX_FILE = projectPath('config/sandbox.yaml');
const SANDBOX: Deployment = {
  mode: 'sandbox',
  isLoopback: true,
  sandboxOpen: false,
  lenderAdapters: ['sandbox'],
};
const PRODUCTION: Deployment = {
  mode: 'production',
  isLoopback: false,
  sandboxOpen: false,
  lenderAdapters: ['wire'],
};
const TEXT = readFileSync(SANDBOX_FILE, 'utf8');
const random = new RandomSource();
const TERMS: unknown = (parse(TEXT) as { lenders: { products: Record<string, object> }[] })
  .lenders[0].products.ONLINE_GOLD;

const REAL_GATEWAYS = {
  sms: { gateway: 'http', http: { method: 'POST', url: 'https://sms.example/send' } },
  payment: {
    gateway: 'razorpay',
    razorpay: { keyId: 'rzp_live_000000', keySecret: 'secret', webhookSecret: 'hook' },
  },
};

type Step = string | number;

/** The shipped file with one value replaced; `undefined` takes it out. */
function withValue(path: Step[], value: unknown): string {
  // A copy in which what the file says by alias stands apart.
  const document = JSON.parse(JSON.stringify(parse(TEXT))) as Record<Step, unknown>;
  let holder = document;
  for (const step of path.slice(0, -1)) holder = holder[step] as Record<Step, unknown>;
  const last = path.at(-1)!;
  if (value === undefined) delete holder[last];
  else holder[last] = value;
  return stringify(document);
}

function problemsOf(text: string, deployment = SANDBOX, variables = {}): string[] {
  const { problems } = checkConfiguration(text, deployment, variables);
  return problems.map(({ field, message }) => `${field} ${message}`);
}

function fieldsOf(text: string, deployment = SANDBOX): string[] {
  return checkConfiguration(text, deployment, {}).problems.map(({ field }) => field);
}

function lacking(product: number, steps: string, code: string): string {
  return `products[${product}].steps must hold ${steps}: without that no loan of ${code} can be paid out`;
}

/** How long every offer of a lender of the shipped file stands. */
function daysOfLender(index: number): number {
  const { lenders } = parse(TEXT) as {
    lenders: { products: Record<string, { offerValidDays: number }> }[];
  };
  return Math.min(...Object.values(lenders[index].products).map((terms) => terms.offerValidDays));
}

describe('the shipped config/sandbox.yaml', () => {
  const { products, lenders, partners } = readConfigurationFile(SANDBOX_FILE, SANDBOX, {});

  it('is right', () => {
    expect(problemsOf(TEXT)).toEqual([]);
  });

  it('has the five online products and a branch product', () => {
    expect(products.map(({ code, channel }) => `${channel} ${code}`)).toEqual([
      'ONLINE ONLINE_PERSONAL',
      'ONLINE ONLINE_SHORT_TERM',
      'ONLINE ONLINE_BUSINESS',
      'ONLINE ONLINE_GOLD',
      'ONLINE ONLINE_INSTANT',
      'OFFLINE OFFLINE_LAP',
    ]);
  });

  it('has three lenders that serve every online product from ₹1,000 to ₹1 crore', () => {
    expect(lenders).toHaveLength(3);
    const online = products.filter(({ channel }) => channel === 'ONLINE').map(({ code }) => code);
    for (const lender of lenders) {
      expect([...lender.products.keys()]).toEqual(online);
      const ranges = [...lender.products.values()].map((terms) => [
        terms.minimumAmount,
        terms.maximumAmount,
      ]);
      expect(ranges).toEqual(online.map(() => [1_000, 10_000_000]));
      expect(lender.branches?.length).toBeGreaterThanOrEqual(2);
    }
  });

  it('has all its keys and secrets among the open ones, and no others are', () => {
    const texts = partners.flatMap(({ keys }) =>
      (keys ?? []).flatMap(({ apiKey, apiSecret }) => [apiKey, apiSecret]),
    );
    expect(texts.map((text) => sha256(text)).toSorted()).toEqual([...OPEN_KEY_HASHES].toSorted());
  });

  it('is taken by a sandbox on loopback, or one that was opened, and by nothing else', () => {
    const keyFields = partners.flatMap(({ keys }, partner) =>
      (keys ?? []).flatMap((_, key) => [
        `partners[${partner}].keys[${key}].apiKey`,
        `partners[${partner}].keys[${key}].apiSecret`,
      ]),
    );
    expect(fieldsOf(TEXT, { ...SANDBOX, isLoopback: false })).toEqual(keyFields);
    expect(fieldsOf(TEXT, { ...SANDBOX, isLoopback: false, sandboxOpen: true })).toEqual([]);
    expect(fieldsOf(TEXT, PRODUCTION)).toEqual(expect.arrayContaining(keyFields));
    expect(fieldsOf(TEXT, { ...PRODUCTION, isLoopback: true, sandboxOpen: true })).toEqual(
      expect.arrayContaining(keyFields),
    );
  });
});

describe('a mistake of shape is named by its path', () => {
  const gold = ['lenders', 1, 'products', 'ONLINE_GOLD'];
  const key = ['partners', 0, 'keys', 0];
  const mistakes: [path: Step[], value: unknown, field: string][] = [
    [['version'], undefined, 'version'],
    [['version'], '1', 'version'],
    [['brand'], undefined, 'brand'],
    [['brand', 'slug'], 'Rin_Path', 'brand.slug'],
    [['brand', 'accentColour'], 'blue', 'brand.accentColour'],
    [['brand', 'smsLanguage'], 'ta', 'brand.smsLanguage'],
    [['brand', 'support', 'email'], 'nobody', 'brand.support.email'],
    [['settings', 'pollIntervalSeconds'], 0, 'settings.pollIntervalSeconds'],
    [['settings', 'polIntervalSeconds'], 2, 'settings.polIntervalSeconds'],
    [['settings', 'codesPerAddressPerHour'], 0, 'settings.codesPerAddressPerHour'],
    [['settings', 'wrongCodesPerAddressPerHour'], 1.5, 'settings.wrongCodesPerAddressPerHour'],
    [['settings', 'linksPerAddressPerHour'], 100_001, 'settings.linksPerAddressPerHour'],
    [['settings', 'textsPerMobilePerDay'], 0, 'settings.textsPerMobilePerDay'],
    [['settings', 'bankHolidays'], '2026-01-26', 'settings.bankHolidays'],
    [['settings', 'bankHolidays'], [20_260_126], 'settings.bankHolidays'],
    [['products'], [], 'products'],
    [['products'], { code: 'X' }, 'products'],
    [['products', 0], null, 'products[0]'],
    [['products', 0], 'ONLINE_PERSONAL', 'products[0]'],
    [['products', 2, 'displayName'], '', 'products[2].displayName'],
    [['products', 2, 'channel'], 'BRANCH', 'products[2].channel'],
    [['products', 2, 'minimumAmount'], -5, 'products[2].minimumAmount'],
    [['products', 2, 'minimumAmount'], 1.005, 'products[2].minimumAmount'],
    [['products', 2, 'steps'], ['OFFERS', 'DANCE', 'DISBURSEMENT'], 'products[2].steps'],
    [['products', 2, 'steps'], ['OFFERS', 'KYC', 'KYC', 'DISBURSEMENT'], 'products[2].steps'],
    [['lenders', 0, 'grievanceOfficer', 'name'], undefined, 'lenders[0].grievanceOfficer.name'],
    [['lenders', 0, 'branches', 1, 'latitude'], 91, 'lenders[0].branches[1].latitude'],
    [['lenders', 0, 'products'], [], 'lenders[0].products'],
    [[...gold], 5, 'lenders[1].products.ONLINE_GOLD'],
    [[...gold, 'fees', 0, 'flat'], -1, 'lenders[1].products.ONLINE_GOLD.fees[0].flat'],
    [[...gold, 'fees', 0, 'flat'], 'much', 'lenders[1].products.ONLINE_GOLD.fees[0].flat'],
    [[...gold, 'fees', 0, 'payee'], 'ME', 'lenders[1].products.ONLINE_GOLD.fees[0].payee'],
    [[...gold, 'fees', 0, 'flta'], 1, 'lenders[1].products.ONLINE_GOLD.fees[0].flta'],
    [[...gold, 'fees'], 'none', 'lenders[1].products.ONLINE_GOLD.fees'],
    [[...gold, 'offerValidDays'], 4, 'lenders[1].products.ONLINE_GOLD.offerValidDays'],
    [[...gold, 'annualRatePercent'], 101, 'lenders[1].products.ONLINE_GOLD.annualRatePercent'],
    [[...gold, 'tenureMonths'], 1.5, 'lenders[1].products.ONLINE_GOLD.tenureMonths'],
    [[...gold, 'gold', 'pricePerGram'], 0, 'lenders[1].products.ONLINE_GOLD.gold.pricePerGram'],
    [['partners', 1, 'id'], 'No Spaces', 'partners[1].id'],
    [['partners', 1, 'status'], 'ASLEEP', 'partners[1].status'],
    [[...key, 'name'], undefined, 'partners[0].keys[0].name'],
    [[...key, 'scopes'], ['leads:write'], 'partners[0].keys[0].scopes'],
    [[...key, 'scopes'], 'leads:read', 'partners[0].keys[0].scopes'],
    [[...key, 'limits'], { perMinute: 0 }, 'partners[0].keys[0].limits.perMinute'],
    [[...key, 'limits'], { perHour: 5 }, 'partners[0].keys[0].limits.perHour'],
    [[...key, 'defaultChannel'], 'PHONE', 'partners[0].keys[0].defaultChannel'],
    [['colours'], {}, 'colours'],
  ];

  it.each(mistakes)('%j = %j', (path, value, field) => {
    expect(fieldsOf(withValue(path, value))).toEqual([field]);
  });
});

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
        'products[0].steps must not hold BRANCH: no gold is appraised for a loan of ONLINE_PERSONAL',
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
    const { partners } = parse(TEXT) as { partners: { keys: { apiKey: string }[] }[] };
    const text = withValue(['partners', 1, 'keys', 0, 'apiKey'], partners[0].keys[0].apiKey);
    expect(fieldsOf(text)).toEqual(['partners[1].keys[0].apiKey']);
  });

  it('the same branch twice', () => {
    const { lenders } = parse(TEXT) as { lenders: { branches: { id: string }[] }[] };
    const text = withValue(['lenders', 1, 'branches', 0, 'id'], lenders[0].branches[0].id);
    expect(fieldsOf(text)).toEqual(['lenders[1].branches[0].id']);
  });

  it("a lender's amounts that miss the product's", () => {
    const document = parse(TEXT) as {
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

describe('who serves a product', () => {
  const unserved = (product: number, code: string) =>
    `products[${product}] is served by no lender: give an enabled one terms for ${code}, or switch it off (enabled: false)`;
  const none = 'lenders must not be empty: products are switched on that need a lender';
  /** The shipped file with every lender's terms for one product taken out. */
  const withoutTerms = (code: string) => {
    const file = JSON.parse(JSON.stringify(parse(TEXT))) as { lenders: { products: object }[] };
    for (const { products } of file.lenders) Reflect.deleteProperty(products, code);
    return stringify(file);
  };
  /** The shipped file with its online products switched off, and these lenders. */
  const withBranchProductsAlone = (lenders: unknown) => {
    const file = parse(TEXT) as { products: { channel: string }[] };
    const products = file.products.map((product) => ({
      ...product,
      enabled: product.channel === 'OFFLINE',
    }));
    return stringify({ ...file, products, lenders });
  };

  it('is a lender whose adapter the build has; the mistake names those that there are', () => {
    expect(problemsOf(withValue(['lenders', 1, 'adapter'], 'nobody-has-it'))).toEqual([
      'lenders[1].adapter is not among the adapters that this build has for sandbox: sandbox',
    ]);
    expect(fieldsOf(TEXT, { ...SANDBOX, lenderAdapters: ['wire'] })).toEqual(
      [0, 1, 2].map((lender) => `lenders[${lender}].adapter`),
    );
    const nothing = { ...PRODUCTION, lenderAdapters: [] };
    expect(problemsOf(TEXT, nothing)).toContain(
      'lenders[0].adapter is not among the adapters that this build has for production: none',
    );
  });

  it('must be somebody: an empty list leaves every online product without, the instant loan too', () => {
    expect(problemsOf(withValue(['lenders'], []))).toEqual([
      none,
      unserved(0, 'ONLINE_PERSONAL'),
      unserved(1, 'ONLINE_SHORT_TERM'),
      unserved(2, 'ONLINE_BUSINESS'),
      unserved(3, 'ONLINE_GOLD'),
      unserved(4, 'ONLINE_INSTANT'),
    ]);
  });

  it.each([
    [0, 'ONLINE_PERSONAL'],
    [4, 'ONLINE_INSTANT'],
  ])('must be somebody for each product: products[%i]', (index, code) => {
    expect(problemsOf(withoutTerms(code))).toEqual([unserved(index, code)]);
  });

  it('is nobody who is switched off', () => {
    const file = JSON.parse(JSON.stringify(parse(TEXT))) as { lenders: { enabled?: boolean }[] };
    for (const lender of file.lenders) lender.enabled = false;
    expect(fieldsOf(stringify(file))).toEqual([0, 1, 2, 3, 4].map((index) => `products[${index}]`));
  });

  it('need be nobody for a product that is switched off, nor for one of a branch', () => {
    expect(problemsOf(withBranchProductsAlone([]))).toEqual([]);
  });

  it('is not asked while the lenders cannot be read', () => {
    expect(fieldsOf(withValue(['lenders'], 'navdhara'))).toEqual(['lenders']);
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

describe('bank holidays', () => {
  // 2026-11-09 is a Monday.
  const DIWALI = ['2026-11-09', '2026-11-10', '2026-11-11'];
  const withHolidays = (days: unknown) => withValue(['settings', 'bankHolidays'], days);

  it.each([
    ['none', []],
    ['one here and there, in any order', ['2026-12-25', '2026-01-26', '2026-08-15']],
    ['on a weekend, which changes nothing', ['2026-08-15', '2026-08-16']],
    ['on the last day of February', ['2028-02-29']],
  ])('may be %s', (_, days) => {
    expect(problemsOf(withHolidays(days))).toEqual([]);
  });

  it('may stand in the file without quotes', () => {
    const text = TEXT.replace(
      'settings:\n',
      'settings:\n  bankHolidays: [2026-01-26, 2026-08-15]\n',
    );
    const { value, problems } = checkConfiguration(text, SANDBOX, {});
    expect(problems).toEqual([]);
    expect(settingsOf(value.settings, 'sandbox').bankHolidays).toEqual([
      '2026-01-26',
      '2026-08-15',
    ]);
  });

  it('are kept in the order of the calendar, so that another order is no change', () => {
    const orders = [DIWALI, DIWALI.toReversed()].map((days) => {
      const { value } = checkConfiguration(withHolidays(days), SANDBOX, {});
      return settingsOf(value.settings, 'sandbox');
    });
    expect(orders[0]).toEqual(orders[1]);
  });

  it.each([
    ['a day that does not exist', '2026-02-30', 'must be a day that exists, YYYY-MM-DD'],
    ['another form', '26-01-2026', 'must be a day that exists, YYYY-MM-DD'],
    ['a time', '2026-01-26T00:00:00Z', 'must be a day that exists, YYYY-MM-DD'],
    ['a day twice', '2026-08-15', 'stands twice: this day is in the list already'],
  ])('may not hold %s, which is named by its place', (_, wrong, message) => {
    expect(problemsOf(withHolidays(['2026-08-15', wrong]))).toEqual([
      `settings.bankHolidays[1] ${message}`,
    ]);
  });

  it('may not leave a lender’s offers with fewer than three working days', () => {
    // From the Friday before on: a weekend, the three days, and then three working days.
    const message =
      'must be at least 10: for bank holidays, fewer days after 2026-11-06 hold no three working days';
    const [ofSevenDays] = (
      parse(TEXT) as { lenders: { products: Record<string, object> }[] }
    ).lenders
      .map(({ products }, index) => ({ index, codes: Object.keys(products) }))
      .filter(({ index }) => daysOfLender(index) === 7);
    const own = problemsOf(withHolidays(DIWALI)).filter((line) =>
      line.startsWith(`lenders[${ofSevenDays.index}]`),
    );
    expect(own).toEqual(
      ofSevenDays.codes.map(
        (code) => `lenders[${ofSevenDays.index}].products.${code}.offerValidDays ${message}`,
      ),
    );
    expect(problemsOf(withHolidays(DIWALI.slice(0, 2)))).toEqual([]);
  });
});

describe('every mistake is named at once', () => {
  it('those of shape beside those between the parts that are sound', () => {
    const document = parse(TEXT) as {
      products: Record<string, unknown>[];
      lenders: Record<string, unknown>[];
      partners: { keys: { products: string[] }[] }[];
    };
    document.products[0].icon = 7;
    document.lenders[2].code = 'navdhara';
    document.partners[0].keys[0].products = ['NOWHERE'];
    expect(fieldsOf(stringify(document))).toEqual([
      'products[0].icon',
      'lenders[2].code',
      'partners[0].keys[0].products[0]',
    ]);
  });
});

describe('the gateways', () => {
  const twilio = { accountSid: `AC${'0'.repeat(32)}`, authToken: 'token', from: '+14155550100' };
  const real = REAL_GATEWAYS;
  const { http } = real.sms;
  const { razorpay } = real.payment;
  const test = { gateway: 'razorpay', razorpay: { ...razorpay, keyId: 'rzp_test_000000' } };
  const problemsWith = (gateways: object, deployment = SANDBOX) => {
    const text = stringify({ ...(parse(TEXT) as object), ...gateways });
    return problemsOf(text, deployment).filter((line) => /^(sms|payment)/.test(line));
  };

  it.each([
    [{}],
    [{ sms: { gateway: 'inbox' }, payment: { gateway: 'sandbox' } }],
    [{ sms: { gateway: 'twilio', twilio } }],
    [{ ...real, payment: test }],
  ])('may be, in the sandbox: %j', (gateways) => {
    expect(problemsWith(gateways)).toEqual([]);
  });

  it.each([
    [{ sms: { gateway: 'twilio' } }, 'sms.twilio is required here'],
    [{ sms: { gateway: 'pigeon' } }, 'sms.gateway must be one of inbox, twilio, http'],
    [{ sms: { gateway: 'http' } }, 'sms.http is required here'],
    [{ payment: { gateway: 'razorpay' } }, 'payment.razorpay is required here'],
    [{ payment: real.payment }, 'payment.razorpay.keyId must be a key of this mode: rzp_test_…'],
    [
      { sms: { gateway: 'http', http: { ...http, url: 'sms.example/send?to={{mobile}}' } } },
      'sms.http.url must be an http or https address, whose placeholders stand behind the host',
    ],
    [
      { sms: { gateway: 'http', http: { ...http, url: 'https://{{mobile}}.example' } } },
      'sms.http.url must be an http or https address, whose placeholders stand behind the host',
    ],
    [
      { sms: { gateway: 'http', http: { ...http, acceptedPattern: '(' } } },
      'sms.http.acceptedPattern must be a regular expression',
    ],
    [
      { sms: { gateway: 'http', http: { ...http, headers: { 'a b': 'x' } } } },
      'sms.http.headers must be a mapping of header names to texts',
    ],
    [
      { sms: { gateway: 'http', http: { ...http, body: '{"to":"{{moble}}"}' } } },
      'sms.http.body may hold no other placeholders than {{mobile}}, {{mobileWithCountryCode}}, ' +
        '{{text}}, {{language}}, {{templateId}}, {{entityId}}, {{senderId}}, {{messageId}}, ' +
        '{{link}}, {{code}}, {{amount}}, {{minutes}}',
    ],
    [
      { sms: { gateway: 'inbox', templateIds: { PIGEON: '1' } } },
      'sms.templateIds must name DLT template ids for HOSTED_LINK, HOSTED_LINK_HI, ' +
        'ONE_TIME_CODE, ONE_TIME_CODE_HI, PAYMENT_LINK, PAYMENT_LINK_HI',
    ],
  ])('may not be %j', (gateways, problem) => {
    expect(problemsWith(gateways)).toEqual([problem]);
  });

  it.each([
    [real, []],
    [{}, ['sms is required here', 'payment is required here']],
    [
      { sms: { gateway: 'inbox' }, payment: { gateway: 'sandbox' } },
      [
        'sms.gateway must be a real gateway in production',
        'payment.gateway must be a real gateway in production',
      ],
    ],
    [
      {
        ...real,
        sms: { gateway: 'twilio', twilio: { ...twilio, apiBaseUrl: 'http://x.example' } },
      },
      ['sms.twilio.apiBaseUrl is for the sandbox alone'],
    ],
    [
      { ...real, sms: { gateway: 'http', http: { ...http, url: 'http://sms.example' } } },
      ['sms.http.url must be https'],
    ],
    [{ ...real, payment: test }, ['payment.razorpay.keyId must be a key of this mode: rzp_live_…']],
  ])('in production: %j', (gateways, problems) => {
    expect(problemsWith(gateways, PRODUCTION)).toEqual(problems);
  });
});

describe('production', () => {
  const withGateways = (text: string) =>
    stringify({ ...(parse(text) as object), ...REAL_GATEWAYS });
  const partners = withValue(
    ['partners'],
    [
      {
        id: 'real',
        name: 'Real Partner',
        returnUrl: 'https://partner.example/back',
        keys: [
          {
            name: 'main',
            apiKey: makeApiKey('rinpath', 'live', random),
            apiSecret: '${env:REAL_SECRET}',
            scopes: [],
            products: [],
          },
        ],
      },
    ],
  ).replaceAll('adapter: sandbox', 'adapter: wire');
  const live = withGateways(partners);

  it('takes live keys, with their secrets from the environment', () => {
    const variables = { REAL_SECRET: makeApiSecret('rinpath', 'live', random) };
    expect(problemsOf(live, PRODUCTION, variables)).toEqual([]);
  });

  it('names the variable that is missing, once', () => {
    expect(problemsOf(live, PRODUCTION)).toEqual([
      'partners[0].keys[0].apiSecret needs the environment variable REAL_SECRET, which is not set',
    ]);
  });

  it('refuses test keys, stand-in lenders and returns in the clear', () => {
    const clear = withValue(['partners', 0, 'returnUrl'], 'http://partner.example/back');
    const fields = fieldsOf(clear, PRODUCTION);
    expect(fields).toContain('lenders[0].adapter');
    expect(fields).toContain('partners[0].returnUrl');
    const own = withValue(['partners', 0, 'returnUrl'], '/sandbox/partner');
    expect(fieldsOf(own, PRODUCTION)).toContain('partners[0].returnUrl');
    const text = withValue(
      ['partners', 0, 'keys', 0, 'apiKey'],
      makeApiKey('rinpath', 'test', random),
    );
    expect(problemsOf(text, PRODUCTION)).toContain(
      'partners[0].keys[0].apiKey must be a live one in production mode',
    );
  });
});

describe('what is no configuration at all', () => {
  it('is told by its line, without quoting it', () => {
    const problems = problemsOf('version: 1\nbrand: {slug: "rinpath_secret_test_hush\n');
    expect(problems[0]).toMatch(/^line \d+ is not YAML that can be read/);
    expect(problems.join()).not.toContain('hush');
  });

  it('refuses a name that stands twice', () => {
    expect(problemsOf('version: 1\nversion: 2\n')[0]).toMatch(/^line 2 /);
  });

  it.each(['', '[]', 'hello', '5'])('refuses %j', (text) => {
    expect(problemsOf(text)).toEqual([' must be a mapping']);
  });

  it('says that a file is not there', () => {
    expect(() => readConfigurationFile('/nowhere.yaml', SANDBOX, {})).toThrow(
      'The configuration /nowhere.yaml is not right:\n  - cannot be read (ENOENT)',
    );
  });

  it('never shows a secret in its message', () => {
    const secret = 'rinpath_secret_test_mistyped';
    const text = withValue(['partners', 0, 'keys', 0, 'apiSecret'], secret);
    expect(problemsOf(text).join()).not.toContain('mistyped');
  });
});
