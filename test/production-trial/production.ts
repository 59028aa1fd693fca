import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { NeededProcess, ROOT } from '../support/needed-process.ts';
import { startOwnServer } from '../faults/run-database.ts';
import { freePort } from '../support/free-port.ts';
import { Authority } from './certificates.ts';
import { type Addresses, LENDER, LENDER_PAGES } from './configuration.ts';
import { environmentOf, makeDatabase, type Variables } from './operator.ts';

const PORTS = ['service', 'operator', 'proxy', 'lender', 'books', 'sms', 'razorpay'] as const;
const HERE = '127.0.0.1';

type Ports = Readonly<Record<(typeof PORTS)[number], number>>;

/** A production on one machine: its processes, its files, and its own database server. */
export class Production {
  readonly authority: Authority;
  readonly baseUrl: string;
  readonly addresses: Addresses;
  readonly ports: Ports;
  readonly #folder: string;
  readonly #host: string;
  readonly #running: NeededProcess[] = [];
  #stopDatabase: () => Promise<void> = () => Promise.resolve();

  private constructor(folder: string, host: string, ports: Ports) {
    const at = (port: number) => `https://${HERE}:${port}`;
    this.#folder = folder;
    this.#host = host;
    this.ports = ports;
    this.baseUrl = `https://${host}:${ports.proxy}`;
    this.addresses = {
      lender: at(ports.lender),
      smsGateway: at(ports.sms),
      razorpay: at(ports.razorpay),
    };
    this.authority = new Authority(folder);
  }

  static async prepare(): Promise<Production> {
    const host = ownAddress();
    const ports: [string, number][] = [];
    for (const name of PORTS) ports.push([name, await freePort()]);
    const folder = mkdtempSync(join(tmpdir(), 'rinpath-trial-'));
    chmodSync(folder, 0o755);
    return new Production(folder, host, Object.fromEntries(ports) as Ports);
  }

  async environment(): Promise<Variables> {
    const server = await startOwnServer([]);
    this.#stopDatabase = () => server.stop();
    return environmentOf(this.#folder, this.authority, {
      MODE: 'production',
      BASE_URL: this.baseUrl,
      HOST: HERE,
      PORT: String(this.ports.service),
      OPERATOR_PORT: String(this.ports.operator),
      DATABASE_URL: await makeDatabase(server.url),
      TRUST_PROXY: 'loopback',
      PRIVATE_NETWORKS: HERE,
      CONFIG_FILE: join(this.#folder, 'production.yaml'),
    });
  }

  async startSurroundings(environment: Variables): Promise<void> {
    const gateways = { ...environment, ...this.#tlsOf('gateways', HERE) };
    await this.start('SMS gateway', 'test/production-trial/sms-gateway.ts', {
      ...gateways,
      SMS_PORT: String(this.ports.sms),
    });
    await this.start('payment gateway', 'test/production-trial/razorpay.ts', {
      ...gateways,
      RAZORPAY_PORT: String(this.ports.razorpay),
      RINPATH_BASE_URL: this.baseUrl,
      LENDER_CODE: LENDER,
    });
    await this.start('proxy', 'test/production-trial/tls-proxy.ts', {
      ...this.#tlsOf('proxy', this.#host),
      PROXY_HOST: this.#host,
      PROXY_PORT: String(this.ports.proxy),
      UPSTREAM_PORT: String(this.ports.service),
    });
  }

  startLender(): Promise<NeededProcess> {
    const { TLS_CERT, TLS_KEY } = this.#tlsOf('lender', HERE);
    return this.start('lender', 'examples/lender/main.ts', {
      NODE_EXTRA_CA_CERTS: this.authority.certificate,
      LENDER_PORT: String(this.ports.lender),
      LENDER_ADMIN_PORT: String(this.ports.books),
      LENDER_URL: this.addresses.lender,
      LENDER_PAGES_URL: `https://${LENDER_PAGES}`,
      LENDER_DATABASE: join(this.#folder, 'lender.sqlite'),
      LENDER_TLS_CERT: TLS_CERT,
      LENDER_TLS_KEY: TLS_KEY,
      LENDER_TLS_CLIENT_CA: this.authority.certificate,
      RINPATH_BASE_URL: this.baseUrl,
    });
  }

  async start(name: string, file: string, env: Variables): Promise<NeededProcess> {
    const started = new NeededProcess(`The ${name}`, [join(ROOT, file)], env);
    this.#running.push(started);
    await started.ready();
    return started;
  }

  /** @throws Error if a process does not exit with 0 in time */
  async stop(): Promise<void> {
    for (const one of this.#running.toReversed()) await one.stop();
  }

  get output(): string {
    return this.#running.map(({ output }) => output.slice(-3_000)).join('\n\n');
  }

  async remove(): Promise<void> {
    await Promise.all(this.#running.map((one) => one.kill()));
    await this.#stopDatabase();
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }

  #tlsOf(name: string, address: string): { TLS_CERT: string; TLS_KEY: string } {
    const { certificate, key } = this.authority.issue(name, [`IP:${address}`]);
    return { TLS_CERT: certificate, TLS_KEY: key };
  }
}

function ownAddress(): string {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  const own = all.find(({ family, internal }) => family === 'IPv4' && !internal);
  if (!own) throw new Error('This machine has no IPv4 address but loopback; BASE_URL needs one.');
  return own.address;
}
