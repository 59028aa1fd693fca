import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

export interface Credentials {
  baseUrl: string;
  apiKey: string;
  apiSecret: string;
}

/** Has the demonstration key; used when the environment names none. */
const DEMO_FILE = fileURLToPath(new URL('../../config/sandbox.yaml', import.meta.url));
const DEMO_KEY_NAME = 'demo';
const DEFAULT_BASE_URL = 'http://localhost:3000';

type Fields = Record<string, unknown>;

/** @throws Error with a readable message without a usable pair of key and secret */
export function readCredentials(environment: NodeJS.ProcessEnv): Credentials {
  const baseUrl = readBaseUrl(environment['RINPATH_BASE_URL'] || DEFAULT_BASE_URL);
  const apiKey = environment['RINPATH_API_KEY'];
  const apiSecret = environment['RINPATH_API_SECRET'];
  if (apiKey && apiSecret) return { baseUrl, apiKey, apiSecret };
  if (apiKey || apiSecret) {
    throw new Error('Set both RINPATH_API_KEY and RINPATH_API_SECRET, or neither.');
  }
  return { baseUrl, ...readDemoKey() };
}

function readBaseUrl(text: string): string {
  if (!URL.canParse(text)) throw new Error('RINPATH_BASE_URL is not a URL.');
  return text.replace(/\/+$/, '');
}

function readDemoKey(): { apiKey: string; apiSecret: string } {
  const keys = listKeys(parseFile());
  const found =
    keys.find((key) => key['name'] === DEMO_KEY_NAME) ??
    keys.find((key) => String(key['name']).startsWith(DEMO_KEY_NAME));
  const apiKey = found && (found['apiKey'] ?? found['key']);
  const apiSecret = found && (found['apiSecret'] ?? found['secret']);
  if (typeof apiKey === 'string' && typeof apiSecret === 'string') return { apiKey, apiSecret };
  const names = keys.map((key) => String(key['name'])).join(', ') || 'none';
  throw new Error(
    `No key named "${DEMO_KEY_NAME}" with apiKey and apiSecret under partners[].keys[] in ${DEMO_FILE} ` +
      `(keys found: ${names}). Set RINPATH_API_KEY and RINPATH_API_SECRET instead.`,
  );
}

function parseFile(): unknown {
  try {
    return parse(readFileSync(DEMO_FILE, 'utf8')) as unknown;
  } catch (error) {
    throw new Error(
      `Cannot read the demonstration key from ${DEMO_FILE}. Set RINPATH_API_KEY and ` +
        'RINPATH_API_SECRET instead.',
      { cause: error },
    );
  }
}

/** Reads partners and keys as lists or as maps by name. */
function listKeys(document: unknown): Fields[] {
  const root = isFields(document) ? document : {};
  return itemsOf(root['partners']).flatMap((partner) => itemsOf(partner['keys']));
}

function itemsOf(value: unknown): Fields[] {
  if (Array.isArray(value)) return value.filter(isFields);
  if (!isFields(value)) return [];
  return Object.entries(value).flatMap(([name, item]) =>
    isFields(item) ? [{ name, ...item }] : [],
  );
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
