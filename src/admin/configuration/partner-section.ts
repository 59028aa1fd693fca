import { z } from 'zod';
import {
  type GivenLogo,
  type GivenPartner,
  readApiKey,
  readApiSecret,
  SCOPES,
} from '../../auth/index.js';
import {
  addressProblem,
  choice,
  field,
  isOpenSandbox,
  MAX_ADDRESS_CHARACTERS,
  sha256,
  wholeNumber,
} from '../../platform/index.js';
import { DEFAULT_LIMITS } from '../new-api-key.js';
import {
  type Deployment,
  areDifferent,
  differing,
  pattern,
  problem,
  rules,
  section,
  text,
  words,
} from './fields.js';
import { logo, PARTNER_LOGO_LIMITS } from './read-logo.js';

const MAX_REQUESTS = 1_000_000_000;
const MAX_ALERT_EMAILS = 5;
const OPEN_KEY =
  'is a public demonstration key: replace it, or for a public sandbox set SANDBOX_OPEN=true';

/** All keys and secrets of `config/sandbox.yaml` (a test checks). Hashed, so that scanners report no leak. */
export const OPEN_KEY_HASHES: ReadonlySet<string> = new Set([
  '1f077580a5771e4d0ea4f081a01962fff3e49b209e1e4fd6e58a877945de5f66',
  '4780b6c33f7ef0fc4ebda6e3f15a271ba771c088be88ee6d9b4076d7f6859108',
  '87d4934a12eb3f5c2ac449b7a53b3593657437733cf7f2e545d2139657d8313c',
  'e5dc112aec7081780df989d3f3090107e2b953d3c13d308422ed1e95963a9f95',
  '92f81dcd366861950a03e5eab93d5dbc253e3f3f7c76a5d3f6b1ebeef2fefca8',
  '69bce75c16c53b7021388fd7ec99ac262833d8bb8a6c9388bd91fe5b8163b787',
  '24bdb9819950474bf45a8199bc002929a576dd59b8e37165d168acb593374027',
  '3ac473a33ec634288fc0809329e420ed0ce5df4039f0cca5155492a96e8505a0',
]);

function credential(deployment: Deployment, read: typeof readApiKey, wrongForm: string) {
  const { mode } = deployment;
  const kind = mode === 'production' ? 'live' : 'test';
  return text().check(
    rules((given) => {
      const known = read(given);
      if (!known) return problem(wrongForm);
      const isOpen = OPEN_KEY_HASHES.has(sha256(given));
      if (isOpen && !isOpenSandbox(deployment)) return problem(OPEN_KEY);
      return problem(known.mode !== kind && `must be a ${kind} one in ${mode} mode`);
    }),
  );
}

const status = choice(['ACTIVE', 'SUSPENDED']).default('ACTIVE');

function origin(deployment: Deployment) {
  return text(MAX_ADDRESS_CHARACTERS).check(
    rules((given) => {
      const found = addressProblem(given, deployment);
      return problem(
        found ?? (URL.parse(given)?.origin !== given && 'must be an origin: scheme, host and port'),
      );
    }),
  );
}

const key = (deployment: Deployment) =>
  section({
    name: text(),
    apiKey: credential(deployment, readApiKey, 'is not a valid API key: wrong format or checksum'),
    apiSecret: credential(deployment, readApiSecret, 'is not a valid API secret: wrong format'),
    scopes: words(SCOPES),
    products: field(z.array(z.string()).refine(areDifferent), 'must be a list of different words'),
    limits: section({
      perMinute: wholeNumber(1, MAX_REQUESTS).default(DEFAULT_LIMITS.perMinute),
      perDay: wholeNumber(1, MAX_REQUESTS).default(DEFAULT_LIMITS.perDay),
    }).prefault({}),
    defaultChannel: choice(['API_HOSTED', 'API_HEADLESS']).default('API_HEADLESS'),
    defaultProduct: text().optional(),
    /** A second loan with the same `clientReferenceId` is refused. */
    uniqueClientReferences: field(z.boolean(), 'must be true or false').default(false),
    status,
  }).refine(
    ({ products, defaultProduct: product }) =>
      product === undefined || (products.includes(product) && isJourneyProduct(product)),
    {
      path: ['defaultProduct'],
      error: 'must be one of the key’s products, and have a journey',
    },
  );

export const partner = (deployment: Deployment, file: string) =>
  section({
    id: pattern(/^[a-z0-9][a-z0-9-]{0,59}$/, 'must be lower-case letters, digits and hyphens'),
    name: text(),
    status,
    /** In the sandbox it may be a path of this service. */
    returnUrl: text(MAX_ADDRESS_CHARACTERS)
      .check(
        rules((given) => {
          // `//host` and `/\host` would lead to another host.
          const isOwnPage = deployment.mode === 'sandbox' && /^\/(?![/\\])/.test(given);
          const address = isOwnPage ? `https://own.example${given}` : given;
          return problem(addressProblem(address, deployment));
        }),
      )
      .nullable()
      .default(null),
    /** Origins of the `returnUrl` of a single loan, such as `https://app.example`. */
    returnOrigins: differing(origin(deployment), 'is repeated').default([]),
    /** Notified when a webhook fails or a key nears its limit. */
    alertEmails: field(
      z.array(z.email()).max(MAX_ALERT_EMAILS).refine(areDifferent),
      `must be a list of at most ${MAX_ALERT_EMAILS} different e-mail addresses`,
    ).default([]),
    logo: logo(file, PARTNER_LOGO_LIMITS).optional(),
    keys: differing(key(deployment), 'is repeated: another key has this name', 'name').default([]),
  });

export type PartnerSection = z.output<ReturnType<typeof partner>>;

export function partnersOf(sections: readonly PartnerSection[]): GivenPartner[] {
  return sections.map(({ logo: _logo, keys: _keys, ...given }) => given);
}

export function partnerLogosOf(sections: readonly PartnerSection[]): GivenLogo[] {
  return sections.flatMap(({ id, logo: picture }) =>
    picture ? [{ ...picture, partnerId: id }] : [],
  );
}

/** Instant loans have their own call. */
function isJourneyProduct(code: string): boolean {
  return /^ONLINE_(PERSONAL|SHORT_TERM|BUSINESS|GOLD)$/.test(code);
}
