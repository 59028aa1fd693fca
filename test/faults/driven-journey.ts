import { setTimeout as sleep } from 'node:timers/promises';
import { BANK_ACCOUNT, loanRequest } from '../support/loan-requests.ts';
import { approveOnPage } from './applicant.ts';
import type { Call, Outcome, Partner } from './partner.ts';
import { SeededRandom } from './seeded-random.ts';

export const PRODUCTS = [
  'ONLINE_PERSONAL',
  'ONLINE_GOLD',
  'ONLINE_BUSINESS',
  'ONLINE_SHORT_TERM',
] as const;

// All of them end well: one offer, a KYC and a mandate that fail once, lenders that fail twice.
const ONE_OFFER = 'SANDX0003A';
const PANS = ['ABCDE1234F', ONE_OFFER, 'ABCDE1234F', 'SANDX0004A', 'SANDX0006A', 'SANDX0009A'];
const LENDERS = 3;
const MIN_AMOUNT = 200_000;
const TWICE = 0.25;
const BY_THE_PAGE = 0.5;

interface Seen {
  state: string;
  currentNextAction: { type: string; category: string; url?: string };
  offers: { offerId: string; principalAmount: number }[];
  selectedOffer: { branchLocations?: { id: string }[] } | null;
}

/** An action that was answered 200: it must stand at the end. */
export interface AcceptedAction {
  readonly kind: string;
  readonly payload: { readonly offerId?: string; readonly loanAmount?: number };
}

/** One journey and the partner and applicant who want to see its end, whatever is killed meanwhile. */
export class DrivenJourney {
  readonly productCode: string;
  /** In rupees; no two journeys of a run have the same, so it tells them apart in the database. */
  readonly loanAmount: number;
  readonly accepted: AcceptedAction[] = [];
  id: string | undefined;
  isOver = false;
  private session = '';
  private lastLink: string | undefined;
  private tries = 0;
  private readonly idempotencyKey: string;
  private readonly pan: string;
  private readonly random: SeededRandom;
  private readonly partner: Partner;

  constructor(partner: Partner, seed: number, index: number) {
    this.partner = partner;
    this.random = new SeededRandom(seed * 1_000_003 + index);
    this.productCode = PRODUCTS[index % PRODUCTS.length]!;
    this.loanAmount = MIN_AMOUNT + index;
    this.idempotencyKey = `faults-${seed}-${index}`;
    this.pan = this.random.pick(PANS);
  }

  /** Of every lender that serves the product, unless the PAN says otherwise. */
  get offersExpected(): number {
    return this.pan === ONE_OFFER ? 1 : LENDERS;
  }

  /** Goes on until the journey is over, or until it is told to stop. */
  async drive(isStopped: () => boolean): Promise<void> {
    while (!this.isOver && !isStopped()) {
      if (this.id === undefined) await this.initiate();
      else await this.takeNextStep();
      if (!this.isOver) await sleep(this.random.between(50, 350));
    }
  }

  /** A lost answer is asked for again under the same key, so one journey comes of any number of tries. */
  private async initiate(): Promise<void> {
    const { productCode, loanAmount, pan, idempotencyKey } = this;
    const outcome = await this.send({
      method: 'POST',
      path: '/journey/initiate',
      body: loanRequest({ productCode, loanAmount, pan }),
      idempotencyKey,
    });
    const data = dataOf(outcome);
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
    // Back from a page without a decision on record: the applicant goes there again.
    if (/^POLL_\w+_STATUS$/.test(type) && this.lastLink) await this.visit(this.lastLink);
  }

  private async act(kind: string, seen: Seen): Promise<void> {
    const first = this.partner.choose(this.random);
    const tries = [this.tryAction(kind, seen, first)];
    if (this.random.isTrue(TWICE)) {
      tries.push(this.tryAction(kind, seen, this.partner.choose(this.random, first)));
    }
    await Promise.all(tries);
  }

  private async tryAction(
    kind: string,
    seen: Seen,
    replica: ReturnType<Partner['choose']>,
  ): Promise<void> {
    const payload = this.payload(kind, seen);
    const call = { ...this.ofJourney('POST', '/action'), body: { kind, payload } };
    const outcome = await this.partner.call(replica, call);
    if (dataOf(outcome)) this.accepted.push({ kind, payload });
  }

  /** No two tries choose the same amount, so that it shows whose choice was recorded. */
  private payload(kind: string, seen: Seen): AcceptedAction['payload'] & object {
    if (kind === 'SUBMIT_BANK_ACCOUNT') return BANK_ACCOUNT;
    if (kind === 'SELECT_GOLD_LOAN_BRANCH') {
      const branches = seen.selectedOffer?.branchLocations ?? [];
      return { branchLocationId: this.random.pick(branches).id } as object;
    }
    const { offerId, principalAmount } = this.random.pick(seen.offers);
    this.tries += 1;
    return { offerId, loanAmount: Math.floor(principalAmount) - this.tries };
  }

  private async goAndReturn(step: string, link: string): Promise<void> {
    if (this.random.isTrue(BY_THE_PAGE)) await this.visit(link);
    const call = { ...this.ofJourney('POST', '/redirect-returned'), body: { step } };
    const returns = [this.send(call)];
    if (this.random.isTrue(TWICE)) returns.push(this.send(call));
    await Promise.all(returns);
  }

  private async visit(link: string): Promise<void> {
    this.lastLink = link;
    await approveOnPage(link, this.partner.choose(this.random));
  }

  private ofJourney(method: Call['method'], path: string): Call {
    return { method, path: `/journey/${this.id}${path}`, session: this.session };
  }

  private send(call: Call): Promise<Outcome> {
    return this.partner.call(this.partner.choose(this.random), call);
  }
}

function dataOf(outcome: Outcome): Record<string, unknown> | null {
  return outcome.kind === 'ANSWERED' && outcome.status === 200 ? outcome.json.data : null;
}
