import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { createIsbotFromList, list } from 'isbot';
import { Screens } from './screens.js';

/** Headers with which browsers say that the applicant has not asked to see the page yet. */
const AHEAD_OF_TIME = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'];
const FETCHED_AHEAD = /prefetch|prerender|preview/i;

/** Where a browser loads a page to; everything else is a part of another page. */
const PAGE_DESTINATIONS = new Set(['document', 'iframe', 'frame', 'embed', 'object']);

/**
 * Programs that fetch an address because it is in a message or a page, as they name themselves:
 * "bot" and the like (Telegram, Slack, Twitter, LinkedIn, Discord), and the previews of messengers.
 * iMessage says `facebookexternalhit` and Signal `WhatsApp/2`.
 */
const PREVIEWERS =
  /bot\b|crawl|spider|preview|facebookexternalhit|facebookcatalog|^(?:whatsapp|viber)\/|embedly|iframely|google-safety|google-pagerenderer/i;

/** `isbot` knows crawlers that name themselves like browsers; it also lists partners' HTTP clients, which visit. */
const LIKE_A_BROWSER = /^(mozilla|opera)\//i;

/** Partners' apps name an address, a Google product or a monitor behind the browser's name. */
const ALSO_APPS = /^\(\?<!lib\)http$|\)google\(|^monitor/;
const isCrawler = createIsbotFromList(list.filter((pattern) => !ALSO_APPS.test(pattern)));

/** Phones named Cubot, and the browsers of partners' test suites. */
const NO_BOTS = /cubot|headless/gi;

export type Unvisited = 'HEADERS_ONLY' | 'AHEAD_OF_TIME' | 'PREVIEW';

/** Thrown once a request has its response. */
export class AlreadyAnswered extends Error {}

/**
 * Keeps pages, and whatever showing them records, for applicants who open them. A HEAD renders
 * nothing, a page fetched ahead of time is 503 so that the browser asks again when it is opened, and a
 * previewer gets a page that says nothing.
 */
@Injectable()
export class VisitGuard implements CanActivate {
  constructor(private readonly screens: Screens) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const [request, response] = [http.getRequest<Request>(), http.getResponse<Response>()];
    const unvisited = howUnvisited(request);
    if (unvisited === null) return true;
    if (unvisited === 'PREVIEW') {
      await this.screens.render(request, response, 'entry/link-preview', {
        titleKey: 'common.preview.title',
      });
    } else {
      response.status(unvisited === 'HEADERS_ONLY' ? 200 : 503).end();
    }
    throw new AlreadyAnswered();
  }
}

/**
 * How a request only looks at a page; null when the applicant opens it. In doubt it is a visit: a
 * partner's program, or an old browser that says little of itself.
 */
export function howUnvisited({ method, headers }: Request): Unvisited | null {
  if (method === 'HEAD') return 'HEADERS_ONLY';
  if (method !== 'GET') return null;
  const isAhead = AHEAD_OF_TIME.some((name) => FETCHED_AHEAD.test(String(headers[name])));
  if (isAhead) return 'AHEAD_OF_TIME';
  const destination = headers['sec-fetch-dest'] ?? 'document';
  // Our own pages fetch parts of themselves.
  const isPart = headers['sec-fetch-site'] === 'cross-site' && !PAGE_DESTINATIONS.has(destination);
  return isPart || isPreviewer(headers['user-agent'] ?? '') ? 'PREVIEW' : null;
}

function isPreviewer(agent: string): boolean {
  const name = agent.replaceAll(NO_BOTS, '');
  return PREVIEWERS.test(name) || (LIKE_A_BROWSER.test(name) && isCrawler(name));
}
