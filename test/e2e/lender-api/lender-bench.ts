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
export const HASH = 'a'.repeat(64);

const LENDERS = fileURLToPath(new URL('../../../examples/lender/lenders.json', import.meta.url));

export interface BenchOptions {
  /** Whether the lenders know where to tell answers to. */
  readonly isTold?: boolean;
  /** Absent: they do, and most tests need no pages. */
  readonly passesUnvisitedSteps?: boolean;
}

/** The reference lenders, and what stands in for Rinpath before them. */
export class LenderBench {
  readonly rinpath = new RinpathStandIn();
  private readonly folder = scratchFolder('rinpath-lender-');
  private process!: LenderProcess;
  private port = 0;
  private ahead = 0;
  private applications = 0;

  constructor(private readonly options: BenchOptions = {}) {}

  async start(): Promise<this> {
    await this.rinpath.start();
    this.port = await freePort();
    this.rinpath.lendersUrl = `http://127.0.0.1:${this.port}`;
    await this.startLenders();
    return this;
  }

  async stop(): Promise<void> {
    await this.process.stop();
    await this.rinpath.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** The lenders are gone for a moment, and come back with their database. */
  async restart(): Promise<void> {
    await this.process.stop();
    await this.startLenders();
  }

  /** Time passes at the lenders; signatures stay on the real clock as long as it is little. */
  passTime(seconds: number): void {
    this.ahead += seconds * 1000;
  }

  private async startLenders(): Promise<void> {
    const { isTold = false, passesUnvisitedSteps = true } = this.options;
    const settings = {
      host: '127.0.0.1',
      port: this.port,
      url: this.rinpath.lendersUrl,
      adminPort: 0,
      lendersFile: LENDERS,
      databaseFile: join(this.folder, 'lender.sqlite'),
      passesUnvisitedSteps,
      tls: null,
      rinpathKeys: `${this.rinpath.url}/.well-known/rlp-jwks.json`,
      rinpathAnswers: isTold ? `${this.rinpath.url}/lender-api/v1` : null,
    };
    const world = { ...REAL_WORLD, now: () => new Date(Date.now() + this.ahead) };
    this.process = await startLenders(settings, world);
  }

  // What the lender's operator does.

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

  // What Rinpath does.

  ask(call: string, fields: Json, twist: Twist = {}, lender = 'navdhara'): Promise<LenderAnswer> {
    return this.rinpath.ask(lender, call, fields, twist);
  }

  /** An application that nobody has seen. */
  newApplication(): string {
    this.applications += 1;
    return `app_new_${this.applications}`;
  }

  askOffers(more: Json = {}, twist: Twist = {}, lender = 'navdhara'): Promise<LenderAnswer> {
    const usual = {
      loanAmount: 20_000_000,
      applicant: APPLICANT,
      consent: CONSENT,
      usefulUntil: '2030-01-01T00:00:00Z',
    };
    return this.ask('offers', { ...usual, ...more }, twist, lender);
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
    return { about, offer, applicationReference: selected.body.applicationReference as string };
  }

  /** A session for a step; answers the address of its page. */
  async openSession(chosen: Chosen, step: string, more: Json = {}, lender = 'navdhara') {
    const answer = await this.ask('sessions', sessionFields(chosen, step, more), {}, lender);
    return answer.body as { url: string; covers: string[] };
  }

  /** All that comes before the payout. */
  async sign(chosen: Chosen, lender = 'navdhara'): Promise<void> {
    const stepFields = { ...chosen.about, step: 'ESIGN', stepReference: 'r-esign', attempt: 1 };
    await this.ask(
      'steps',
      { ...stepFields, stepReference: `r-${chosen.about.applicationId}` },
      {},
      lender,
    );
    await this.ask('accounts', { ...chosen.about, account: account('12345678901') }, {}, lender);
  }

  payoutFields({ about, offer }: Chosen): Json {
    const { principal, netPayout } = offer;
    return { ...about, loanAmount: principal, netPayout, keyFactsHash: HASH };
  }

  /** Paid out, after its second. */
  async payOut(chosen: Chosen): Promise<LenderAnswer> {
    const key = `qst_${chosen.about.applicationId}`;
    await this.ask('disbursements', this.payoutFields(chosen), { key });
    this.passTime(1);
    return this.ask('disbursements', this.payoutFields(chosen), { key });
  }
}

export interface Chosen {
  readonly about: { readonly applicationId: string; readonly offerReference: unknown };
  readonly offer: Json;
  readonly applicationReference: string;
}

export function account(number: string): Json {
  return { holderName: 'Asha Verma', type: 'SAVINGS', number, ifsc: 'HDFC0000123' };
}

export function sessionFields({ about }: Chosen, step: string, more: Json = {}): Json {
  return {
    ...about,
    step,
    stepReference: `ref-${step}-1`,
    attempt: 1,
    returnUrl: 'https://rinpath.example/returned?state=1',
    acknowledgement: {
      keyFactsHash: HASH,
      acknowledgedAt: '2026-11-22T10:05:00+05:30',
      language: 'en',
    },
    ...more,
  };
}
