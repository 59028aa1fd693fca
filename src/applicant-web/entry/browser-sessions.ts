import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { PagePartners } from '../../auth/index.js';
import { HostedSessions, type OpenHostedSession } from '../../journeys/index.js';
import {
  clientNetwork,
  CSRF_COOKIE,
  nameOnPages,
  PageCookies,
  SESSION_COOKIE,
} from '../../platform/index.js';

const OWN_DATA = '/hosted/data';

/** What a browser brings along: its session, what it is known by, and where it calls from. */
@Injectable()
export class BrowserSessions {
  constructor(
    private readonly cookies: PageCookies,
    private readonly sessions: HostedSessions,
    private readonly partners: PagePartners,
  ) {}

  /** The live session of this browser, whose partner the pages name; null when there is none. */
  async of(request: Request): Promise<OpenHostedSession | null> {
    const token = this.tokenOf(request);
    const session = token === null ? null : await this.sessions.find(token);
    if (session) nameOnPages(request, () => this.partnerOf(session));
    return session;
  }

  /** Who is signed in reads of their own application who has its data. */
  private async partnerOf({ partnerId, isVerified }: OpenHostedSession) {
    const partner = await this.partners.of(partnerId);
    return partner && isVerified ? { ...partner, dataHref: OWN_DATA } : partner;
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
