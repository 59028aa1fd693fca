import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { PartnerNames } from '../../auth/index.js';
import { HostedSessions, type OpenHostedSession } from '../../journeys/index.js';
import {
  clientNetwork,
  CSRF_COOKIE,
  nameOnPages,
  PageCookies,
  SESSION_COOKIE,
} from '../../platform/index.js';

/** What a browser brings along: its session, what it is known by, and where it calls from. */
@Injectable()
export class BrowserSessions {
  constructor(
    private readonly cookies: PageCookies,
    private readonly sessions: HostedSessions,
    private readonly partners: PartnerNames,
  ) {}

  /** The live session of this browser, whose partner the pages name; null when there is none. */
  async of(request: Request): Promise<OpenHostedSession | null> {
    const token = this.tokenOf(request);
    const session = token === null ? null : await this.sessions.find(token);
    if (session) nameOnPages(request, () => this.partners.of(session.partnerId));
    return session;
  }

  tokenOf(request: Request): string | null {
    return this.cookies.read(request, SESSION_COOKIE) ?? null;
  }

  /** The cookie has no age: it goes with the browser's own session, and the server ends it sooner. */
  give(response: Response, token: string): void {
    this.cookies.set(response, SESSION_COOKIE, token);
  }

  /** What tells this browser from others; there is one wherever a form of ours was accepted. */
  markOf(request: Request): string {
    return this.cookies.read(request, CSRF_COOKIE) ?? '';
  }

  /** The address that limits are counted for; of IPv6 its network. */
  addressOf(request: Request): string {
    return clientNetwork(request.ip ?? 'unknown');
  }
}
