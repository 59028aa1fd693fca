import { Injectable } from '@nestjs/common';
import { type Language, type Tx } from '../platform/index.js';
import { SmsMetrics } from './sms-metrics.js';
import { SmsLimits } from './sms-limits.js';
import { SmsMessagesRepository } from './store/sms-messages.repository.js';
import { requireValues } from './sms-texts.js';
import type { SmsKind } from '../settings/index.js';

const CODE_SECONDS = 5 * 60;
/** A link's validity; other news use the same. */
const NEWS_SECONDS = 72 * 3_600;

export interface NewSms {
  readonly partnerId: string;
  readonly subjectId: string;
  readonly kind: SmsKind;
  readonly language: Language;
  /** Gateways get the mobile only; the sandbox reads the PAN too. */
  readonly applicant: { readonly mobile: string; readonly pan: string };
  /**
   * `link` for links and milestones, `code` (digits) for ONE_TIME_CODE, `amount` (`₹1,180`) for
   * REFUND_MADE. The brand and a code's minutes are added.
   */
  readonly values: Readonly<Record<string, string>>;
  /** Absent: 72 hours; 5 minutes for a code. */
  readonly validForSeconds?: number;
}

export interface PutSms {
  readonly id: string;
  /** Never sent: the mobile reached its daily limit. */
  readonly isHeldBack: boolean;
}

type HandOver = (id: string) => Promise<boolean>;

/**
 * Takes messages in the transaction of the change they report, so that neither exists without the
 * other.
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
   * Sent in the background a few seconds after the commit, or at once by `handOver`. Above the
   * mobile's daily limit it is recorded, never sent.
   * @throws Error when a value of its text is missing
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
   * A message being sent may still go.
   * @returns those that certainly will not
   */
  withdraw(tx: Tx, ids: readonly string[]): Promise<string[]> {
    return this.messages.withdraw(tx, ids);
  }

  /** The end of a used-up day; null while texts are left. */
  noTextUntil(tx: Tx, mobile: string): Promise<Date | null> {
    return this.limits.reachedUntil(tx, mobile);
  }

  /**
   * Call after the commit. Never fails; false after two seconds at most, and the background
   * continues.
   * @returns whether the gateway accepted it
   */
  async handOver(id: string): Promise<boolean> {
    return this.handOverNow ? this.handOverNow(id) : false;
  }

  isHandedOver(tx: Tx, id: string): Promise<boolean> {
    return this.messages.isHandedOver(tx, id);
  }

  /** Called by the sender; the command line has none. */
  handOverThrough(handOver: HandOver): void {
    this.handOverNow = handOver;
  }
}

function validityOf(kind: SmsKind): number {
  return kind === 'ONE_TIME_CODE' ? CODE_SECONDS : NEWS_SECONDS;
}
