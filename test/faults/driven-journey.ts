import { setTimeout as sleep } from 'node:timers/promises';
import { BANK_ACCOUNT, loanRequest } from '../support/loan-requests.ts';
import { openRedirect } from '../support/redirect-visit.ts';
import type { Call, Partner } from './partner.ts';
import { SeededRandom } from './seeded-random.ts';

const PRODUCTS = ['ONLINE_PERSONAL', 'ONLINE_GOLD', 'ONLINE_BUSINESS', 'ONLINE_SHORT_TERM'];
// The outcomes of the PANs: most get a loan; others are declined, refused at a step, or fail one once.
const LENT_TO = Array.from({ length: 8 }, () => 'ABCDE1234F');
const OTHERS = ['1', '3', '4', '5', '6', '7', '9'].map((digit) => `SANDX000${digit}A`);
const PANS = [...LENT_TO, ...OTHERS];
const REFUSED = '123456780000';
const REFUSED_FOR_GOOD = '123456789999';
const MIN_AMOUNT = 200_000;
const LOOKS_AROUND_S = 1;
const LOOKS_AROUND_AT_MOST_S = 150;
const RELOADS_AFTER_S = 2;
const VISIT_MS = 20_000;

/** Probabilities of what partners and applicants do. */
const TWICE = 0.25;
const BY_THE_PAGE = 0.6;
const DECLINES = 0.08;
const LEAVES = 0.1;
const WRONG_ACCOUNT = 0.15;
const FROZEN_ACCOUNT = 0.04;

interface Seen {
  readonly currentNextAction: { type: string; category: string; url?: string };
  readonly offers: readonly { offerId: string; principalAmount: number }[];
  readonly selectedOffer: { branchLocations?: { id: string }[] } | null;
}

interface Choice {
  readonly offerId: string;
  readonly loanAmount: number;
}

/** One headless journey, driven to its end by random decisions of the partner and the applicant. */
export class DrivenJourney {
  id: string | undefined;
  isOver = false;
  /** Choices that were answered 200. */
  readonly choices: Choice[] = [];
  readonly #partner: Partner;
  readonly #random: SeededRandom;
  readonly #request: object;
  readonly #idempotencyKey: string;
  readonly #pace: number;
  #session = '';
  #link = '';
  #visits = 0;
  #visitsAgainAt = 0;
  #tries = 0;

