import { Injectable } from '@nestjs/common';
import { Database, type Tx } from '../../platform/index.js';
import type { Paise } from '../../loans/index.js';
import { type AmountQuestion, AskedAmounts } from './asked-amounts.js';
import { Consents } from './consents.js';
import { HostedLinks } from './hosted-links.js';
import { JourneysRepository } from '../store/journeys.repository.js';
import { isTerminal } from '../domain/journey-state.js';
import type { Journey } from '../store/journey.entity.js';
import type { HostedKey, HostedSessionValue } from '../store/hosted-sessions.repository.js';
import { HostedSessions } from './hosted-sessions.js';

export interface LinkState {
  readonly status: 'FRESH' | 'USED' | 'EXPIRED';
  readonly key: HostedKey;
  /** BEGUN: with a consent. OVER: what was agreed is still shown. */
  readonly journey: 'NEW' | 'BEGUN' | 'OVER';
  /** The question for the amount; null when it is known. */
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

  /** Does not use the link; null for an unknown one. */
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
   * Uses the link, once, and opens a browser session.
   * @param amount null when the page did not ask
   * @param browser identifies the browser, whose second click is let in
   * @returns null when the link is not fresh
   * @throws Fault validation_failed for an amount outside the product's range; the link stays fresh
   */
  enter(
    link: string,
    browser: string,
    amount: Paise | null,
  ): Promise<{ session: HostedSessionValue; token: string } | null> {
    return this.database.transaction(async (tx: Tx) => {
      // The journey is locked before its link, as in an erasure.
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
