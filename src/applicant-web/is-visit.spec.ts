import type { Request } from 'express';
import { describe, expect, it } from 'vitest';
import { isVisit } from './is-visit.js';

const CHROME =
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36';

function isVisitWith(headers: Record<string, string>, method = 'GET'): boolean {
  return isVisit({ method, headers: { 'user-agent': CHROME, ...headers } } as unknown as Request);
}

describe('somebody who comes', () => {
  it.each<[string, Record<string, string>]>([
    ['a browser', { 'sec-fetch-dest': 'document', 'sec-fetch-mode': 'navigate' }],
    ['a browser that says little', {}],
    ['a partner’s own frame', { 'sec-fetch-dest': 'iframe' }],
    ['a partner’s program', { 'user-agent': 'node' }],
    ['a client without a name', { 'user-agent': '' }],
    [
      'the browser inside an app',
      { 'user-agent': `${CHROME} [FB_IAB/FB4A;FBAV/500.0.0.0;]`, 'sec-fetch-dest': 'document' },
    ],
    ['a telephone of the make Cubot', { 'user-agent': 'Mozilla/5.0 (Linux; CUBOT_X18) Chrome/90' }],
  ])('%s', (_, headers) => {
    expect(isVisitWith(headers)).toBe(true);
  });
});

describe('somebody who only looks', () => {
  it.each<[string, Record<string, string>]>([
    ['a page fetched ahead of time', { 'sec-purpose': 'prefetch' }],
    ['a page drawn ahead of time', { 'sec-purpose': 'prefetch;prerender' }],
    ['an older browser’s prefetch', { purpose: 'prefetch' }],
    ['Firefox’s prefetch', { 'x-moz': 'prefetch' }],
    ['Safari’s preview', { 'x-purpose': 'preview' }],
    ['a picture in a page', { 'sec-fetch-dest': 'image' }],
    ['a script’s fetch', { 'sec-fetch-dest': 'empty' }],
    ['WhatsApp’s preview', { 'user-agent': 'WhatsApp/2.23.20.0 A' }],
    ['Facebook’s', { 'user-agent': 'facebookexternalhit/1.1' }],
    ['Telegram’s', { 'user-agent': 'TelegramBot (like TwitterBot)' }],
    ['Slack’s', { 'user-agent': 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)' }],
    ['Skype’s and Teams’', { 'user-agent': 'Mozilla/5.0 SkypeUriPreview Preview/0.5' }],
    ['a search engine', { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1)' }],
  ])('%s', (_, headers) => {
    expect(isVisitWith(headers)).toBe(false);
  });

  it('a HEAD', () => {
    expect(isVisitWith({}, 'HEAD')).toBe(false);
  });
});
