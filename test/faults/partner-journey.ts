import { loanRequest } from '../support/loan-requests.ts';
import type { Call, Outcome, Partner } from './partner.ts';
import { SeededRandom } from './seeded-random.ts';

const PRODUCTS = [
  'ONLINE_PERSONAL',
  'ONLINE_GOLD',
  'ONLINE_BUSINESS',
  'ONLINE_SHORT_TERM',
] as const;

const MIN_AMOUNT = 200_000;
const TWICE = 0.25;

export interface Seen {
  state: string;
  currentNextAction: { type: string; category: string; url?: string };
  offers: { offerId: string; principalAmount: number }[];
  selectedOffer: { branchLocations?: { id: string }[] } | null;
}

interface RunTerms {
  readonly name: string;
  readonly pans: readonly string[];
  readonly byThePage: number;
}

/** One headless journey that its partner drives, whatever the next action is. */
export abstract class PartnerJourney {
  readonly productCode: string;
  /** In rupees; unique per run, so it identifies the journey in the database. */
  readonly loanAmount: number;
  id: string | undefined;
  isOver = false;
  protected readonly pan: string;
  protected readonly random: SeededRandom;
  protected readonly partner: Partner;
  private session = '';
  private lastLink: string | undefined;
  private readonly idempotencyKey: string;
  private readonly byThePage: number;

  constructor(partner: Partner, seed: number, index: number, terms: RunTerms) {
    this.partner = partner;
    this.random = new SeededRandom(seed * 1_000_003 + index);
    this.productCode = PRODUCTS[index % PRODUCTS.length]!;
    this.loanAmount = MIN_AMOUNT + index;
    this.idempotencyKey = `${terms.name}-${seed}-${index}`;
    this.pan = this.random.pick(terms.pans);
    this.byThePage = terms.byThePage;
  }

  protected abstract act(kind: string, seen: Seen): Promise<void>;

  protected abstract decideAt(link: string): Promise<void>;

  protected async goOn(): Promise<void> {
    if (this.id === undefined) await this.initiate();
    else await this.takeNextStep();
  }

  protected replicasToCall(): ReturnType<Partner['choose']>[] {
    const first = this.partner.choose(this.random);
    return this.random.isTrue(TWICE) ? [first, this.partner.choose(this.random, first)] : [first];
  }

  protected ofJourney(method: Call['method'], path: string): Call {
    return { method, path: `/journey/${this.id}${path}`, session: this.session };
  }

  /** A lost response is requested again under the same key, so any number of tries creates one journey. */
  private async initiate(): Promise<void> {
    const { productCode, loanAmount, pan, idempotencyKey } = this;
    const body = loanRequest({ productCode, loanAmount, pan });
    const call = { method: 'POST', path: '/journey/initiate', body, idempotencyKey } as const;
    const data = dataOf(await this.send(call));
    if (!data) return;
    this.id = data.journeyId as string;
    this.session = data.journeySession as string;
  }

  private async takeNextStep(): Promise<void> {
    const seen = dataOf(await this.send(this.ofJourney('GET', ''))) as Seen | null;
    if (!seen) return;
    const { type, category, url } = seen.currentNextAction;
    if (category === 'DONE') this.isOver = true;
    if (category === 'ACTION') await this.act(type, seen);
    if (category === 'REDIRECT') await this.goAndReturn(type.replace('REDIRECT_TO_', ''), url!);
    // Back from a page without a recorded decision: the applicant visits it again.
    if (/^POLL_\w+_STATUS$/.test(type) && this.lastLink) await this.visit(this.lastLink);
  }

  private async goAndReturn(step: string, link: string): Promise<void> {
    if (this.random.isTrue(this.byThePage)) await this.visit(link);
    const call = { ...this.ofJourney('POST', '/redirect-returned'), body: { step } };
    const returns = [this.send(call)];
    if (this.random.isTrue(TWICE)) returns.push(this.send(call));
    await Promise.all(returns);
  }

  private async visit(link: string): Promise<void> {
    this.lastLink = link;
    await this.decideAt(link);
  }

  private send(call: Call): Promise<Outcome> {
    return this.partner.call(this.partner.choose(this.random), call);
  }
}

/** The data of a 200; otherwise null. */
export function dataOf(outcome: Outcome): Record<string, unknown> | null {
  return outcome.kind === 'ANSWERED' && outcome.status === 200 ? outcome.json.data : null;
}
