import { readApiKey, readApiSecret } from '../../auth/index.js';
import { addressProblem, type FieldProblem, isOpenSandbox, sha256 } from '../../platform/index.js';
import type { Deployment } from './configuration.js';
import type { KeySection, PartnerSection } from './partner-section.js';
import { mistake, type Placed, repeated } from './placed.js';

/**
 * Of every key and secret in `config/sandbox.yaml`, as a test ensures. Hashed, so that scanners
 * report no leak.
 */
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

interface Surroundings {
  /** Null when unknown. */
  readonly productCodes: ReadonlySet<string> | null;
  /** Absent when the brand has a mistake. */
  readonly slug?: string;
  readonly deployment: Deployment;
}

export function partnerMistakes(
  partners: readonly Placed<PartnerSection>[],
  surroundings: Surroundings,
): FieldProblem[] {
  const keysOf = ({ path, section }: Placed<PartnerSection>) =>
    (section.keys ?? []).map((key, index) => ({ path: `${path}.keys[${index}]`, section: key }));
  const ids = partners.map(({ path, section }) => ({ path: `${path}.id`, text: section.id }));
  const keys = partners.flatMap(keysOf);
  return [
    ...repeated(ids, 'stands twice: another partner has this id'),
    ...partners.flatMap((partner) =>
      repeated(textsOf(keysOf(partner), 'name'), 'stands twice: another key has this name'),
    ),
    ...repeated(textsOf(keys, 'apiKey'), 'stands twice: another entry has this key'),
    ...partners.flatMap((partner) => returnUrlMistakes(partner, surroundings.deployment)),
    ...keys.flatMap((key) => [
      ...credentialMistakes(key, surroundings),
      ...productMistakes(key, surroundings.productCodes),
    ]),
  ];
}

function textsOf(
  keys: readonly Placed<KeySection>[],
  field: 'name' | 'apiKey',
): { path: string; text: string }[] {
  return keys.map(({ path, section }) => ({ path: `${path}.${field}`, text: section[field] }));
}

function returnUrlMistakes(
  { path, section }: Placed<PartnerSection>,
  deployment: Deployment,
): FieldProblem[] {
  if (section.returnUrl === undefined) return [];
  const field = `${path}.returnUrl`;
  // `//host` and `/\host` would lead to another host.
  const isOwnPage = deployment.mode === 'sandbox' && /^\/(?![/\\])/.test(section.returnUrl);
  const address = isOwnPage ? `https://own.example${section.returnUrl}` : section.returnUrl;
  const message = addressProblem(address, deployment);
  return mistake(field, message);
}

function credentialMistakes(
  { path, section }: Placed<KeySection>,
  { slug, deployment }: Surroundings,
): FieldProblem[] {
  const fields = [
    { field: `${path}.apiKey`, text: section.apiKey, read: readApiKey(section.apiKey) },
    { field: `${path}.apiSecret`, text: section.apiSecret, read: readApiSecret(section.apiSecret) },
  ];
  return fields.flatMap(({ field, text, read }) => {
    const message = read
      ? (opennessMistake(text, deployment) ?? originMistake(read, slug, deployment))
      : formMistake(field);
    return mistake(field, message);
  });
}

function formMistake(field: string): string {
  return field.endsWith('.apiKey')
    ? 'is not an API key: its form or its checksum is wrong'
    : 'is not an API secret: its form is wrong';
}

function originMistake(
  read: { slug: string; mode: 'test' | 'live' },
  slug: string | undefined,
  { mode }: Deployment,
): string | null {
  if (slug !== undefined && read.slug !== slug)
    return `must begin with the slug of the brand, ${slug}_`;
  const wanted = mode === 'production' ? 'live' : 'test';
  return read.mode === wanted ? null : `must be a ${wanted} one in ${mode} mode`;
}

function opennessMistake(text: string, deployment: Deployment): string | null {
  if (!OPEN_KEY_HASHES.has(sha256(text)) || isOpenSandbox(deployment)) return null;
  return 'is an open demonstration key: not for production, nor for a sandbox that others reach unless SANDBOX_OPEN=true';
}

function productMistakes(
  { path, section }: Placed<KeySection>,
  known: ReadonlySet<string> | null,
): FieldProblem[] {
  const unknown = section.products.flatMap((code, index) =>
    !known || known.has(code)
      ? []
      : mistake(`${path}.products[${index}]`, 'is not a product of the catalogue'),
  );
  const { defaultProduct } = section;
  const isUsable =
    defaultProduct === undefined ||
    (section.products.includes(defaultProduct) && isJourneyProduct(defaultProduct));
  if (isUsable) return unknown;
  const message = 'must be one of the products of the key that have a journey';
  return [...unknown, { field: `${path}.defaultProduct`, message }];
}

/** Instant loans have a call of their own. */
function isJourneyProduct(code: string): boolean {
  return /^ONLINE_(PERSONAL|SHORT_TERM|BUSINESS|GOLD)$/.test(code);
}
