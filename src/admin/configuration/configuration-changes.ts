import { isDeepStrictEqual } from 'node:util';
import type { ApiKey, Partner } from '../../auth/index.js';
import type {
  AppliedFile,
  GatewaySettings,
  Lender,
  PaymentSettings,
  Product,
} from '../../settings/index.js';
import { isObject } from '../../platform/index.js';

export interface ConfigurationState {
  readonly products: readonly Product[];
  readonly lenders: readonly Lender[];
  readonly partners: readonly Partner[];
  readonly keys: readonly ApiKey[];
  readonly inForce: AppliedFile | null;
  /** SHA-256 (hex) by partner id. */
  readonly logos: ReadonlyMap<string, string>;
  /** Unsealed; null before the first configuration. */
  readonly gateways: GatewaySettings | null;
  /** Unsealed, by lender code. */
  readonly accounts: ReadonlyMap<string, PaymentSettings>;
}

/** By path, such as `terms.fee.percent`. */
type Values = ReadonlyMap<string, unknown>;

interface Subject {
  readonly name: string;
  /** Paths that may be printed, with everything below. */
  readonly shown: readonly string[];
  readonly values: Values;
}

const PRODUCT = {
  skipped: ['code'],
  shown: [
    'position',
    'displayName',
    'texts',
    'category',
    'channel',
    'provider',
    'icon',
    'isEnabled',
    'steps',
    'minimumAmount',
    'maximumAmount',
    'defaultAmount',
  ],
};
const PAYMENT_SHOWN = ['payment.kind', 'payment.keyId', 'payment.pageHost'];
const LENDER = {
  // Compared unsealed.
  skipped: ['code', 'paymentSealed'],
  shown: [
    'position',
    'name',
    'adapter',
    'isEnabled',
    'terms',
    'kind',
    'remote.address',
    'remote.keys.kind',
    'remote.keys.address',
    'remote.limits',
    'remote.covers',
    'remote.eligibility',
    ...PAYMENT_SHOWN,
  ],
};
const PARTNER = {
  skipped: ['id', 'createdAt'],
  shown: ['name', 'status', 'statusOrigin', 'returnUrl', 'returnOrigins', 'alertEmails', 'logo'],
};
const KEY = {
  skipped: ['id', 'partnerId', 'hint', 'version', 'createdAt', 'updatedAt'],
  shown: [
    'name',
    'origin',
    'mode',
    'scopes',
    'products',
    'minuteLimit',
    'dayLimit',
    'defaultChannel',
    'defaultProduct',
    'uniqueClientReferences',
    'status',
    'statusOrigin',
  ],
};
const CONFIGURATION = {
  // Compared unsealed.
  skipped: ['one', 'revision', 'appliedAt', 'gatewaysSealed'],
  shown: [
    'fileVersion',
    'brand.slug',
    'brand.displayName',
    'brand.support',
    'brand.grievance',
    'brand.accentColour',
    'brand.smsLanguage',
    'settings',
    'sms.gateway.kind',
    'sms.gateway.method',
    'sms.dlt',
    'sms.templateIds',
    'sms.company',
    ...PAYMENT_SHOWN,
  ],
};
const MAX_CHARACTERS = 80;

/** One line a changed field, without secrets. */
export function configurationChanges(
  before: ConfigurationState,
  after: ConfigurationState,
): string[] {
  if (before.inForce === null) return [firstConfiguration(after)];
  const kept = new Map(subjectsOf(before).map(({ name, values }) => [name, values]));
  return subjectsOf(after).flatMap((subject) => {
    const values = kept.get(subject.name);
    return values ? fieldChanges(subject, values) : [`${subject.name}: added`];
  });
}

function firstConfiguration({ products, lenders, partners, keys }: ConfigurationState): string {
  return (
    'the first configuration: ' +
    `products: ${products.length}, lenders: ${lenders.length}, partners: ${partners.length}, keys: ${keys.length}`
  );
}

/** Partners outside the file that still work. */
export function partnerNotes(
  { partners }: ConfigurationState,
  named: readonly { readonly id: string }[],
): string[] {
  const ids = new Set(named.map(({ id }) => id));
  return partners
    .filter(({ id, status }) => status === 'ACTIVE' && !ids.has(id))
    .map(
      ({ id }) =>
        `partner ${id} is not in the file; its keys issued by command still work; to suspend it, ` +
        `run: admin partners suspend ${id}`,
    );
}

function subjectsOf(state: ConfigurationState): Subject[] {
  const { products, lenders, partners, keys, inForce, logos, gateways, accounts } = state;
  const subject = (name: string, fields: typeof PRODUCT, ...rows: object[]): Subject => ({
    name,
    shown: fields.shown,
    values: valuesOf(rows, fields.skipped),
  });
  return [
    ...(inForce ? [subject('configuration', CONFIGURATION, inForce, gateways ?? {})] : []),
    ...products.map((one) => subject(`product ${one.code}`, PRODUCT, one)),
    ...lenders.map((one) =>
      subject(`lender ${one.code}`, LENDER, one, { payment: accounts.get(one.code) }),
    ),
    ...partners.map((one) =>
      subject(`partner ${one.id}`, PARTNER, one, { logo: logos.get(one.id) }),
    ),
    // By id: two keys may swap their names.
    ...keys.map((one) => subject(`key ${one.id} of partner ${one.partnerId}`, KEY, one)),
  ];
}

function valuesOf(rows: readonly object[], skipped: readonly string[]): Values {
  const values = new Map<string, unknown>();
  const add = (path: string, value: unknown): void => {
    const isBranch = isObject(value) && !(value instanceof Date);
    if (!isBranch || isEmptyList(value)) values.set(path, value);
    for (const [name, part] of isBranch ? Object.entries(value) : []) {
      add(Array.isArray(value) ? `${path}[${name}]` : `${path}.${name}`, part);
    }
  };
  for (const [name, value] of rows.flatMap((row) => Object.entries(row))) {
    if (!skipped.includes(name)) add(name, value);
  }
  return values;
}

function fieldChanges({ name, shown, values }: Subject, before: Values): string[] {
  const isShown = (path: string) =>
    shown.some((one) => path === one || path.startsWith(`${one}.`) || path.startsWith(`${one}[`));
  return [...new Set([...before.keys(), ...values.keys()])]
    .filter((path) => !isSame(before.get(path), values.get(path)))
    .map((path) =>
      isShown(path)
        ? `${name}: ${path}: ${textOf(before.get(path))} → ${textOf(values.get(path))}`
        : `${name}: ${path} changed (not shown)`,
    );
}

/** An empty list differs from null, which can mean "unknown"; beside a longer list, each item has its own path. */
function isSame(one: unknown, other: unknown): boolean {
  const isItemPath = one === undefined || other === undefined;
  if (isItemPath && isEmptyList(one ?? other)) return true;
  return isDeepStrictEqual(one ?? null, other ?? null);
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return 'none';
  const text = JSON.stringify(value);
  return text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text;
}
