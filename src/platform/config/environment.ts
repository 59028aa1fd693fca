import { randomBytes } from 'node:crypto';
import { join, resolve } from 'node:path';
import { Inject } from '@nestjs/common';
import { z } from 'zod';
import { parseMasterKeys, type MasterKey } from '../crypto/master-key.js';
import { canExist } from '../outbound/address-problem.js';
import { choice, field } from '../validation/schema-field.js';
import { keptText } from './kept-text.js';
import { type Network, privateNetworks, trustProxy } from './networks.js';

export const ENVIRONMENT = Symbol('environment');

export const InjectEnvironment = Inject(ENVIRONMENT);

export type Mode = 'sandbox' | 'production';

type Variables = Record<string, string | undefined>;

export interface Environment {
  readonly mode: Mode;
  readonly port: number;
  /** Absent: every interface. */
  readonly host?: string;
  /** Serves only `/metrics` and `/health`; absent: `port` does. */
  readonly operatorPort?: number;
  readonly operatorHost: string;
  /** As callers reach the service; no trailing slash. */
  readonly baseUrl: string;
  /** True only on a developer's machine, never in production. */
  readonly isLoopback: boolean;
  /** Absent: an embedded PostgreSQL in `dataDir`. */
  readonly databaseUrl?: string;
  /** Keeps sessions, unlike a pooler; absent: `databaseUrl` does. */
  readonly databaseSessionUrl?: string;
  /** A standby for lists. */
  readonly databaseReadUrl?: string;
  readonly databaseNamedStatements: boolean;
  readonly databasePoolSize: number;
  readonly databaseLossAccepted: boolean;
  readonly newerSchemaAllowed: boolean;
  readonly dataDir: string;
  readonly configFile: string;
  readonly trustProxy: string | number | false;
  /** Private ranges that lenders and gateways may use. */
  readonly privateNetworks: readonly Network[];
  readonly masterKeys: readonly MasterKey[];
  readonly sandboxOpen: boolean;
  readonly sandboxLatencyPercent: number;
  /** Absent: no email is sent. */
  readonly mail?: {
    /** `smtps://`, or `smtp://` with STARTTLS; on loopback STARTTLS is optional. */
    readonly smtpUrl: string;
    readonly from: string;
  };
  readonly logLevel: string;
  readonly isTerminal: boolean;
}

/** Accepts open keys and shows all messages. */
export function isOpenSandbox({
  mode,
  isLoopback,
  sandboxOpen,
}: Pick<Environment, 'mode' | 'isLoopback' | 'sandboxOpen'>): boolean {
  return mode === 'sandbox' && (isLoopback || sandboxOpen);
}

/** Lists every invalid variable; the only values shown are paths. */
export class EnvironmentError extends Error {
  constructor(readonly problems: string[]) {
    super(`The environment is not valid:\n${problems.map((line) => `  - ${line}`).join('\n')}`);
    this.name = 'EnvironmentError';
  }
}

