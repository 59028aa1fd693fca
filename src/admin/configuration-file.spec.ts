import { describe, expect, it } from 'vitest';
import { makeApiKey, makeApiSecret } from '../auth/index.js';
import { RandomSource, sha256 } from '../platform/index.js';
import { readConfigurationFile } from './configuration-file.js';
import {
  check,
  fieldsOf,
  problemsOf,
  PRODUCTION,
  REAL_GATEWAYS,
  SANDBOX,
  SANDBOX_FILE,
  SHIPPED,
  shippedValues,
  withValue,
} from './configuration/configuration-example.js';
import { OPEN_KEY_HASHES } from './configuration/partner-section.js';

const random = new RandomSource();

describe('the shipped config/sandbox.yaml', () => {
  const { products, lenders, partners } = readConfigurationFile(SANDBOX_FILE, SANDBOX, {});

  it('is right, has six products, and takes the mode’s settings for those that are left out', () => {
    expect(problemsOf(SHIPPED)).toEqual([]);
    expect(products.map(({ code, channel }) => `${channel} ${code}`)).toEqual([
      'ONLINE ONLINE_PERSONAL',
      'ONLINE ONLINE_SHORT_TERM',
      'ONLINE ONLINE_BUSINESS',
      'ONLINE ONLINE_GOLD',
      'ONLINE ONLINE_INSTANT',
      'OFFLINE OFFLINE_LAP',
    ]);
    const text = withValue(['settings'], undefined);
    const { value } = check(text);
    expect(value?.settings).toMatchObject({
      pollIntervalSeconds: 2,
      lenderDeadlineSeconds: 120,
      lenderGiveUpSeconds: 1_800,
      abandonAfterDays: 7,
      pendingAnswerHours: 24,
      webhookSubscriptionsPerPartner: 200,
      codesPerAddressPerHour: 600,
      wrongCodesPerAddressPerHour: 300,
      linksPerAddressPerHour: 200,
      textsPerMobilePerDay: 10_000,
      branchNearKm: 50,
      goldOrnamentGrams: 1_000,
      goldCoinGrams: 50,
    });
  });

  it('has three lenders that serve every online product from ₹1,000 to ₹1 crore', () => {
    expect(lenders).toHaveLength(3);
    const online = products.filter(({ channel }) => channel === 'ONLINE').map(({ code }) => code);
    for (const lender of lenders) {
      expect(Object.keys(lender.products)).toEqual(online);
      for (const { minimumAmount, maximumAmount } of Object.values(lender.products)) {
        expect([minimumAmount, maximumAmount]).toEqual([1_000_00, 1_00_00_000_00]);
      }
      expect(lender.branches.length).toBeGreaterThanOrEqual(2);
    }
  });

  it('has all its keys and secrets among the open ones, and no others are', () => {
    const texts = partners.flatMap(({ keys }) =>
      keys.flatMap(({ apiKey, apiSecret }) => [apiKey, apiSecret]),
    );
    expect(texts.map((text) => sha256(text)).toSorted()).toEqual([...OPEN_KEY_HASHES].toSorted());
  });

  it('is taken by a sandbox on loopback, or one that was opened, and by nothing else', () => {
    const keyFields = partners.flatMap(({ keys }, partner) =>
      keys.flatMap((_, key) => [
        `partners[${partner}].keys[${key}].apiKey`,
        `partners[${partner}].keys[${key}].apiSecret`,
      ]),
    );
    expect(fieldsOf(SHIPPED, { ...SANDBOX, isLoopback: false })).toEqual(keyFields);
    expect(fieldsOf(SHIPPED, { ...SANDBOX, isLoopback: false, sandboxOpen: true })).toEqual([]);
    expect(fieldsOf(SHIPPED, PRODUCTION)).toEqual(expect.arrayContaining(keyFields));
    expect(fieldsOf(SHIPPED, { ...PRODUCTION, isLoopback: true, sandboxOpen: true })).toEqual(
      expect.arrayContaining(keyFields),
    );
  });
});

describe('every mistake is named at once', () => {
  it('those of shape beside those between the parts that are sound', () => {
    const document = shippedValues() as {
      products: Record<string, unknown>[];
      lenders: Record<string, unknown>[];
      partners: { keys: { products: string[] }[] }[];
    };
    document.products[0].icon = 7;
    document.lenders[2].code = 'navdhara';
    document.partners[0].keys[0].products = ['NOWHERE'];
    expect(fieldsOf(document)).toEqual([
      'products[0].icon',
      'lenders[2].code',
      'partners[0].keys[0].products[0]',
    ]);
  });
});

describe('production', () => {
  const withGateways = (values: object) => {
    const document = values as { lenders: object[] };
    const { payment } = REAL_GATEWAYS;
    const lenders = document.lenders.map((lender) => ({ ...lender, payment, adapter: 'wire' }));
    return { ...document, ...REAL_GATEWAYS, lenders };
  };
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
  );
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
  it('is named by its line, without quoting it', () => {
    const problems = problemsOf('version: 1\nbrand: {slug: "rinpath_secret_test_hush\n');
    expect(problems[0]).toMatch(/^line \d+ is not valid YAML/);
    expect(problems.join()).not.toContain('hush');
    expect(problemsOf('version: 1\nversion: 2\n')[0]).toMatch(/^line 2 /);
  });

  it.each([
    ['[]', ' must be a mapping'],
    ['hello', ' must be a mapping'],
    ['', ' is missing; it must be a mapping'],
  ])('is refused: %j', (text, problem) => {
    expect(problemsOf(text)).toEqual([problem]);
  });

  it('is refused where the shipped file is cut', () => {
    for (let end = 0; end < SHIPPED.length; end += 3_001) {
      expect(problemsOf(SHIPPED.slice(0, end))).not.toEqual([]);
    }
  });

  it.each(['rinpath_secret_test_mistyped', 1_234_567_890])(
    'never shows a secret in its message: %j',
    (secret) => {
      const text = withValue(['partners', 0, 'keys', 0, 'apiSecret'], secret);
      const [problem, ...others] = problemsOf(text);
      expect(others).toEqual([]);
      expect(problem).not.toContain(String(secret));
    },
  );

  it('shows a number that is out of its range', () => {
    expect(problemsOf(withValue(['settings', 'goldCoinGrams'], 51))).toEqual([
      'settings.goldCoinGrams must be a whole number between 1 and 50, not 51',
    ]);
  });
});
