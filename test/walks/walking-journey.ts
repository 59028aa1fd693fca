import { setTimeout as sleep } from 'node:timers/promises';
import { PRODUCTS } from '../faults/driven-journey.ts';
import type { Call, Outcome, Partner } from '../faults/partner.ts';
import { SeededRandom } from '../faults/seeded-random.ts';
import { BANK_ACCOUNT, loanRequest } from '../support/loan-requests.ts';
import { openRedirect } from '../support/redirect-visit.ts';

// What lenders do with an applicant: mostly they lend; some decline, refuse a step, or fail one once.
const LENT_TO = 'ABCDE1234F';
const PANS = [
  ...Array.from({ length: 8 }, () => LENT_TO),
  'SANDX0001A',
  'SANDX0003A',
  'SANDX0004A',
  'SANDX0005A',
  'SANDX0006A',
  'SANDX0007A',
  'SANDX0009A',
];
const REFUSED = '123456780000';
const REFUSED_FOR_GOOD = '123456789999';
const MIN_AMOUNT = 200_000;
const CALL_MS = 20_000;

const TWICE = 0.25;
const BY_THE_PAGE = 0.6;
const DECLINES = 0.08;
const LEAVES = 0.1;
const WRONG_ACCOUNT = 0.15;
const FROZEN_ACCOUNT = 0.04;

interface Seen {
  state: string;
  currentNextAction: { type: string; category: string; url?: string };
  offers: { offerId: string; principalAmount: number }[];
  selectedOffer: { branchLocations?: { id: string }[] } | null;
}

/** One journey, the partner who drives it, and an applicant who does whatever chance says, to its end. */
export class WalkingJourney {
  id: string | undefined;
  isOver = false;
  readonly productCode: string;
  private session = '';
  private lastLink: string | undefined;
  private readonly loanAmount: number;
  private readonly idempotencyKey: string;
  private readonly pan: string;
  private readonly random: SeededRandom;
  private readonly partner: Partner;

  constructor(partner: Partner, seed: number, index: number) {
    this.partner = partner;
    this.random = new SeededRandom(seed * 1_000_003 + index);
    this.productCode = PRODUCTS[index % PRODUCTS.length]!;
    this.loanAmount = MIN_AMOUNT + index;
    this.idempotencyKey = `walks-${seed}-${index}`;
    this.pan = this.random.pick(PANS);
  }

  /** Goes on until the journey is over, or until it is told to stop. */
  async walk(isStopped: () => boolean): Promise<void> {
    while (!this.isOver && !isStopped()) {
      if (this.id === undefined) await this.initiate();
      else await this.takeNextStep();
      if (!this.isOver) await sleep(this.random.between(200, 900));
    }
  }

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
    // Back from a page without a decision on record: the applicant goes there again.
    if (/^POLL_\w+_STATUS$/.test(type) && this.lastLink) await this.visit(this.lastLink);
  }

  private async act(kind: string, seen: Seen): Promise<void> {
    const payload = this.payload(kind, seen);
    const mayBeRefused = kind === 'SUBMIT_BANK_ACCOUNT';
    const call = { ...this.ofJourney('POST', '/action'), body: { kind, payload }, mayBeRefused };
    const first = this.partner.choose(this.random);
    // The second try goes to the other replica at the same moment.
    const replicas = this.random.isTrue(TWICE)
      ? [first, this.partner.choose(this.random, first)]
      : [first];
    await Promise.all(replicas.map((replica) => this.partner.call(replica, call)));
  }

  private payload(kind: string, seen: Seen): object {
    if (kind === 'SUBMIT_BANK_ACCOUNT') return { ...BANK_ACCOUNT, accNo: this.account() };
    if (kind === 'SELECT_GOLD_LOAN_BRANCH') {
      const branches = seen.selectedOffer?.branchLocations ?? [];
      return { branchLocationId: this.random.pick(branches).id };
    }
    const { offerId, principalAmount } = this.random.pick(seen.offers);
    return { offerId, loanAmount: Math.floor(principalAmount) - this.random.below(1_000) };
  }

  private account(): string {
    if (this.random.isTrue(FROZEN_ACCOUNT)) return REFUSED_FOR_GOOD;
    return this.random.isTrue(WRONG_ACCOUNT) ? REFUSED : BANK_ACCOUNT.accNo;
  }

  private async goAndReturn(step: string, link: string): Promise<void> {
    if (this.random.isTrue(BY_THE_PAGE)) await this.visit(link);
    const call = { ...this.ofJourney('POST', '/redirect-returned'), body: { step } };
    const returns = [this.send(call)];
    if (this.random.isTrue(TWICE)) returns.push(this.send(call));
    await Promise.all(returns);
  }

  /** From our link to the lender's page and its buttons; any of it may fail, and is tried again. */
  private async visit(link: string): Promise<void> {
    this.lastLink = link;
    try {
      const opened = await openRedirect(link, fetchWhole);
      let page = opened.headers.get('location') ?? '';
      // One visit may deal with several steps, one page after another.
      while (page.includes('/visits/')) page = await this.decide(page);
    } catch {
      // Nobody was there, or the lender could not be reached.
    }
  }

  private async decide(page: string): Promise<string> {
    const html = await (await fetchWhole(page)).text();
    const step = /name="step" value="([A-Z]+)"/.exec(html)?.[1];
    if (step === undefined) return '';
    const body = new URLSearchParams({ step, decision: this.decision() });
    const { headers } = await fetchWhole(page, { method: 'POST', body });
    return new URL(headers.get('location') ?? '', page).href;
  }

  private decision(): string {
    if (this.random.isTrue(DECLINES)) return 'decline';
    return this.random.isTrue(LEAVES) ? 'leave' : 'approve';
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

/** Whole, so that none is left half read when a process ends. */
async function fetchWhole(url: string, request: RequestInit = {}): Promise<Response> {
  const response = await fetch(url, {
    ...request,
    redirect: 'manual',
    signal: AbortSignal.timeout(CALL_MS),
  });
  const text = await response.text();
  return new Response(text === '' ? null : text, response);
}
