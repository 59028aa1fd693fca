import { setTimeout as sleep } from 'node:timers/promises';
import {
  DECLINED_AFTER_PAYMENT,
  DrivenInstantLoan,
} from '../faults/failover/driven-instant-loan.ts';
import { dataOf } from '../faults/partner-journey.ts';
import type { Partner } from '../faults/partner.ts';
import type { FakeRazorpay } from '../support/fake-razorpay.ts';

const LENT_TO = 'ABCDE1234F';
const TERMS = {
  name: 'walks-loan',
  pans: [
    ...Array.from({ length: 4 }, () => LENT_TO),
    'SANDX0001A',
    'SANDX0003A',
    'SANDX0009A',
    DECLINED_AFTER_PAYMENT,
  ],
  wavers: 0.3,
};
const ENDS = new Set(['SANCTIONED', 'REJECTED']);

/** An instant loan whose applicant acts at random until its lead has ended. */
export class WalkingLoan extends DrivenInstantLoan {
  private isEnded = false;
  private readonly pace: number;

  constructor(partner: Partner, razorpay: FakeRazorpay, seed: number, index: number, pace: number) {
    super(partner, razorpay, seed, index, TERMS);
    this.pace = pace;
  }

  override get isOver(): boolean {
    return this.isEnded;
  }

  walk(isStopped: () => boolean): Promise<void> {
    return this.drive(isStopped);
  }

  protected override async goOn(): Promise<void> {
    if (!this.isPaid) await super.goOn();
    if (this.id === undefined) return;
    await sleep(this.random.between(400, 1_500) * this.pace);
    const call = { method: 'GET', path: `/leads/${this.id}/status` } as const;
    const lead = dataOf(await this.partner.call(this.partner.choose(this.random), call));
    this.isEnded = ENDS.has(String(lead?.status));
  }
}
