import { setTimeout as sleep } from 'node:timers/promises';
import type { FakeRazorpay } from '../../support/fake-razorpay.ts';
import { sandboxCredentials } from '../../support/sandbox-credentials.ts';
import { DrivenJourney } from '../driven-journey.ts';
import { Partner } from '../partner.ts';
import type { Replica } from '../replica.ts';
import { SeededRandom } from '../seeded-random.ts';
import { Poller } from '../webhooks/poller.ts';
import { AdmissionProbe } from './admission-probe.ts';
import { DECLINED_AFTER_PAYMENT, DrivenInstantLoan } from './driven-instant-loan.ts';

interface LoadOptions {
  readonly journeys: number;
  readonly loans: number;
  readonly seed: number;
}

const LENT_TO = 'ABCDE1234F';
const LOANS = {
  name: 'failover',
  pans: [LENT_TO, LENT_TO, LENT_TO, DECLINED_AFTER_PAYMENT, DECLINED_AFTER_PAYMENT],
  wavers: 0,
};
const MINUTE_LIMIT = 120;
const UNANSWERED_NAMED = 20;

/** Everybody who calls the service while its primary is lost: partners, applicants, the gateway. */
export class Load {
  readonly partner: Partner;
  readonly journeys: readonly DrivenJourney[];
  readonly loans: readonly DrivenInstantLoan[];
  readonly poller: Poller;
  readonly nonces: AdmissionProbe;
  hasTimeLept = false;
  private readonly limits: AdmissionProbe;
  private readonly stopping = new AbortController();
  private driving: Promise<unknown> = Promise.resolve();
  private probing: Promise<unknown> = Promise.resolve();
  private polling: Promise<void> = Promise.resolve();

  constructor(
    replicas: readonly Replica[],
    razorpay: FakeRazorpay,
    { journeys, loans, seed }: LoadOptions,
  ) {
    this.partner = new Partner(replicas);
    this.journeys = Array.from(
      { length: journeys },
      (_, index) => new DrivenJourney(this.partner, seed, index),
    );
    this.loans = Array.from(
      { length: loans },
      (_, index) => new DrivenInstantLoan(this.partner, razorpay, seed, index, LOANS),
    );
    this.poller = new Poller(this.partner, new SeededRandom(seed + 3));
    this.nonces = new AdmissionProbe(replicas, sandboxCredentials('demo', 'demo-load'));
    this.limits = new AdmissionProbe(replicas, sandboxCredentials('limited'));
  }

  async whileTimeLeaps(leap: () => Promise<void>): Promise<void> {
    this.hasTimeLept = true;
    const markOpen = () => {
      for (const journey of this.journeys) {
        if (journey.id !== undefined && !journey.isOver) journey.mayLackOffers = true;
      }
    };
    markOpen();
    await this.limits.whileTimeLeaps(leap);
    markOpen();
  }

  start(withinMs: number): void {
    const { signal } = this.stopping;
    const isStopped = () => signal.aborted;
    this.driving = Promise.all([
      ...spread(this.journeys, withinMs, signal, (journey) => journey.drive(isStopped)),
      ...spread(this.loans, withinMs, signal, (loan) => loan.drive(isStopped)),
    ]);
    this.probing = Promise.all([this.nonces.run(), this.limits.run()]);
    this.polling = this.poller.run();
    // A failure is seen where it is waited for.
    for (const work of [this.driving, this.probing, this.polling]) work.catch(() => undefined);
  }

  async stopProbing(): Promise<void> {
    this.nonces.stop();
    this.limits.stop();
    await this.probing;
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    this.nonces.stop();
    this.limits.stop();
    this.poller.stop();
    await Promise.all([this.driving, this.probing, this.polling]);
  }

  get over(): number {
    return [...this.journeys, ...this.loans].filter(({ isOver }) => isOver).length;
  }

  get begun(): number {
    return this.journeys.length + this.loans.length;
  }

  findings(): string[] {
    this.limits.judge(MINUTE_LIMIT);
    const { unanswered, failures } = this.partner;
    return [
      ...failures,
      ...this.nonces.findings,
      ...this.limits.findings,
      ...(unanswered.length > 0 ? [`${unanswered.length} calls were not answered`] : []),
      ...unanswered.slice(0, UNANSWERED_NAMED),
    ];
  }

  figures(): Record<string, number> {
    const { outcomes } = this.partner;
    return {
      calls: [...outcomes.values()].reduce((sum, count) => sum + count, 0),
      unavailable: outcomes.get('503') ?? 0,
      conflicts: outcomes.get('409') ?? 0,
      journeysOver: this.journeys.filter(({ isOver }) => isOver).length,
      paid: this.loans.filter(({ payments }) => payments.length > 0).length,
      events: this.poller.events.length,
      limited: this.limits.limited,
      servedAtTheLimit: this.limits.served,
      noncesReplayed: this.nonces.replayed,
    };
  }
}

function spread<Item>(
  items: readonly Item[],
  withinMs: number,
  stopped: AbortSignal,
  begin: (item: Item) => Promise<void>,
): Promise<void>[] {
  return items.map(async (item, index) => {
    const waitMs = (withinMs / items.length) * index;
    await sleep(waitMs, undefined, { signal: stopped }).catch(() => undefined);
    await begin(item);
  });
}
