import { isDeepStrictEqual } from 'node:util';
import type { ApiKey, Partner } from '../../auth/index.js';
import type { AppliedFile, Lender, Product } from '../../settings/index.js';

/** The configuration as the database has it. */
export interface ConfigurationState {
  readonly products: readonly Product[];
  readonly lenders: readonly Lender[];
  readonly partners: readonly Partner[];
  readonly keys: readonly ApiKey[];
  readonly inForce: AppliedFile | null;
}

type Values = ReadonlyMap<string, unknown>;

/** Fields that change by themselves, and ids by which the subject is named. */
const NOT_SHOWN =
  /^(one|code|id|version|revision|fileVersion|partnerId|createdAt|updatedAt|appliedAt|hint)$/;
const SECRET = /sealed|hash|secret|base64/i;
const MAX_CHARACTERS = 80;

/** What changes for which product, lender, partner and key, one line for each field; secrets are not shown. */
export function configurationChanges(
  before: ConfigurationState,
  after: ConfigurationState,
): string[] {
  if (before.inForce === null) return ['this is the first configuration: everything in it is new'];
  const [old, next] = [subjectsOf(before), subjectsOf(after)];
  return [...next].flatMap(([subject, values]) => {
    const kept = old.get(subject);
    return kept ? fieldChanges(subject, kept, values) : [`${subject}: added`];
  });
}

/** The partners that work although the file does not name them. */
export function partnerNotes(
  { partners }: ConfigurationState,
  named: readonly { readonly id: string }[],
): string[] {
  const ids = new Set(named.map(({ id }) => id));
  return partners
    .filter(({ id, status }) => status === 'ACTIVE' && !ids.has(id))
    .map(
      ({ id }) =>
        `the partner ${id} is not in the file: it still works, with its keys made by command; to suspend it, ` +
        `run: admin partners suspend ${id}`,
    );
}

function subjectsOf(state: ConfigurationState): ReadonlyMap<string, Values> {
  const { products, lenders, partners, keys, inForce } = state;
  return new Map<string, Values>([
    ...(inForce ? [['configuration', valuesOf(inForce)] as const] : []),
    ...products.map((one) => [`product ${one.code}`, valuesOf(one)] as const),
    ...lenders.map((one) => [`lender ${one.code}`, valuesOf(one)] as const),
    ...partners.map((one) => [`partner ${one.id}`, valuesOf(one)] as const),
    // By its id: two keys may swap their names.
    ...keys.map((one) => [`key ${one.id} of partner ${one.partnerId}`, valuesOf(one)] as const),
  ]);
}

function valuesOf(row: object): Values {
  const values = new Map<string, unknown>();
  const add = (path: string, value: unknown): void => {
    const isBranch = typeof value === 'object' && value !== null && !(value instanceof Date);
    if (!isBranch) values.set(path, value);
    for (const [name, part] of isBranch ? Object.entries(value) : []) {
      add(Array.isArray(value) ? `${path}[${name}]` : `${path}.${name}`, part);
    }
  };
  for (const [name, value] of Object.entries(row)) if (!NOT_SHOWN.test(name)) add(name, value);
  return values;
}

function fieldChanges(subject: string, before: Values, after: Values): string[] {
  const paths = [...new Set([...before.keys(), ...after.keys()])];
  return paths
    .filter((path) => !isDeepStrictEqual(before.get(path), after.get(path)))
    .map((path) =>
      SECRET.test(path)
        ? `${subject}: ${path} changed (not shown)`
        : `${subject}: ${path}: ${shown(before.get(path))} → ${shown(after.get(path))}`,
    );
}

function shown(value: unknown): string {
  if (value === undefined || value === null) return 'none';
  const text = JSON.stringify(value);
  return text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text;
}
