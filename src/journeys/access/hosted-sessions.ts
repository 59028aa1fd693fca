import { Injectable } from '@nestjs/common';
import { IdGenerator, RandomSource, sha256, type Tx } from '../../platform/index.js';
import {
  type HostedKey,
  HostedSessionsRepository,
  type HostedSessionValue,
  type OpenHostedSession,
} from '../store/hosted-sessions.repository.js';

/** Tokens are stored as hashes. */
@Injectable()
export class HostedSessions {
  constructor(
    private readonly sessions: HostedSessionsRepository,
    private readonly ids: IdGenerator,
    private readonly random: RandomSource,
  ) {}

  /**
   * @param browser its second click is recognized
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
   * For a second click of the same browser, which may have missed the first answer; null after a short time.
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

  /** Also of an ended session. */
  async ownerOf(token: string): Promise<HostedKey | null> {
    const session = await this.sessions.findEver(sha256(token));
    return session && { partnerId: session.partnerId, journeyId: session.journeyId };
  }

  /** The session that had this token until the sign-in a moment ago. */
  findRenewed(token: string): Promise<HostedSessionValue | null> {
    return this.sessions.findRenewed(sha256(token));
  }

  /** Signs the applicant in, and out everywhere else. */
  async verify(tx: Tx, session: HostedSessionValue): Promise<string> {
    const token = this.random.token();
    await this.sessions.verify(tx, session, sha256(token));
    return token;
  }

  end(tx: Tx, session: HostedSessionValue): Promise<void> {
    return this.sessions.end(tx, session);
  }
}
