import { Injectable } from '@nestjs/common';
import type { Counter, Gauge } from 'prom-client';
import { CountedLimits, type Language, Metrics, type Tx } from '../platform/index.js';
import { ServiceSettings, type SmsKind } from '../settings/index.js';
import { SmsMessagesRepository } from './store/sms-messages.repository.js';
import { requireValues } from './sms-texts.js';

@Injectable()
export class SmsMetrics {
  readonly attempts: Counter<'kind' | 'outcome'>;
  readonly oldestWaiting: Gauge;

  constructor(metrics: Metrics) {
    this.attempts = metrics.counter(
      'sms_attempts_total',
      'Attempts to send a text message to the gateway, by kind and outcome',
      ['kind', 'outcome'],
    );
    this.oldestWaiting = metrics.gauge(
      'sms_oldest_waiting_seconds',
      'Age of the oldest text message that no gateway has accepted',
    );
  }
}

/** Requested links must not use up a mobile's sign-in codes. */
const SHARE_OF_LINKS = 1 / 2;
const LINKS: ReadonlySet<SmsKind> = new Set(['HOSTED_LINK', 'APPLICATION_LINK']);
const DAY_SECONDS = 24 * 3_600;

/**
 * Per mobile and day over all partners and kinds, at most half of them links. A day starts with the first text.
 */
@Injectable()
export class SmsLimits {
  constructor(
    private readonly limits: CountedLimits,
    private readonly settings: ServiceSettings,
  ) {}

  /**
   * Locks the count until the transaction ends, so take no contended lock after it.
   * @returns whether the text may be sent
   */
  async take(tx: Tx, mobile: string, kind: SmsKind): Promise<boolean> {
    const most = await this.most();
    const links = { most: Math.ceil(most * SHARE_OF_LINKS), seconds: DAY_SECONDS };
    if (LINKS.has(kind) && (await this.limits.take(tx, 'LINKS_TO_MOBILE', mobile, links))) {
      return false;
    }
    const texts = { most, seconds: DAY_SECONDS };
    return (await this.limits.take(tx, 'TEXTS_TO_MOBILE', mobile, texts)) === null;
  }

  /** Null while texts are left. */
  async reachedUntil(tx: Tx, mobile: string): Promise<Date | null> {
    return this.limits.fullUntil(tx, 'TEXTS_TO_MOBILE', mobile, await this.most());
  }

  private async most(): Promise<number> {
    return (await this.settings.operating()).textsPerMobilePerDay;
  }
}

const CODE_SECONDS = 5 * 60;
const LINK_SECONDS = 72 * 3_600;

export interface NewSms {
  readonly partnerId: string;
  readonly subjectId: string;
  readonly kind: SmsKind;
  readonly language: Language;
  /** Gateways get only the mobile; the sandbox also reads the PAN. */
  readonly applicant: { readonly mobile: string; readonly pan: string };
  /** `link` for links and milestones, `code` (digits) for ONE_TIME_CODE, `amount` (`₹1,180`) for REFUND_MADE. */
  readonly values: Readonly<Record<string, string>>;
  /** Default: 72 hours; 5 minutes for a code. */
  readonly validForSeconds?: number;
}

interface PutSms {
  readonly id: string;
  readonly isHeldBack: boolean;
}

type HandOver = (id: string) => Promise<boolean>;

/** Stores messages in the transaction of the change that they report. */
@Injectable()
export class SmsOutbox {
  private handOverNow?: HandOver;

  constructor(
    private readonly messages: SmsMessagesRepository,
    private readonly limits: SmsLimits,
    private readonly metrics: SmsMetrics,
  ) {}

  /**
   * The background sends it some seconds after the commit, `handOver` at once. Above the daily limit it is never sent.
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

  /** @returns those that certainly will not be sent: one in progress may be */
  withdraw(tx: Tx, ids: readonly string[]): Promise<string[]> {
    return this.messages.withdraw(tx, ids);
  }

  /** Null while texts are left. */
  noTextUntil(tx: Tx, mobile: string): Promise<Date | null> {
    return this.limits.reachedUntil(tx, mobile);
  }

  /** Call after the commit. Never fails; false after two seconds at most, and the background continues. */
  async handOver(id: string): Promise<boolean> {
    return this.handOverNow ? this.handOverNow(id) : false;
  }

  isHandedOver(tx: Tx, id: string): Promise<boolean> {
    return this.messages.isHandedOver(tx, id);
  }

  /** The command line has no sender. */
  handOverThrough(handOver: HandOver): void {
    this.handOverNow = handOver;
  }
}

function validityOf(kind: SmsKind): number {
  return kind === 'ONE_TIME_CODE' ? CODE_SECONDS : LINK_SECONDS;
}
