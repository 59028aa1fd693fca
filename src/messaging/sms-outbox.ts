import { Injectable } from '@nestjs/common';
import { type Language, type Tx } from '../platform/index.js';
import { SmsMetrics } from './sms-metrics.js';
import { SmsLimits } from './sms-limits.js';
import { SmsMessagesRepository } from './store/sms-messages.repository.js';
import { requireValues } from './sms-texts.js';
import type { SmsKind } from '../settings/index.js';

const CODE_SECONDS = 5 * 60;
/** A link's; everything else is news for as long as a link. */
const NEWS_SECONDS = 72 * 3_600;

/** A text message to an applicant. */
export interface NewSms {
  readonly partnerId: string;
  /** The journey or application that it belongs to. */
  readonly subjectId: string;
  readonly kind: SmsKind;
  readonly language: Language;
  /** A real gateway is told the mobile alone; the sandbox's reads the PAN, too. */
  readonly applicant: { readonly mobile: string; readonly pan: string };
  /**
   * HOSTED_LINK, APPLICATION_LINK and the milestones: `link`. ONE_TIME_CODE: `code`, digits alone.
   * REFUND_MADE: `amount` in rupees (`₹1,180`; of it the digits are shown). The brand's name and the minutes
   * for which a code is valid are added here.
   */
  readonly values: Readonly<Record<string, string>>;
  /** After so many seconds it is not sent any more. Left out: 72 hours, and 5 minutes for a code. */
  readonly validForSeconds?: number;
}

/** A message that was put. */
export interface PutSms {
  readonly id: string;
  /** Whether it will never be sent: the mobile has had its texts of the day. */
  readonly isHeldBack: boolean;
}

/** Tries to hand a message over now; whether the gateway has taken it. */
type HandOver = (id: string) => Promise<boolean>;

/**
 * Takes text messages in the transaction of the change that they tell of, so that none is sent of a
 * change that did not happen, and none is lost of one that did.
 */
@Injectable()
export class SmsOutbox {
  private handOverNow?: HandOver;

  constructor(
    private readonly messages: SmsMessagesRepository,
    private readonly limits: SmsLimits,
    private readonly metrics: SmsMetrics,
  ) {}

  /**
   * Puts a message. It leaves in the background a few seconds after the commit, or at once by
   * `handOver`. One too many for its mobile and day is recorded, and never leaves.
   * @throws Error when a value that its text needs is missing
   */
  async put(tx: Tx, sms: NewSms): Promise<PutSms> {
    requireValues(sms);
    const { validForSeconds = validityOf(sms.kind), applicant, values, ...facts } = sms;
    const { mobile, pan } = applicant;
    if (!(await this.limits.take(tx, mobile, facts.kind))) {
      tx.afterCommit(() => this.metrics.attempts.inc({ kind: sms.kind, outcome: 'held_back' }));
      return { id: await this.messages.insertHeldBack(tx, facts), isHeldBack: true };
    }
    const content = { mobile, pan, values };
    const id = await this.messages.insert(tx, { ...facts, content, validForSeconds });
    return { id, isHeldBack: false };
  }

  /**
   * Takes back those of some messages that wait; one that is just being sent may still go.
   * @returns those that will certainly not arrive
   */
  withdraw(tx: Tx, ids: readonly string[]): Promise<string[]> {
    return this.messages.withdraw(tx, ids);
  }

  /** When the day ends in which this mobile is sent no more; null while there is something left. */
  noTextUntil(tx: Tx, mobile: string): Promise<Date | null> {
    return this.limits.reachedUntil(tx, mobile);
  }

  /**
   * Hands a message over now, after the commit that made it durable. Answers within two seconds
   * whether the gateway has taken it, and never fails: on false the background goes on with it.
   */
  async handOver(id: string): Promise<boolean> {
    return this.handOverNow ? this.handOverNow(id) : false;
  }

  isHandedOver(tx: Tx, id: string): Promise<boolean> {
    return this.messages.isHandedOver(tx, id);
  }

  /** Called by the sender, which a command line does without. */
  handOverThrough(handOver: HandOver): void {
    this.handOverNow = handOver;
  }
}

function validityOf(kind: SmsKind): number {
  return kind === 'ONE_TIME_CODE' ? CODE_SECONDS : NEWS_SECONDS;
}
