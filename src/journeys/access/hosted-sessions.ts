import { Injectable } from '@nestjs/common';
import type { Paise } from '../../loans/index.js';
import { Database, IdGenerator, RandomSource, sha256, type Tx } from '../../platform/index.js';
import { isTerminal } from '../domain/journey-state.js';
import {
  type HostedKey,
  HostedSessionsRepository,
  type HostedSessionValue,
  type OpenHostedSession,
} from '../store/hosted-sessions.repository.js';
import type { Journey } from '../store/journey.entity.js';
import { JourneysRepository } from '../store/journeys.repository.js';
import { type AmountQuestion, AskedAmounts } from './asked-amounts.js';
import { Consents } from './consents.js';
import { HostedLinks } from './hosted-links.js';

@Injectable()
export class HostedSessions {
  constructor(
    private readonly sessions: HostedSessionsRepository,
    private readonly ids: IdGenerator,
    private readonly random: RandomSource,
  ) {}

  /**
   * @param browser recognises a double click
   * @returns the token, its only plain copy
   */
  async open(
    tx: Tx,
    { partnerId, journeyId }: HostedKey,
    link: string,
    browser: string,
  ): Promise<{ session: HostedSessionValue; token: string }> {
    const token = this.random.token();
    const sessionId = this.ids.next('ses');
    await this.sessions.insert(tx, {
      id: sessionId,
      partnerId,
      journeyId,
      tokenHash: sha256(token),
      linkHash: sha256(link),
      browserHash: sha256(browser),
    });
    return { session: { partnerId, journeyId, sessionId }, token };
  }

  /**
   * For a double click: the browser may have missed the first response. Null after a minute.
   */
  async openedAgain(
    tx: Tx,
    link: string,
    browser: string,
  ): Promise<{ session: HostedSessionValue; token: string } | null> {
    const token = this.random.token();
    const session = await this.sessions.renew(tx, {
      linkHash: sha256(link),
      browserHash: sha256(browser),
      tokenHash: sha256(token),
    });
    return session && { session, token };
  }

  /** Counts as activity. */
  find(token: string): Promise<OpenHostedSession | null> {
    return this.sessions.find(sha256(token));
  }

  /** Also for an ended session. */
  async ownerOf(token: string): Promise<HostedKey | null> {
    const session = await this.sessions.findEver(sha256(token));
    return session && { partnerId: session.partnerId, journeyId: session.journeyId };
  }

  findRenewed(token: string): Promise<HostedSessionValue | null> {
    return this.sessions.findRenewed(sha256(token));
  }

  /** Also ends the applicant's other sessions. */
  async verify(tx: Tx, session: HostedSessionValue): Promise<string> {
    const token = this.random.token();
    await this.sessions.verify(tx, session, sha256(token));
    return token;
  }
}

export interface LinkState {
  readonly status: 'FRESH' | 'USED' | 'EXPIRED';
  readonly key: HostedKey;
  /** BEGUN: consent was given. OVER: the agreed statement is still shown. */
  readonly journey: 'NEW' | 'BEGUN' | 'OVER';
  readonly amount: AmountQuestion | null;
  readonly loanAmount: Paise;
}

@Injectable()
export class HostedEntrance {
  constructor(
    private readonly database: Database,
    private readonly journeys: JourneysRepository,
    private readonly links: HostedLinks,
    private readonly sessions: HostedSessions,
    private readonly consents: Consents,
    private readonly amounts: AskedAmounts,
  ) {}

  /** @returns null for an unknown link */
  async stateOf(link: string): Promise<LinkState | null> {
    const found = await this.database.transaction((tx) => this.links.stateOf(tx, link));
    if (!found) return null;
    const { status, ...key } = found;
    const journey = await this.journeys.find(key.partnerId, key.journeyId);
    if (!journey) return null;
    const standing = await this.standing(journey);
    const isAsked = standing === 'NEW' && journey.loanAmountSource === 'DEFAULT';
    const amount = isAsked ? await this.amounts.question(journey) : null;
    return { status, key, journey: standing, amount, loanAmount: journey.loanAmount };
  }

  private async standing(journey: Journey): Promise<LinkState['journey']> {
    if (isTerminal(journey.state)) return 'OVER';
    const agreed = await this.database.transaction((tx) => this.consents.newest(tx, journey));
    return agreed ? 'BEGUN' : 'NEW';
  }

  /**
   * Uses the single-use link.
   * @param amount null when the page did not ask
   * @param browser recognises a double click
   * @returns null when the link is not fresh
   * @throws Fault validation_failed for an amount outside the product's range; the link stays fresh
   */
  enter(
    link: string,
    browser: string,
    amount: Paise | null,
  ): Promise<{ session: HostedSessionValue; token: string } | null> {
    return this.database.transaction(async (tx: Tx) => {
      // Erasure locks in this order, too.
      const journey = amount === null ? null : await this.lockOf(tx, link);
      const key = await this.links.use(tx, link);
      if (!key) return this.sessions.openedAgain(tx, link, browser);
      const isOpen = journey?.state === 'INITIATED' && journey.loanAmountSource === 'DEFAULT';
      if (amount !== null && isOpen) {
        await this.amounts.set(tx, journey, amount);
      }
      return this.sessions.open(tx, key, link, browser);
    });
  }

  private async lockOf(tx: Tx, link: string): Promise<Journey | null> {
    const found = await this.links.stateOf(tx, link);
    return found && this.journeys.lock(tx, found.partnerId, found.journeyId);
  }
}
