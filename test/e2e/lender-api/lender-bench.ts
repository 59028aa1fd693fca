import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type LenderProcess, startLenders } from '../../../examples/lender/lender-process.ts';
import { REAL_WORLD } from '../../../examples/lender/world.ts';
import { freePort } from '../../support/free-port.js';
import { scratchFolder } from '../../support/scratch-folder.js';
import { type Json, type LenderAnswer, RinpathStandIn, type Twist } from './rinpath-stand-in.js';

export const APPLICANT = { mobile: '9876543210', pan: 'ABCDE1234F', fullName: 'Asha Verma' };
export const CONSENT = { givenBy: 'HOSTED', givenAt: '2026-11-22T10:00:00+05:30' };
const HASH = 'a'.repeat(64);
const LENDERS = fileURLToPath(new URL('../../../examples/lender/lenders.json', import.meta.url));

/** The reference lenders, and what stands in for Rinpath before them. */
export class LenderBench {
  readonly rinpath = new RinpathStandIn();
  private readonly folder = scratchFolder('rinpath-lender-');
  private process!: LenderProcess;
  private port = 0;
  private ahead = 0;
  private applications = 0;

  async start(): Promise<void> {
    await this.rinpath.start();
    this.port = await freePort();
    this.rinpath.lendersUrl = `http://127.0.0.1:${this.port}`;
    await this.startLenders();
  }

  async stop(): Promise<void> {
    await this.process.stop();
    await this.rinpath.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** With the same database. */
  async restart(): Promise<void> {
    await this.process.stop();
    await this.startLenders();
  }

  /** Time passes at the lenders; signatures stay on the real clock as long as it is little. */
  passTime(seconds: number): void {
    this.ahead += seconds * 1000;
  }

  private async startLenders(): Promise<void> {
    const settings = {
      host: '127.0.0.1',
      port: this.port,
      url: this.rinpath.lendersUrl,
      adminPort: 0,
      lendersFile: LENDERS,
      databaseFile: join(this.folder, 'lender.sqlite'),
      passesUnvisitedSteps: true,
      tls: null,
      rinpathKeys: `${this.rinpath.url}/.well-known/rlp-jwks.json`,
      rinpathAnswers: null,
    };
    const world = { ...REAL_WORLD, now: () => new Date(Date.now() + this.ahead) };
    this.process = await startLenders(settings, world);
  }

  /** What the lender's operator does. */
  async admin(method: string, path: string, body?: Json): Promise<{ status: number; body: Json }> {
    const response = await fetch(`${this.process.adminUrl}${path}`, {
      method,
      ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
    return { status: response.status, body: (await response.json()) as Json };
  }

  async books(): Promise<Record<string, Json[]>> {
    return (await this.admin('GET', '/books')).body as Record<string, Json[]>;
  }

  async fault(message: string, kind: string, more: Json = {}): Promise<void> {
    const order = { lender: 'navdhara', message, kind, times: 1, ...more };
    const { status } = await this.admin('POST', '/faults', order);
    if (status !== 200) throw new Error(`The fault ${kind} was not taken: ${status}`);
  }

  ask(call: string, fields: Json, twist: Twist = {}, lender = 'navdhara'): Promise<LenderAnswer> {
    return this.rinpath.ask(lender, call, fields, twist);
  }

  newApplication(): string {
    this.applications += 1;
    return `app_new_${this.applications}`;
  }

  askOffers(more: Json = {}, twist: Twist = {}, lender = 'navdhara'): Promise<LenderAnswer> {
    const usual = { loanAmount: 20_000_000, applicant: APPLICANT, consent: CONSENT };
    const fields = { ...usual, usefulUntil: '2030-01-01T00:00:00Z', ...more };
    return this.ask('offers', fields, twist, lender);
  }

  /** As far as the chosen offer. */
  async choose(more: Json = {}, lender = 'navdhara'): Promise<Chosen> {
    const applicationId = this.newApplication();
    const offered = await this.askOffers({ applicationId, ...more }, {}, lender);
    const offer = (offered.body.offers as Json[])[0];
    const about = { applicationId, offerReference: offer.reference };
    const choice = { ...about, loanAmount: offer.principal, keyFactsHash: HASH };
    const selected = await this.ask('selections', choice, {}, lender);
    if (selected.status !== 200) throw new Error(`not chosen: ${selected.text}`);
    return { about, offer };
  }

  /** Everything before the payout. */
  async sign({ about }: Chosen): Promise<void> {
    const stepReference = `r-${about.applicationId}`;
    await this.ask('steps', { ...about, step: 'ESIGN', stepReference, attempt: 1 });
    await this.ask('accounts', { ...about, account: account('12345678901') });
  }

  /** Paid out, after its second. */
  async payOut({ about, offer }: Chosen): Promise<LenderAnswer> {
    const { principal, netPayout } = offer;
    const fields = { ...about, loanAmount: principal, netPayout, keyFactsHash: HASH };
    const key = `qst_${about.applicationId}`;
    await this.ask('disbursements', fields, { key });
    this.passTime(1);
    return this.ask('disbursements', fields, { key });
  }
}

interface Chosen {
  readonly about: { readonly applicationId: string; readonly offerReference: unknown };
  readonly offer: Json;
}

export function account(number: string): Json {
  return { holderName: 'Asha Verma', type: 'SAVINGS', number, ifsc: 'HDFC0000123' };
}

export function sessionFields({ about }: Chosen, step: string, more: Json = {}): Json {
  const acknowledgedAt = '2026-11-22T10:05:00+05:30';
  return {
    ...about,
    step,
    stepReference: `ref-${step}-1`,
    attempt: 1,
    returnUrl: 'https://rinpath.example/returned?state=1',
    acknowledgement: { keyFactsHash: HASH, acknowledgedAt, language: 'en' },
    ...more,
  };
}
