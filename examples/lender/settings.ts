import { fileURLToPath } from 'node:url';

export interface Settings {
  readonly host: string;
  readonly port: number;
  /** The lenders' public address, which requests must be signed for. Without a trailing slash. */
  readonly url: string;
  /** The address of the pages for browsers; absent: `url`. */
  readonly pagesUrl?: string;
  readonly adminPort: number;
  readonly lendersFile: string;
  readonly databaseFile: string;
  /**
   * Whether a step without a visit counts as done, so that a test suite needs no browser. It breaks a rule of the
   * protocol; default: off.
   */
  readonly passesUnvisitedSteps: boolean;
  /** Paths of PEM files; null: plain http. */
  readonly tls: {
    readonly certificate: string;
    readonly key: string;
    /** Every client must present a certificate of this authority. */
    readonly clientAuthority: string | null;
  } | null;
  /** Rinpath's public keys: an address, or a file with pinned keys. */
  readonly rinpathKeys: string;
  /** Address for answers and messages (`.../lender-api/v1`); null: Rinpath must ask. */
  readonly rinpathAnswers: string | null;
}

/** Reads only this process's own variables. @throws Error naming an invalid one */
export function readSettings(environment: NodeJS.ProcessEnv): Settings {
  const port = readPort(environment, 'LENDER_PORT', 4000);
  const tls = readTls(environment);
  const host = environment['LENDER_HOST'] || '127.0.0.1';
  const scheme = tls ? 'https' : 'http';
  const rinpath = readUrl(environment, 'RINPATH_BASE_URL', 'http://localhost:3000');
  const url = readUrl(environment, 'LENDER_URL', `${scheme}://localhost:${port}`);
  const answers = environment['RINPATH_ANSWERS'] ?? `${rinpath}/lender-api/v1`;
  return {
    host,
    port,
    url,
    pagesUrl: readUrl(environment, 'LENDER_PAGES_URL', url),
    adminPort: readPort(environment, 'LENDER_ADMIN_PORT', 4001),
    lendersFile: environment['LENDER_FILE'] || beside('lenders.json'),
    databaseFile: environment['LENDER_DATABASE'] || '.data/lender.sqlite',
    passesUnvisitedSteps: readSwitch(environment, 'LENDER_PASSES_UNVISITED_STEPS'),
    tls,
    rinpathKeys: environment['RINPATH_JWKS'] || `${rinpath}/.well-known/rlp-jwks.json`,
    rinpathAnswers: answers === '' || answers === 'off' ? null : answers.replace(/\/+$/, ''),
  };
}

function readTls(environment: NodeJS.ProcessEnv): Settings['tls'] {
  const certificate = environment['LENDER_TLS_CERT'];
  const key = environment['LENDER_TLS_KEY'];
  if (!certificate && !key) return null;
  if (!certificate || !key) throw new Error('Set both LENDER_TLS_CERT and LENDER_TLS_KEY.');
  return { certificate, key, clientAuthority: environment['LENDER_TLS_CLIENT_CA'] || null };
}

function readPort(environment: NodeJS.ProcessEnv, name: string, usual: number): number {
  const port = Number(environment[name] || usual);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new Error(`${name} is not a port.`);
  return port;
}

function readSwitch(environment: NodeJS.ProcessEnv, name: string): boolean {
  const text = environment[name] || 'off';
  if (text !== 'on' && text !== 'off') throw new Error(`${name} must be on or off.`);
  return text === 'on';
}

function readUrl(environment: NodeJS.ProcessEnv, name: string, usual: string): string {
  const text = environment[name] || usual;
  if (!URL.canParse(text)) throw new Error(`${name} is not a URL.`);
  return text.replace(/\/+$/, '');
}

function beside(file: string): string {
  return fileURLToPath(new URL(file, import.meta.url));
}