export function isLoopbackHost(hostname: string): boolean {
  return LOOPBACK_HOSTS.test(hostname);
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
// Demonstration keys are public, so no other machine may connect.
const LOOPBACK_INTERFACE = '127.0.0.1';
const LOOPBACK_HOSTS = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;
const DEFAULT_PORT = 3000;
/** Explicit, so that production never falls back to the embedded database. */
const EMBEDDED = 'embedded';
// A line break would start another header.
const MAIL_FROM = /^(?:[^<>"\r\n]{1,80} <[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/;

export function parseEnvironment(variables: Variables, isTerminal = false): Environment {
  const given = Object.fromEntries(Object.entries(variables).filter(([, text]) => text));
  const { data: read, error } = variablesSchema(given).safeParse(given);
  if (error) {
    throw new EnvironmentError(
      error.issues.map(({ path, message }) => `${path[0] as string} ${message}`),
    );
  }
  const baseUrl = read.BASE_URL ?? `http://localhost:${read.PORT}`;
  const isLoopback = isLoopbackHost(new URL(baseUrl).hostname);
  const { SMTP_URL: smtpUrl, MAIL_FROM: from } = read;
  return Object.freeze({
    mode: read.MODE,
    port: read.PORT,
    baseUrl,
    host: read.HOST ?? (isLoopback && !read.SANDBOX_OPEN ? LOOPBACK_INTERFACE : undefined),
    operatorPort: read.OPERATOR_PORT,
    operatorHost: read.OPERATOR_HOST,
    isLoopback,
    databaseUrl: read.DATABASE_URL === EMBEDDED ? undefined : read.DATABASE_URL,
    databaseSessionUrl: read.DATABASE_SESSION_URL,
    databaseReadUrl: read.DATABASE_READ_URL,
    databaseNamedStatements: read.DATABASE_NAMED_STATEMENTS,
    databasePoolSize: read.DATABASE_POOL,
    databaseLossAccepted: read.DATABASE_LOSS_ACCEPTED,
    newerSchemaAllowed: read.ALLOW_NEWER_SCHEMA,
    dataDir: read.DATA_DIR.folder,
    configFile: resolve(read.CONFIG_FILE),
    trustProxy: read.TRUST_PROXY,
    privateNetworks: read.PRIVATE_NETWORKS,
    masterKeys: read.MASTER_KEY ?? read.DATA_DIR.masterKeys,
    sandboxOpen: read.SANDBOX_OPEN,
    sandboxLatencyPercent: read.SANDBOX_LATENCY_PERCENT,
    ...(smtpUrl && from && { mail: { smtpUrl, from } }),
    // `info` logs 160 lines at startup; in a terminal, only problems matter.
    logLevel: read.LOG_LEVEL ?? (isTerminal ? 'warn' : 'info'),
    isTerminal,
  });
}

export function environmentVariables(): string[] {
  return Object.keys(variablesSchema({}).shape);
}

function variablesSchema(given: Variables) {
  const isProduction = given.MODE === 'production';
  const inProduction = <Read, Text>(schema: z.ZodType<Read, Text>, hint = '') =>
    isProduction
      ? z.custom<Text>(Boolean, `is required in production${hint}`).pipe(schema)
      : schema.optional();
  const ofMail = <Schema extends z.ZodType>(schema: Schema) =>
    given.SMTP_URL || given.MAIL_FROM ? schema : schema.optional();
  const hasServer = (given.DATABASE_URL ?? EMBEDDED) !== EMBEDDED;
  const besides = (what: string) =>
    postgres.refine(() => hasServer, `needs a DATABASE_URL ${what}`).optional();
  return z.object({
    MODE: choice(['sandbox', 'production']).default('sandbox'),
    PORT: number(0, 65_535).default(DEFAULT_PORT),
    HOST: z.string().optional(),
    BASE_URL: inProduction(baseAddress(isProduction)),
    OPERATOR_PORT: number(1, 65_535)
      .refine((port) => port !== Number(given.PORT ?? DEFAULT_PORT), 'must not be PORT')
      .optional(),
    OPERATOR_HOST: z.string().default(LOOPBACK_INTERFACE),
    DATABASE_URL: inProduction(
      postgresOrEmbedded,
      `: a postgres:// URL, or ${EMBEDDED} for the database in DATA_DIR`,
    ),
    DATABASE_SESSION_URL: besides('that leads through a pooler'),
    DATABASE_READ_URL: besides('of its primary'),
    DATABASE_NAMED_STATEMENTS: flag(true),
    DATABASE_POOL: number(2, 500).default(10),
    DATABASE_LOSS_ACCEPTED: flag(false),
    ALLOW_NEWER_SCHEMA: flag(false),
    CONFIG_FILE: z.string().default('config/sandbox.yaml'),
    TRUST_PROXY: trustProxy.default(false),
    PRIVATE_NETWORKS: privateNetworks.default([]),
    LOG_LEVEL: choice(LOG_LEVELS).optional(),
    SANDBOX_OPEN: flag(false),
    SANDBOX_LATENCY_PERCENT: number(0, 100).default(100),
    SMTP_URL: ofMail(smtp),
    MAIL_FROM: ofMail(
      field(z.string().regex(MAIL_FROM), 'must be an e-mail address, or "Name <address>"'),
    ),
    DATA_DIR: z
      .string()
      .default('.data')
      .transform(dataFolder(isProduction || given.MASTER_KEY !== undefined)),
    MASTER_KEY: inProduction(masterKeys),
  });
}

const number = (least: number, most: number) =>
  field(
    z.string().transform(Number).pipe(z.int().min(least).max(most)),
    `must be a whole number between ${least} and ${most}`,
  );

const flag = (fallback: boolean) =>
  choice(['true', 'false'])
    .default(`${fallback}`)
    .transform((word) => word === 'true');

const postgresText = z.string().refine(isPostgres);

const postgres = field(postgresText, 'must be a postgres:// URL');

const postgresOrEmbedded = field(
  postgresText.or(z.literal(EMBEDDED)),
  `must be a postgres:// URL, or ${EMBEDDED}`,
);

function isPostgres(text: string): boolean {
  return ['postgres:', 'postgresql:'].includes(URL.parse(text)?.protocol ?? '');
}

const smtp = field(
  z.string().refine((text) => {
    const url = URL.parse(text);
    const isBare = url && ['', '/'].includes(url.pathname) && !url.search && !url.hash;
    return isBare && ['smtp:', 'smtps:'].includes(url.protocol) && canExist(url);
  }),
  'must be an smtps:// or smtp:// URL with a host and no path',
);

function baseAddress(isProduction: boolean) {
  const isBare = (text: string) => {
    const url = URL.parse(text);
    const isWeb = url && ['http:', 'https:'].includes(url.protocol) && canExist(url);
    return isWeb && url.pathname === '/' && !url.search && !url.hash && !url.username;
  };
  return field(
    z
      .string()
      .refine(isBare)
      .transform((text) => new URL(text)),
    'must be an http or https URL without path, query or credentials',
  )
    .refine(
      ({ protocol, hostname }) =>
        !isProduction || (protocol === 'https:' && !isLoopbackHost(hostname)),
      'must be an https URL in production, not on loopback',
    )
    .transform(({ origin }) => origin);
}

const masterKeys = z.string().transform((text, context) => {
  try {
    return parseMasterKeys(text);
  } catch (error) {
    context.addIssue((error as Error).message);
    return z.NEVER;
  }
});

/** Without keys, the sandbox generates its own at first start. */
function dataFolder(hasKeys: boolean) {
  return (path: string, context: z.RefinementCtx) => {
    const folder = resolve(path);
    if (hasKeys) return { folder, masterKeys: [] };
    const file = join(folder, 'master-key');
    let problem = `must be a directory that the service can read and write: ${folder}`;
    try {
      const text = keptText(file, () => `sandbox:${randomBytes(32).toString('base64')}`);
      problem = `has a damaged master-key file; restore the original: ${file}`;
      return { folder, masterKeys: parseMasterKeys(text) };
    } catch {
      context.addIssue(problem);
      return z.NEVER;
    }
  };
}
