import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FaultKind } from '../../examples/lender/faults.ts';
import { type LenderProcess, startLenders } from '../../examples/lender/lender-process.ts';
import type { LenderTerms } from '../../examples/lender/lender-terms.ts';
import { REAL_WORLD, type World } from '../../examples/lender/world.ts';
import { freePort } from './free-port.ts';

const SHIPPED = fileURLToPath(new URL('../../examples/lender/lenders.json', import.meta.url));

/** The terms that the reference lenders ship with. */
export function shippedTerms(): LenderTerms[] {
  return (JSON.parse(readFileSync(SHIPPED, 'utf8')) as { lenders: LenderTerms[] }).lenders;
}

export interface ReferenceLendersOptions {
  readonly rinpathUrl: string;
  readonly port: number;
  readonly hostname?: string;
  readonly lenders: readonly LenderTerms[];
  readonly passesUnvisitedSteps?: boolean;
  readonly world?: Partial<World>;
  readonly tls?: { certificate: string; key: string; clientAuthority: string | null };
}

export interface FaultDetails {
  readonly times?: number | null;
  readonly seconds?: number;
}

interface AboutApplication {
  readonly lender: string;
  readonly applicationId: string;
}

export interface Books {
  readonly applications: readonly (AboutApplication & { readonly offers: number })[];
  readonly enquiries: readonly AboutApplication[];
  readonly selections: readonly (AboutApplication & {
    readonly applicationReference: string;
    readonly offerReference: string;
    readonly amount: number;
    readonly key: string;
    readonly timesAsked: number;
    readonly timesMade: number;
  })[];
  readonly steps: readonly { readonly offerReference: string; readonly step: string }[];
  readonly loans: readonly (AboutApplication & {
    readonly reference: string;
    readonly offerReference: string | null;
    readonly principal: number;
    readonly status: string;
  })[];
  readonly payouts: readonly (AboutApplication & {
    readonly loanReference: string;
    readonly amount: number;
    readonly utr: string;
  })[];
  readonly withdrawals: readonly (AboutApplication & { readonly reason: string })[];
  readonly questions: readonly {
    readonly lender: string;
    readonly key: string;
    readonly call: string;
    readonly timesAsked: number;
    readonly verdict: string | null;
  }[];
  readonly messages: readonly {
    readonly lender: string;
    readonly path: string;
    readonly id: string;
    readonly attempts: number;
    readonly lastStatus: string | null;
    readonly endedAt: string | null;
  }[];
}

/** The reference lenders in this process, with a database file that survives their restarts. */
export class ReferenceLenders {
  private readonly options: ReferenceLendersOptions;
  private readonly folder: string;
  private running: LenderProcess | undefined;

  private constructor(options: ReferenceLendersOptions) {
    this.options = options;
    this.folder = mkdtempSync(join(tmpdir(), 'rinpath-lenders-'));
    const { lenders } = options;
    writeFileSync(this.lendersFile, JSON.stringify({ lenders }));
  }

  static async start(options: ReferenceLendersOptions): Promise<ReferenceLenders> {
    const lenders = new ReferenceLenders(options);
    await lenders.comeBack();
    return lenders;
  }

  static port(): Promise<number> {
    return freePort();
  }

  async stop(): Promise<void> {
    await this.goAway();
    rmSync(this.folder, { recursive: true, force: true });
  }

  async goAway(): Promise<void> {
    const { running } = this;
    this.running = undefined;
    await running?.stop();
  }

  async comeBack(): Promise<void> {
    const { port, hostname, rinpathUrl, passesUnvisitedSteps = false, world } = this.options;
    const { tls = null } = this.options;
    const settings = {
      host: '127.0.0.1',
      port,
      url: addressOf(port, { hostname, isTls: tls !== null }),
      adminPort: 0,
      lendersFile: this.lendersFile,
      databaseFile: join(this.folder, 'lender.sqlite'),
      tls,
      passesUnvisitedSteps,
      rinpathKeys: `${rinpathUrl}/.well-known/rlp-jwks.json`,
      rinpathAnswers: `${rinpathUrl}/lender-api/v1`,
    };
    this.running = await startLenders(settings, { ...REAL_WORLD, ...world });
  }

  books(): Promise<Books> {
    return this.operator('GET', '/books') as Promise<Books>;
  }

  faults(): Promise<{ lender: string; message: string; kind: FaultKind; times: number | null }[]> {
    return this.operator('GET', '/faults') as ReturnType<ReferenceLenders['faults']>;
  }

  async order(
    lender: string,
    message: string,
    kind: FaultKind,
    details: FaultDetails = {},
  ): Promise<void> {
    await this.operator('POST', '/faults', { lender, message, kind, ...details });
  }

  async takeFaultsBack(): Promise<void> {
    await this.operator('DELETE', '/faults');
  }

  /** @throws Error if it is rejected */
  async operator(method: string, path: string, body?: object): Promise<unknown> {
    const response = await fetch(`${this.running!.adminUrl}${path}`, {
      method,
      ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
    const answer: unknown = await response.json();
    if (response.status === 200) return answer;
    throw new Error(`${method} ${path} was answered ${response.status}: ${JSON.stringify(answer)}`);
  }

  private get lendersFile(): string {
    return join(this.folder, 'lenders.json');
  }
}

/** The `remote` sections of these lenders in Rinpath's configuration. */
export function remoteLenders<Lender extends { code: string }>(
  lenders: readonly Lender[],
  port: number,
  reached?: Reached,
) {
  return lenders.map((lender) => ({
    ...lender,
    adapter: 'rlp',
    kind: 'NBFC',
    remote: remoteSection(port, lender.code, reached),
  }));
}

export function remoteSection(port: number, code: string, reached?: Reached): object {
  const address = `${addressOf(port, reached)}/${code}`;
  return { address, jwks: `${address}/jwks.json` };
}

interface Reached {
  readonly hostname?: string | undefined;
  readonly isTls?: boolean;
}

function addressOf(port: number, { hostname, isTls = false }: Reached = {}): string {
  const name = hostname ?? (isTls ? 'localhost' : '127.0.0.1');
  return `${isTls ? 'https' : 'http'}://${name}:${port}`;
}
