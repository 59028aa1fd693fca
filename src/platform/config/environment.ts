import { randomBytes } from 'node:crypto';
import { join, resolve } from 'node:path';
import { type MailSettings, parseMail } from './mail.js';
import { parseMasterKeys, type MasterKey } from '../crypto/master-key.js';
import { type DatabaseVariables, parseDatabase } from './database-variables.js';
import { keptText } from './kept-text.js';
import { type Network, privateNetworksOf } from './private-networks.js';
import { canExist } from '../outbound/address-problem.js';
import {
  parseBoolean,
  parseChoice,
  parseInteger,
  type Variables,
  type Mode,
} from './read-variable.js';
import { type TrustProxy, trustProxyOf } from './trust-proxy.js';

export const ENVIRONMENT = Symbol('environment');

export type { Mode };

export interface Environment extends DatabaseVariables {
  readonly mode: Mode;
  readonly port: number;
  /** Absent: every interface. */
  readonly host?: string;
  /** Serves only `/metrics` and `/health`; absent: `port` does. */
  readonly operatorPort?: number;
  readonly operatorHost: string;
  /** As callers reach the service, without a trailing slash. */
  readonly baseUrl: string;
  /** A developer's machine, so never production. */
  readonly isLoopback: boolean;
  readonly dataDir: string;
  readonly configFile: string;
  readonly trustProxy: TrustProxy;
  /** Reachable by lenders and gateways besides public addresses. */
  readonly privateNetworks: readonly Network[];
  readonly masterKeys: readonly MasterKey[];
  readonly sandboxOpen: boolean;
  /** Of the simulated lenders' usual delay. */
  readonly sandboxLatencyPercent: number;
  /** Absent: no e-mail is sent. */
  readonly mail?: MailSettings;
  readonly logLevel: string;
  readonly isTerminal: boolean;
}

/**
 * A sandbox that only its developer reaches, or is opened explicitly: it accepts open keys and
 * shows all messages.
 */
export function isOpenSandbox({
  mode,
  isLoopback,
  sandboxOpen,
}: Pick<Environment, 'mode' | 'isLoopback' | 'sandboxOpen'>): boolean {
  return mode === 'sandbox' && (isLoopback || sandboxOpen);
}

/** Lists every wrong variable, with no values but paths. */
export class EnvironmentError extends Error {
  constructor(readonly problems: string[]) {
    super(`The environment is not right:\n${problems.map((line) => `  - ${line}`).join('\n')}`);
    this.name = 'EnvironmentError';
  }
}

/** @param hostname as `URL` gives it, an IPv6 address in brackets */
export function isLoopbackHost(hostname: string): boolean {
  return LOOPBACK_HOSTS.test(hostname);
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];
// Demonstration keys are public, so a developer's machine serves only itself.
const LOOPBACK_INTERFACE = '127.0.0.1';
const LOOPBACK_HOSTS = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** @throws EnvironmentError naming every variable that is missing or malformed */
export function parseEnvironment(variables: Variables, isTerminal = false): Environment {
  const problems: string[] = [];
  const mode = parseMode(variables, problems);
  const port = parseInteger(variables, 'PORT', 3000, [0, 65_535], problems);
  const baseUrl = parseBaseUrl(variables, mode, port, problems);
  const operatorPort = parseOperatorPort(variables, port, problems);
  const dataDir = resolve(variables.DATA_DIR || '.data');
  const database = parseDatabase(variables, mode, problems);
  const trustProxy = valueOf('TRUST_PROXY', trustProxyOf(variables.TRUST_PROXY), false, problems);
  const privateNetworks = valueOf(
    'PRIVATE_NETWORKS',
    privateNetworksOf(variables.PRIVATE_NETWORKS),
    [],
    problems,
  );
  // At `info` a start logs 160 lines; a person needs only that it is ready.
  const usualLevel = isTerminal ? 'warn' : 'info';
  const logLevel = parseChoice(variables, 'LOG_LEVEL', usualLevel, LOG_LEVELS, problems);
  const sandboxOpen = parseBoolean(variables, 'SANDBOX_OPEN', false, problems);
  const sandboxLatencyPercent = parseInteger(
    variables,
    'SANDBOX_LATENCY_PERCENT',
    100,
    [0, 100],
    problems,
  );
  const mail = parseMail(variables, problems);
  const masterKeys = readMasterKeys(variables, mode, dataDir, problems);
  if (problems.length > 0) throw new EnvironmentError(problems);
  const isLoopback = isLoopbackHost(new URL(baseUrl).hostname);
  return Object.freeze({
    mode,
    port,
    baseUrl,
    host: variables.HOST || (isLoopback && !sandboxOpen ? LOOPBACK_INTERFACE : undefined),
    operatorPort,
    operatorHost: variables.OPERATOR_HOST || LOOPBACK_INTERFACE,
    isLoopback,
    ...database,
    dataDir,
    configFile: resolve(variables.CONFIG_FILE || 'config/sandbox.yaml'),
    trustProxy,
    privateNetworks,
    masterKeys,
    sandboxOpen,
    sandboxLatencyPercent,
    ...(mail && { mail }),
    logLevel,
    isTerminal,
  });
}

