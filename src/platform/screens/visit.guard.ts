import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { createIsbotFromList, list } from 'isbot';
import { Screens } from './screens.js';

/** Browsers that prefetch set these. */
const AHEAD_OF_TIME = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'];
const FETCHED_AHEAD = /prefetch|prerender|preview/i;

/** Other destinations are parts of another page. */
const PAGE_DESTINATIONS = new Set(['document', 'iframe', 'frame', 'embed', 'object']);

/** Link previewers. iMessage sends `facebookexternalhit`, Signal `WhatsApp/2`. */
const PREVIEWERS =
  /bot\b|crawl|spider|preview|facebookexternalhit|facebookcatalog|^(?:whatsapp|viber)\/|embedly|iframely|google-safety|google-pagerenderer/i;

/** `isbot` also lists partners' HTTP clients, which are visitors. */
const BROWSER_NAME = /^(mozilla|opera)\//i;

/** Partners' apps add an address, a Google product or a monitor to the browser's name. */
const ALSO_APPS = /^\(\?<!lib\)http$|\)google\(|^monitor/;
const isCrawler = createIsbotFromList(list.filter((pattern) => !ALSO_APPS.test(pattern)));

/** Cubot phones, and browsers of partners' tests. */
const FALSE_BOTS = /cubot|headless/gi;

type Unvisited = 'HEADERS_ONLY' | 'AHEAD_OF_TIME' | 'PREVIEW';

export class AlreadyAnswered extends Error {}

/**
 * HEAD renders nothing, a prefetch gets 503 so that the browser retries, a previewer gets a neutral
 * page.
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

/** Null for a visit, also in doubt (a partner's program, an old browser). */
export function howUnvisited({ method, headers }: Request): Unvisited | null {
  if (method === 'HEAD') return 'HEADERS_ONLY';
  if (method !== 'GET') return null;
  const isAhead = AHEAD_OF_TIME.some((name) => FETCHED_AHEAD.test(String(headers[name])));
  if (isAhead) return 'AHEAD_OF_TIME';
  const destination = headers['sec-fetch-dest'] ?? 'document';
  // Our pages fetch parts of themselves.
  const isPart = headers['sec-fetch-site'] === 'cross-site' && !PAGE_DESTINATIONS.has(destination);
  return isPart || isPreviewer(headers['user-agent'] ?? '') ? 'PREVIEW' : null;
}

function isPreviewer(agent: string): boolean {
  const name = agent.replaceAll(FALSE_BOTS, '');
  return PREVIEWERS.test(name) || (BROWSER_NAME.test(name) && isCrawler(name));
}
