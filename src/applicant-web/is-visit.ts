import type { Request } from 'express';

/** Headers with which browsers say that nobody has asked to see the page yet. */
const AHEAD_OF_TIME = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'];
const FETCHED_AHEAD = /prefetch|prerender|preview/i;

/** Where a page that somebody looks at is loaded to; everything else is a part of another page. */
const PAGE_DESTINATIONS = new Set(['document', 'iframe', 'frame']);

/**
 * Programs that fetch an address because it stands in a message or a page, as they name themselves:
 * "bot" and the like, and the previews of the messengers that people here use.
 */
const PREVIEWERS =
  /bot\b|crawl|spider|preview|facebookexternalhit|facebookcatalog|whatsapp\/|embedly|iframely|google-safety|google-pagerenderer/i;

/**
 * Whether somebody is coming to the page that they ask for. Opening a provider's session is not for
 * a HEAD, a page that a browser fetches ahead of time, or a messenger that draws a preview of a
 * link: none of those is the applicant. Who is in doubt is a visitor: a partner's program, an old
 * browser that tells little of itself.
 */
export function isVisit(request: Request): boolean {
  if (request.method === 'HEAD') return false;
  const { headers } = request;
  if (AHEAD_OF_TIME.some((name) => FETCHED_AHEAD.test(textOf(headers[name])))) return false;
  const destination = textOf(headers['sec-fetch-dest']);
  if (destination !== '' && !PAGE_DESTINATIONS.has(destination)) return false;
  return !PREVIEWERS.test(headers['user-agent'] ?? '');
}

function textOf(header: string | string[] | undefined): string {
  return typeof header === 'string' ? header : (header?.join(' ') ?? '');
}