function parseMode(variables: Variables, problems: string[]): Mode {
  const mode = variables.MODE || 'sandbox';
  if (mode === 'sandbox' || mode === 'production') return mode;
  problems.push('MODE must be "sandbox" or "production"');
  return 'sandbox';
}

function parseOperatorPort(
  variables: Variables,
  port: number,
  problems: string[],
): number | undefined {
  if (!variables.OPERATOR_PORT) return undefined;
  const operatorPort = parseInteger(variables, 'OPERATOR_PORT', 0, [1, 65_535], problems);
  if (operatorPort === port) problems.push('OPERATOR_PORT must not be PORT');
  return operatorPort;
}

function parseBaseUrl(variables: Variables, mode: Mode, port: number, problems: string[]): string {
  const fallback = `http://localhost:${port}`;
  if (!variables.BASE_URL) {
    if (mode === 'production') problems.push('BASE_URL is required in production');
    return fallback;
  }
  const url = URL.parse(variables.BASE_URL);
  const isWeb = url && ['http:', 'https:'].includes(url.protocol);
  const wellFormed = isWeb && canExist(url) && url.pathname === '/';
  if (!wellFormed || url.search || url.hash || url.username) {
    problems.push('BASE_URL must be an http or https address without a path, query or credentials');
    return fallback;
  }
  if (mode === 'production' && (url.protocol !== 'https:' || isLoopbackHost(url.hostname))) {
    problems.push('BASE_URL must be an https address in production, and not one of loopback');
  }
  return url.origin;
}

function valueOf<Value>(
  name: string,
  read: { readonly value: Value } | { readonly problem: string },
  fallback: Value,
  problems: string[],
): Value {
  if (!('problem' in read)) return read.value;
  problems.push(`${name} ${read.problem}`);
  return fallback;
}

function readMasterKeys(
  variables: Variables,
  mode: Mode,
  dataDir: string,
  problems: string[],
): readonly MasterKey[] {
  try {
    if (variables.MASTER_KEY) return parseMasterKeys(variables.MASTER_KEY);
  } catch (error) {
    problems.push(`MASTER_KEY ${(error as Error).message}`);
    return [];
  }
  if (mode === 'production') {
    problems.push('MASTER_KEY is required in production');
    return [];
  }
  return sandboxMasterKeys(dataDir, problems);
}

function sandboxMasterKeys(dataDir: string, problems: string[]): readonly MasterKey[] {
  const file = join(dataDir, 'master-key');
  let text: string;
  try {
    const make = () => `sandbox:${randomBytes(32).toString('base64')}`;
    text = keptText(file, make);
  } catch {
    problems.push(`DATA_DIR must be a folder that the service may read and write: ${dataDir}`);
    return [];
  }
  try {
    return parseMasterKeys(text);
  } catch {
    problems.push(
      `DATA_DIR holds a damaged master-key file, bring back the one that it had: ${file}`,
    );
    return [];
  }
}
