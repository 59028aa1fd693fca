import { Injectable } from '@nestjs/common';
import type { Language, Tx } from '../platform/index.js';
import { ServiceSettings, type SmsKind } from '../settings/index.js';
import { SmsMetrics } from './sms-metrics.js';
import { requireValues } from './sms-texts.js';
import { SmsLimitsRepository } from './store/sms-limits.repository.js';
import { SmsMessagesRepository } from './store/sms-messages.repository.js';

/** Anyone who knows a mobile can request links; they must not use up its sign-in codes. */
const SHARE_OF_LINKS = 1 / 2;
const LINKS: ReadonlySet<SmsKind> = new Set(['HOSTED_LINK', 'APPLICATION_LINK']);

/**
 * Texts per mobile and day over all partners and kinds, at most half of them links. Counted exactly
 * in the database; a day starts with the first text. The mobile is a keyed hash.
 */
@Injectable()
export class SmsLimits {
  constructor(
    private readonly counts: SmsLimitsRepository,
    private readonly settings: ServiceSettings,
  ) {}

  /**
   * The count stays locked until the transaction ends, so take no lock after it that another
   * transaction may hold.
   * @returns whether it may be sent
   */
  async take(tx: Tx, mobile: string, kind: SmsKind): Promise<boolean> {
    const most = await this.most();
    const isLink = LINKS.has(kind);
    const maxLinks = Math.ceil(most * SHARE_OF_LINKS);
    if (isLink && !(await this.counts.count(tx, `links:${mobile}`, maxLinks))) return false;
    return this.counts.count(tx, mobile, most);
  }

  /** Null while texts are left. */
  async reachedUntil(tx: Tx, mobile: string): Promise<Date | null> {
    return this.counts.reachedUntil(tx, mobile, await this.most());
  }

  private async most(): Promise<number> {
    return (await this.settings.operating()).textsPerMobilePerDay;
  }
}

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
