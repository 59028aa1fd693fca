import { setTimeout as sleep } from 'node:timers/promises';
import { fetchWhole } from '../faults/applicant.ts';
import type { Partner } from '../faults/partner.ts';
import { PartnerJourney, type Seen } from '../faults/partner-journey.ts';
import { BANK_ACCOUNT } from '../support/loan-requests.ts';
import { openRedirect } from '../support/redirect-visit.ts';

// PANs that decide what lenders do: most lend; some decline, reject a step, or fail one once.
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
const LOOKS_AROUND_S = 1;
const LOOKS_AROUND_AT_MOST_S = 150;

const RELOADS_AFTER_S = 2;

const DECLINES = 0.08;
const LEAVES = 0.1;
const WRONG_ACCOUNT = 0.15;
const FROZEN_ACCOUNT = 0.04;

/** One journey to its end, with the partner that drives it and an applicant who acts at random. */
export class WalkingJourney extends PartnerJourney {
  private readonly pace: number;
  private visited = { link: '', times: 0 };
  private visitsAgainAt = 0;

  constructor(partner: Partner, seed: number, index: number, pace: number) {
    super(partner, seed, index, { name: 'walks', pans: PANS, byThePage: 0.6 });
    this.pace = pace;
  }

  async walk(isStopped: () => boolean): Promise<void> {
    while (!this.isOver && !isStopped()) {
      await this.goOn();
      if (!this.isOver) await sleep(this.random.between(400, 1_500) * this.pace);
    }
  }

  protected async act(kind: string, seen: Seen): Promise<void> {
    const payload = this.payload(kind, seen);
    const mayBeRefused = kind === 'SUBMIT_BANK_ACCOUNT';
    const call = { ...this.ofJourney('POST', '/action'), body: { kind, payload }, mayBeRefused };
    await Promise.all(this.replicasToCall().map((replica) => this.partner.call(replica, call)));
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

  protected async decideAt(link: string): Promise<void> {
    if (link !== this.visited.link) this.visited = { link, times: 0 };
    else if (performance.now() < this.visitsAgainAt) return;
    const looksAround = Math.min(LOOKS_AROUND_S * 2 ** this.visited.times, LOOKS_AROUND_AT_MOST_S);
    this.visited.times += 1;
    this.visitsAgainAt = performance.now() + looksAround * this.pace * 1_000;
    try {
      const opened = await openRedirect(link, fetchWhole);
      if (opened.status !== 303) {
        // The lender's page is not ready: this page reloads itself.
        const waitSeconds = Number(opened.headers.get('retry-after') ?? RELOADS_AFTER_S);
        this.visitsAgainAt = performance.now() + waitSeconds * 1_000;
        this.visited.times -= 1;
        return;
      }
      let page = opened.headers.get('location') ?? '';
      // One visit may handle several steps, one page after another.
      while (page.includes('/visits/')) page = await this.decide(page);
    } catch {
      // No replica was running, or the lender did not respond.
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
}