  constructor(partner: Partner, seed: number, index: number, pace: number) {
    this.#partner = partner;
    this.#random = new SeededRandom(seed * 1_000_003 + index);
    this.#idempotencyKey = `journey-${seed}-${index}`;
    this.#pace = pace;
    this.#request = loanRequest({
      productCode: PRODUCTS[index % PRODUCTS.length],
      loanAmount: MIN_AMOUNT + index,
      pan: this.#random.pick(PANS),
    });
  }

  async drive(isStopped: () => boolean): Promise<void> {
    while (!this.isOver && !isStopped()) {
      if (this.id === undefined) await this.#initiate();
      else await this.#takeNextStep();
      if (!this.isOver) await sleep(this.#random.between(400, 1_500) * this.#pace);
    }
  }

  /** The idempotency key makes retries after a lost response start one journey. */
  async #initiate(): Promise<void> {
    const data = await this.#send<{ journeyId: string; journeySession: string }>({
      method: 'POST',
      path: '/journey/initiate',
      body: this.#request,
      idempotencyKey: this.#idempotencyKey,
    });
    if (!data) return;
    this.id = data.journeyId;
    this.#session = data.journeySession;
  }

  async #takeNextStep(): Promise<void> {
    const seen = await this.#send<Seen>(this.#call('GET', ''));
    if (!seen) return;
    const { type, category, url = '' } = seen.currentNextAction;
    if (category === 'DONE') this.isOver = true;
    if (category === 'ACTION') await this.#twice(() => this.#act(type, seen));
    if (category === 'REDIRECT') {
      if (this.#random.isTrue(BY_THE_PAGE)) await this.#visit(url);
      const body = { step: type.replace('REDIRECT_TO_', '') };
      await this.#twice(() => this.#send({ ...this.#call('POST', '/redirect-returned'), body }));
    }
    // Without a recorded decision, the applicant visits the page again.
    if (/^POLL_\w+_STATUS$/.test(type) && this.#link) await this.#visit(this.#link);
  }

  async #act(kind: string, seen: Seen): Promise<void> {
    const payload = this.#payload(kind, seen);
    // 400: the lender refuses some accounts.
    const call = { ...this.#call('POST', '/action'), body: { kind, payload }, alsoUsual: 400 };
    const data = await this.#send(call);
    if (data && kind === 'SELECT_OFFER') this.choices.push(payload as Choice);
  }

  /** Each try has another amount, which identifies the recorded choice. */
  #payload(kind: string, { offers, selectedOffer }: Seen): object {
    if (kind === 'SUBMIT_BANK_ACCOUNT') return { ...BANK_ACCOUNT, accNo: this.#account() };
    if (kind === 'SELECT_GOLD_LOAN_BRANCH') {
      return { branchLocationId: this.#random.pick(selectedOffer?.branchLocations ?? []).id };
    }
    const { offerId, principalAmount } = this.#random.pick(offers);
    this.#tries += 1;
    return { offerId, loanAmount: Math.floor(principalAmount) - this.#tries };
  }

  #account(): string {
    if (this.#random.isTrue(FROZEN_ACCOUNT)) return REFUSED_FOR_GOOD;
    return this.#random.isTrue(WRONG_ACCOUNT) ? REFUSED : BANK_ACCOUNT.accNo;
  }

  async #visit(link: string): Promise<void> {
    if (link !== this.#link) this.#visits = 0;
    else if (performance.now() < this.#visitsAgainAt) return;
    this.#link = link;
    const seconds = Math.min(LOOKS_AROUND_S * 2 ** this.#visits, LOOKS_AROUND_AT_MOST_S);
    this.#visitsAgainAt = performance.now() + seconds * this.#pace * 1_000;
    this.#visits += 1;
    try {
      const opened = await openRedirect(link, fetchWhole);
      let page = opened.headers.get('location') ?? '';
      if (page === '') {
        // The lender's page is not ready: the service's page reloads.
        const waitSeconds = Number(opened.headers.get('retry-after') ?? RELOADS_AFTER_S);
        this.#visitsAgainAt = performance.now() + waitSeconds * 1_000;
        this.#visits -= 1;
      }
      // One visit can cover several steps.
      while (page.includes('/visits/')) page = await this.#decide(page);
    } catch {
      // No replica was listening, or the lender was unavailable.
    }
  }

  async #decide(page: string): Promise<string> {
    const html = await (await fetchWhole(page)).text();
    const step = /name="step" value="([A-Z]+)"/.exec(html)?.[1];
    if (step === undefined) return '';
    const left = this.#random.isTrue(LEAVES) ? 'leave' : 'approve';
    const decision = this.#random.isTrue(DECLINES) ? 'decline' : left;
    const body = new URLSearchParams({ step, decision });
    const { headers } = await fetchWhole(page, { method: 'POST', body });
    return new URL(headers.get('location') ?? '', page).href;
  }

  async #twice(send: () => Promise<unknown>): Promise<void> {
    const both = this.#random.isTrue(TWICE) ? [send(), send()] : [send()];
    await Promise.all(both);
  }

  #call(method: Call['method'], path: string): Call {
    return { method, path: `/journey/${this.id}${path}`, session: this.#session };
  }

  async #send<Data>(call: Call): Promise<Data | null> {
    const replica = this.#partner.choose(this.#random);
    return (await this.#partner.call<Data>(replica, call)).data;
  }
}

/** Reads the whole body: a killed process would leave it incomplete. */
async function fetchWhole(url: string, request: RequestInit = {}): Promise<Response> {
  const signal = AbortSignal.timeout(VISIT_MS);
  const response = await fetch(url, { ...request, redirect: 'manual', signal });
  const text = await response.text();
  return new Response(text === '' ? null : text, response);
}
