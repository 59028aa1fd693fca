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

@Injectable()
export class BrowserSessions {
  constructor(
    private readonly cookies: PageCookies,
    private readonly sessions: HostedSessions,
    private readonly partners: PagePartners,
  ) {}

  /** Names the session's partner on the pages. */
  async of(request: Request): Promise<OpenHostedSession | null> {
    const token = this.tokenOf(request);
    const session = token === null ? null : await this.sessions.find(token);
    if (session) nameOnPages(request, () => this.partnerOf(session));
    return session;
  }

  private async partnerOf({ partnerId, isVerified }: OpenHostedSession) {
    const partner = await this.partners.of(partnerId);
    return partner && isVerified ? { ...partner, dataHref: OWN_DATA } : partner;
  }

  tokenOf(request: Request): string | null {
    return this.cookies.read(request, SESSION_COOKIE) ?? null;
  }

  /** A session cookie; the server ends the session sooner. */
  give(response: Response, token: string): void {
    this.cookies.set(response, SESSION_COOKIE, token);
  }

  /** Identifies the browser. Set by every page with a form. */
  markOf(request: Request): string {
    return this.cookies.read(request, CSRF_COOKIE) ?? '';
  }

  /** For rate limits; of IPv6 the network. */
  addressOf(request: Request): string {
    return clientNetwork(request.ip ?? 'unknown');
  }
}
