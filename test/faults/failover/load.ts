import type { FakeRazorpay } from '../../support/fake-razorpay.ts';
import { sandboxCredentials } from '../../support/sandbox-credentials.ts';
import { DrivenJourney } from '../driven-journey.ts';
import { Partner } from '../partner.ts';
import type { Replica } from '../replica.ts';
import { callFigures, countOver, spread } from '../run-parts.ts';
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

/** All callers of the service while its primary is lost: partners, applicants and the gateway. */
export class Load {
  readonly partner: Partner;
  readonly journeys: readonly DrivenJourney[];
  readonly loans: readonly DrivenInstantLoan[];
  readonly poller: Poller;
  readonly nonces: AdmissionProbe;
  hasTimeLept = false;
  private readonly limits: AdmissionProbe;
  private readonly stopping = new AbortController();
  private readonly probingEnds = new AbortController();
  private driving: Promise<unknown> = Promise.resolve();
  private probing: Promise<unknown> = Promise.resolve();

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
      spread(this.journeys, withinMs, (journey) => journey.drive(isStopped), signal),
      spread(this.loans, withinMs, (loan) => loan.drive(isStopped), signal),
      this.poller.run(signal),
    ]);
    const probing = this.probingEnds.signal;
    this.probing = Promise.all([this.nonces.run(probing), this.limits.run(probing)]);
    // Errors are handled where these promises are awaited.
    for (const work of [this.driving, this.probing]) work.catch(() => undefined);
  }

  /** The probes sign with the machine's time, so they end before the time is moved. */
  async stopProbing(): Promise<void> {
    this.probingEnds.abort();
    await this.probing;
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    this.probingEnds.abort();
    await Promise.all([this.driving, this.probing]);
  }

  get over(): number {
    return countOver([...this.journeys, ...this.loans]);
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
    return {
      ...callFigures(this.partner),
      journeysOver: countOver(this.journeys),
      paid: this.loans.filter(({ payments }) => payments.length > 0).length,
      events: this.poller.events.length,
      limited: this.limits.limited,
      servedAtTheLimit: this.limits.served,
      noncesReplayed: this.nonces.replayed,
    };
  }
}
