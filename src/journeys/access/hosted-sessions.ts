import { Injectable } from '@nestjs/common';
import { IdGenerator, RandomSource, sha256, type Tx } from '../../platform/index.js';
import {
  HostedSessionsRepository,
  type HostedSessionValue,
  type OpenHostedSession,
} from '../store/hosted-sessions.repository.js';
import type { HostedKey } from '../applicant/hosted-view.js';

/** The browser sessions of the hosted screens. Tokens are stored as hashes. */
@Injectable()
export class HostedSessions {
  constructor(
    private readonly sessions: HostedSessionsRepository,
    private readonly ids: IdGenerator,
    private readonly random: RandomSource,
  ) {}

  /**
   * Opens a session for a link that was just used up.
   * @param browser what tells the browser from others, so that its second press is known
   * @returns the token: the only time that it is in the clear
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
   * The same browser pressed the link's button twice, and may never have seen the first answer: it
   * gets a token once more. Null when it was another browser, or too long ago.
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

  /** The live session of a token; that it was used counts as a sign of life. */
  find(token: string): Promise<OpenHostedSession | null> {
    return this.sessions.find(sha256(token));
  }

  /** Whose session a token once was, be it over or not; null when it never was one. */
  async ownerOf(token: string): Promise<HostedKey | null> {
    const session = await this.sessions.findEver(sha256(token));
    return session && { partnerId: session.partnerId, journeyId: session.journeyId };
  }

  /** The session that this token stood for until a moment ago, when it was renewed at the sign-in. */
  findRenewed(token: string): Promise<HostedSessionValue | null> {
    return this.sessions.findRenewed(sha256(token));
  }

  /**
   * Signs the applicant in under a new token, and out wherever else they are signed in.
   * @returns the new token
   */
  async verify(tx: Tx, session: HostedSessionValue): Promise<string> {
    const token = this.random.token();
    await this.sessions.verify(tx, session, sha256(token));
    return token;
  }

  end(tx: Tx, session: HostedSessionValue): Promise<void> {
    return this.sessions.end(tx, session);
  }
}
