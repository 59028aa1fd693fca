import { readApiKey, readApiSecret } from '../../auth/index.js';
import { addressProblem, type FieldProblem } from '../../platform/index.js';
import type { Deployment } from './deployment.js';
import { isOpenKey, mayServeOpenKeys } from './open-keys.js';
import type { KeySection, PartnerSection } from './partner-section.js';
import { type Placed, repeated } from './placed.js';

/** What keys are checked against. */
interface Surroundings {
  /** Codes of the catalogue; null when they cannot be told. */
  readonly productCodes: ReadonlySet<string> | null;
  /** Absent when the brand has a mistake. */
  readonly slug?: string;
  readonly deployment: Deployment;
}

/** What is wrong with the partners and their keys beyond the shape of each field. */
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
  // A path of the sandbox's own pages; `//host` and `/\host` would lead to another host.
  const isOwnPage = deployment.mode === 'sandbox' && /^\/(?![/\\])/.test(section.returnUrl);
  const address = isOwnPage ? `https://own.example${section.returnUrl}` : section.returnUrl;
  const message = addressProblem(address, deployment);
  return message === null ? [] : [{ field, message }];
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
    return message === null ? [] : [{ field, message }];
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
  if (!isOpenKey(text) || mayServeOpenKeys(deployment)) return null;
  return 'is an open demonstration key: not for production, nor for a sandbox that others reach unless SANDBOX_OPEN=true';
}

function productMistakes(
  { path, section }: Placed<KeySection>,
  known: ReadonlySet<string> | null,
): FieldProblem[] {
  const unknown = section.products.flatMap((code, index) =>
    !known || known.has(code)
      ? []
      : [{ field: `${path}.products[${index}]`, message: 'is not a product of the catalogue' }],
  );
  const { defaultProduct } = section;
  const isUsable =
    defaultProduct === undefined ||
    (section.products.includes(defaultProduct) && isJourneyProduct(defaultProduct));
  if (isUsable) return unknown;
  const message = 'must be one of the products of the key that have a journey';
  return [...unknown, { field: `${path}.defaultProduct`, message }];
}

/** The products of the contract that initiate starts; instant loans have a call of their own. */
function isJourneyProduct(code: string): boolean {
  return /^ONLINE_(PERSONAL|SHORT_TERM|BUSINESS|GOLD)$/.test(code);
}
