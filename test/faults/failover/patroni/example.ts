import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { type Addresses, nameOf, NODES, PORTS } from './addresses.ts';

export interface Places {
  readonly certificates: string;
  readonly archive: string;
  readonly archiveScript: string;
}

export interface NodePlaces extends Places {
  readonly id: number;
  readonly binDir: string;
  readonly dataDir: string;
  readonly socketDir: string;
  readonly ownDir: string;
}

type Replacement = readonly [what: string | RegExp, by: string];

/** Debian's folder of PostgreSQL's programs. */
export const BINARIES = '/usr/lib/postgresql/15/bin';
const CERTIFICATES = '/etc/rinpath-cluster';
const OF_THE_SERVICE = ['DATABASE_URL', 'DATABASE_SESSION_URL', 'DATABASE_READ_URL'] as const;

/** A file of the deployment example. */
export function exampleFile(name: string): string {
  return readFileSync(new URL(`../../../../deploy/${name}`, import.meta.url), 'utf8');
}

/** `patroni/config.yml` of one node. */
export function patroniConfiguration(addresses: Addresses, places: NodePlaces): string {
  const { id, binDir, dataDir, socketDir, ownDir } = places;
  return adapted(exampleFile('patroni/config.yml'), [
    ['name: node1\n', `name: ${nameOf(id)}\n`],
    [/\blisten: 10\.0\.0\.11:/g, `listen: ${addresses.node(id)}:`],
    [/\bconnect_address: 10\.0\.0\.11:/g, `connect_address: ${nameOf(id)}:`],
    ...namesOfNodes(),
    // Connections to a loopback address come from 127.0.0.1.
    ['10.0.0.0/24', '127.0.0.0/8'],
    [BINARIES, binDir],
    ['/var/lib/postgresql/15/rinpath', dataDir],
    ['/var/lib/postgresql/patroni.pgpass', `${ownDir}/pgpass`],
    ['/var/run/postgresql', socketDir],
    [CERTIFICATES, places.certificates],
    ['/usr/local/bin/archive-wal', places.archiveScript],
    ['/srv/wal', places.archive],
    // Three nodes share one machine.
    ['shared_buffers: 4GB', 'shared_buffers: 128MB'],
    // The watchdog must not restart this machine.
    ['/dev/watchdog', `${ownDir}/watchdog`],
  ]);
}

/** `etcd.default` of one node. */
export function etcdVariables(addresses: Addresses, places: NodePlaces): Record<string, string> {
  const { id, certificates, ownDir } = places;
  const text = adapted(exampleFile('etcd.default'), [
    ['ETCD_NAME=node1', `ETCD_NAME=${nameOf(id)}`],
    [/(_LISTEN_\w+_URLS=https:\/\/)10\.0\.0\.11/g, `$1${addresses.node(id)}`],
    [/(_ADVERTISE_\w+_URLS=https:\/\/)10\.0\.0\.11/g, `$1${nameOf(id)}`],
    ...namesOfNodes(),
    ['/var/lib/etcd', `${ownDir}/etcd`],
    [CERTIFICATES, certificates],
  ]);
  return parseEnv(text) as Record<string, string>;
}

export function haproxyConfiguration(addresses: Addresses, { certificates }: Places): string {
  const nodes = NODES.map((id): Replacement => [`10.0.0.1${id}:`, `${addresses.node(id)}:`]);
  return adapted(exampleFile('haproxy.cfg'), [
    ['bind 127.0.0.1:', `bind ${addresses.service}:`],
    ...nodes,
    [CERTIFICATES, certificates],
  ]);
}

export function pgbouncerConfiguration(
  addresses: Addresses,
  { certificates }: Places,
  ownDir: string,
): string {
  return adapted(exampleFile('pgbouncer.ini'), [
    ['listen_addr = 127.0.0.1', `listen_addr = ${addresses.service}`],
    ['host=db.internal', `host=${addresses.service}`],
    ['/etc/pgbouncer/userlist.txt', `${ownDir}/userlist.txt`],
    ['/var/log/postgresql', ownDir],
    ['/var/run/postgresql', ownDir],
    [CERTIFICATES, certificates],
  ]);
}

/** The database variables of `environment`. */
export function serviceVariables(
  addresses: Addresses,
  { certificates }: Places,
  password: string,
): Record<string, string> {
  const all = parseEnv(exampleFile('environment')) as Record<string, string>;
  const ofDatabase = Object.entries(all).filter(([name]) => name.startsWith('DATABASE_'));
  const variables = Object.fromEntries(ofDatabase);
  for (const name of OF_THE_SERVICE) {
    const url = new URL(variables[name]);
    url.hostname = addresses.service;
    url.password = password;
    variables[name] = url.href;
  }
  return { ...variables, NODE_EXTRA_CA_CERTS: `${certificates}/authority.pem` };
}

/** The statements that the operator runs once on the first primary, from README.md. */
export function firstStatements(password: string): string {
  const statements = /```sql\n(CREATE ROLE rinpath [\s\S]+?)```/.exec(
    exampleFile('README.md'),
  )?.[1];
  if (statements === undefined) throw new Error('deploy/README.md makes no role any more');
  return statements.replaceAll('…', password);
}

function namesOfNodes(): Replacement[] {
  return NODES.map((id) => [new RegExp(`10\\.0\\.0\\.1${id}(?=:${anyPort()})`, 'g'), nameOf(id)]);
}

function anyPort(): string {
  return `(?:${Object.values(PORTS).join('|')})\\b`;
}

/** @throws Error if the example lacks a text to replace, because the run would then test something else */
function adapted(text: string, replacements: readonly Replacement[]): string {
  let result = text;
  for (const [what, by] of replacements) {
    if (!holds(result, what)) throw new Error(`deploy/ has no ${what} to be replaced`);
    result = result.replaceAll(what, by);
  }
  return result;
}

function holds(text: string, what: string | RegExp): boolean {
  return typeof what === 'string' ? text.includes(what) : text.search(what) >= 0;
}
