import { setTimeout as sleep } from 'node:timers/promises';
import { BANK_ACCOUNT } from '../support/loan-requests.ts';
import { approveOnPage } from './applicant.ts';
import type { Partner } from './partner.ts';
import { dataOf, PartnerJourney, type Seen } from './partner-journey.ts';

// All of these succeed: one offer, a KYC and a mandate that fail once, lenders that fail twice.
const ONE_OFFER = 'SANDX0003A';
const PANS = ['ABCDE1234F', ONE_OFFER, 'ABCDE1234F', 'SANDX0004A', 'SANDX0006A', 'SANDX0009A'];
const LENDERS = 3;

export interface AcceptedAction {
  readonly kind: string;
  readonly payload: { readonly offerId?: string; readonly loanAmount?: number };
}

/** One journey whose partner and applicant continue to its end, whatever is killed meanwhile. */
export class DrivenJourney extends PartnerJourney {
  readonly accepted: AcceptedAction[] = [];
  mayLackOffers = false;
  private tries = 0;

  constructor(partner: Partner, seed: number, index: number) {
    super(partner, seed, index, { name: 'faults', pans: PANS, byThePage: 0.5 });
  }

  /** One per lender that serves the product, unless the PAN changes that. */
  get offersExpected(): number {
    return this.pan === ONE_OFFER ? 1 : LENDERS;
  }

  async drive(isStopped: () => boolean): Promise<void> {
    while (!this.isOver && !isStopped()) {
      await this.goOn();
      if (!this.isOver) await sleep(this.random.between(50, 350));
    }
  }

  protected async act(kind: string, seen: Seen): Promise<void> {
    await Promise.all(this.replicasToCall().map((replica) => this.tryAction(kind, seen, replica)));
  }

  protected async decideAt(link: string): Promise<void> {
    await approveOnPage(link, this.partner.choose(this.random));
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

  /** No two tries choose the same amount, so that the recorded choice can be identified. */
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
}
