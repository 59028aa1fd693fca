import { parseArgs } from 'node:util';
import { readProfile, type Profile } from './profile.ts';
import { RESTART_SECONDS } from './restart-command.ts';

export interface Options {
  readonly url: string;
  readonly jwks: string;
  readonly keyFile: string | null;
  readonly callbackPort: number;
  readonly callbackHost: string;
  readonly callbackUrl: string | null;
  readonly profile: Profile;
  readonly waitSeconds: number;
  /** Restarts the lender; null: cases that need it are not run. */
  readonly restartCommand: string | null;
  readonly only: readonly string[];
  readonly junit: string | null;
  readonly json: string | null;
}

export const USAGE = `npm run lender:check -- --url URL --jwks URL|FILE [options]

  --url URL             the lender's base address: questions go to URL/offers, …
  --jwks URL|FILE       the lender's public keys
  --profile FILE        what the lender's test environment supports (profiles/reference-lender.json)
  --key-file FILE       our private keys, a JWKS; created if missing
  --callback-port PORT  our port (4300): our JWKS, the lender's callbacks, applicants' returns
  --callback-host HOST  our listen address (127.0.0.1)
  --callback-url URL    our address for the lender (default: host and port)
  --wait SECONDS        how long to wait for verdicts, callbacks and people (60)
  --restart-command CMD restarts the lender and then ends, within ${RESTART_SECONDS} s; needed for RLP-190 to RLP-193
  --only CASE           run only this case (RLP-045); may be repeated
  --junit FILE          writes the report as JUnit XML
  --json FILE           writes the report as a compact JWS

Exit code 0: everything passed; 1: a case failed; 2: the suite could not start;
3: nothing failed, but a case could not run and the profile does not explain it.`;

const FLAGS = {
  url: { type: 'string' },
  jwks: { type: 'string' },
  profile: { type: 'string' },
  'key-file': { type: 'string' },
  'callback-port': { type: 'string', default: '4300' },
  'callback-host': { type: 'string', default: '127.0.0.1' },
  'callback-url': { type: 'string' },
  wait: { type: 'string', default: '60' },
  'restart-command': { type: 'string' },
  only: { type: 'string', multiple: true, default: [] as string[] },
  junit: { type: 'string' },
  json: { type: 'string' },
} as const;

/** @throws Error naming the invalid option */
export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({ args: [...args], options: FLAGS, strict: true });
  const { url, jwks } = values;
  if (!url || !URL.canParse(url)) throw new Error('--url must be the lender’s address.');
  if (!jwks) throw new Error('--jwks must be the address of the lender’s keys, or a file.');
  const callbackUrl = values['callback-url'] ?? null;
  if (callbackUrl !== null && !URL.canParse(callbackUrl)) {
    throw new Error('--callback-url must be an address.');
  }
  return {
    url: url.replace(/\/+$/, ''),
    jwks,
    keyFile: values['key-file'] ?? null,
    callbackPort: number('--callback-port', values['callback-port'], 65_535),
    callbackHost: values['callback-host'],
    callbackUrl: callbackUrl?.replace(/\/+$/, '') ?? null,
    profile: readProfile(values.profile ?? null),
    waitSeconds: number('--wait', values.wait, 86_400),
    restartCommand: values['restart-command'] ?? null,
    only: values.only,
    junit: values.junit ?? null,
    json: values.json ?? null,
  };
}

function number(name: string, text: string, most: number): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0 || value > most) {
    throw new Error(`${name} must be a whole number up to ${most}.`);
  }
  return value;
}
