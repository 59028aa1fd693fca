import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { configurationNotes } from '../../../src/admin/configuration/configuration-notes.js';
import { checkConfiguration } from '../../../src/admin/configuration-file.js';
import { lenderAdapters } from '../../../src/composition.js';
import { projectPath } from '../../../src/platform/index.js';
import { SETTINGS_DEFAULTS } from '../../../src/settings/index.js';
import { PRODUCTION_DEPLOYMENT } from '../../support/deployments.js';

interface Template {
  products: { code: string; channel: string; enabled?: boolean }[];
  [section: string]: unknown;
}

const FILE = projectPath('config/production.yaml');
const TEXT = readFileSync(FILE, 'utf8');
const REFERENCE = /\$\{env:(\w+)\}/g;

const NAMED = [...new Set([...TEXT.matchAll(REFERENCE)].map(([, name]) => name))];

/** The values that an operator fills in, by the first matching prefix of the name. */
const VALUES: readonly (readonly [name: RegExp, value: string])[] = [
  [/PHONE/, '1800 000 1500'],
  [/EMAIL/, 'help@udhaar.example'],
  [/SLUG|LENDER_CODE/, 'udhaar'],
  [/DLT_SENDER_ID/, 'UDHAAR'],
  [/DLT_/, '1107000000000000001'],
  [/_HOST$/, 'pages.lender-one.example'],
  [/_(URL|ADDRESS|JWKS)$/, 'https://lender-one.example/rlp'],
  [/LENDER_RAZORPAY_KEY_ID/, 'rzp_live_111111'],
  [/KEY_ID/, 'rzp_live_000000'],
  [/WEBHOOK_SECRET/, 'the-webhook-secret'],
  [/./, 'Example'],
];
const FILLED = Object.fromEntries(
  NAMED.map((name) => [name, VALUES.find(([part]) => part.test(name))![1]]),
);

/** An example section that the template has as a comment, up to the next empty line. */
function example(section: string): unknown {
  const [, block] = new RegExp(`^# ${section}:\\n((?:#.*\\n)+)`, 'm').exec(TEXT) ?? [];
  if (block === undefined) throw new Error(`the template has no example of ${section}`);
  return parse(block.replaceAll(/^# ?/gm, ''));
}

/** This build, with its built-in connectors only. */
const ITSELF = { ...PRODUCTION_DEPLOYMENT, lenderAdapters: lenderAdapters('production') };

describe('config/production.yaml', () => {
  it('is right as soon as what it names is filled in, on this very build', () => {
    const { value, problems } = checkConfiguration(TEXT, ITSELF, FILLED, FILE);
    expect(problems).toEqual([]);
    expect(configurationNotes(value!, ITSELF)).toEqual([]);
    // A text of digits only, from a file, also stays text.
    const written: Record<string, string> = { ...FILLED, FILL_IN_SUPPORT_PHONE: '+911800001500' };
    const text = TEXT.replaceAll(/\$\{env:(FILL_IN_\w+)\}/g, (_, name: string) => written[name]);
    expect(checkConfiguration(text, ITSELF, FILLED, FILE).problems).toEqual([]);
  });

  it('names everything that is not filled in, and has no other mistake', () => {
    const { problems } = checkConfiguration(TEXT, ITSELF, {}, FILE);
    const named = problems.map(
      ({ message }) =>
        /^needs the environment variable (\w+), which is not set$/.exec(message)?.[1] ??
        /^is not filled in: replace \$\{env:(FILL_IN_\w+)\} with your own text$/.exec(message)?.[1],
    );
    const inForce = TEXT.replaceAll(/^\s*#.*$/gm, '');
    const references = [...inForce.matchAll(REFERENCE)].map(([, name]) => name);
    expect(references.length).toBeGreaterThan(15);
    expect(new Set(named)).toEqual(new Set(references));
  });

  it('has production’s defaults, each of them written out', () => {
    expect((parse(TEXT) as Template).settings).toEqual(SETTINGS_DEFAULTS.production);
  });

  it('holds no secret and no key: they are named, and come from the environment', () => {
    const { sms, payment, partners } = parse(TEXT) as {
      sms: { http: { headers: { Authorization: string } } };
      payment: { razorpay: Record<string, string> };
      partners: unknown[];
    };
    for (const text of [sms.http.headers.Authorization, ...Object.values(payment.razorpay)]) {
      expect(text).toMatch(/^(Bearer )?\$\{env:\w+\}$/);
    }
    expect(partners).toEqual([]);
  });

  it('shows a lender and a partner that are right once their names are filled in', () => {
    const template = parse(TEXT) as Template;
    const lenders = example('lenders') as { products: object }[];
    const served = new Set(lenders.flatMap(({ products }) => Object.keys(products)));
    const products = template.products.map((product) => ({
      ...product,
      enabled: product.channel === 'OFFLINE' || served.has(product.code),
    }));
    const text = stringify({ ...template, products, lenders, partners: example('partners') });
    expect([...served].toSorted()).toEqual(['ONLINE_INSTANT', 'ONLINE_PERSONAL']);
    expect(checkConfiguration(text, ITSELF, FILLED, FILE).problems).toEqual([]);
    // Without the connector in the build, the connector is the only problem.
    expect(checkConfiguration(text, PRODUCTION_DEPLOYMENT, FILLED, FILE).problems).toEqual([
      {
        field: 'lenders[0].adapter',
        message: 'must be an adapter that this build has for production: wire',
      },
    ]);
  });
});
