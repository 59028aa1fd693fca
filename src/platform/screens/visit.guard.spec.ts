import type { Request } from 'express';
import { describe, expect, it } from 'vitest';
import { howUnvisited } from './visit.guard.js';

const CHROME =
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36';

function asked(headers: Record<string, string>, method = 'GET') {
  const request = { method, headers: { 'user-agent': CHROME, ...headers } };
  return howUnvisited(request as unknown as Request);
}

describe('somebody who comes', () => {
  it.each<[string, Record<string, string>]>([
    ['a browser', { 'sec-fetch-dest': 'document', 'sec-fetch-mode': 'navigate' }],
    ['a browser that says little', {}],
    ['a partner’s own frame', { 'sec-fetch-dest': 'iframe' }],
    ['a partner’s program', { 'user-agent': 'node' }],
    ['a client without a name', { 'user-agent': '' }],
    ['a script of our own page', { 'sec-fetch-dest': 'empty', 'sec-fetch-site': 'same-origin' }],
    [
      'the browser inside an app',
      { 'user-agent': `${CHROME} [FB_IAB/FB4A;FBAV/500.0.0.0;]`, 'sec-fetch-dest': 'document' },
    ],
    [
      'the browser inside WhatsApp',
      { 'user-agent': 'Mozilla/5.0 (iPhone) Mobile/15E148 WhatsApp/23.1' },
    ],
    [
      'the browser inside Instagram',
      { 'user-agent': 'Mozilla/5.0 (iPhone) Mobile/15E148 Instagram 300.0.0' },
    ],
    ...[
      'Android 6.0; CUBOT MAX Build/MRA58K',
      'Android 11;CUBOT_X30',
      'Android 12; KINGKONG/Cubot',
    ].map((phone): [string, Record<string, string>] => [
      `a Cubot phone: ${phone}`,
      { 'user-agent': CHROME.replace('Android 10; K', phone) },
    ]),
    ...['MyApp/1.0 (https://partner.example)', 'GooglePay', 'Monitor/1'].map(
      (app): [string, Record<string, string>] => [
        `the browser inside a partner’s app: ${app}`,
        { 'user-agent': `${CHROME} ${app}` },
      ],
    ),
    [
      'the browser of a partner’s test suite',
      { 'user-agent': CHROME.replace('Chrome/', 'HeadlessChrome/') },
    ],
    ...[
      'axios/1.7.2',
      'okhttp/4.12.0',
      'python-requests/2.31.0',
      'curl/8.5.0',
      'Dart/3.0 (dart:io)',
    ].map((agent): [string, Record<string, string>] => [
      `a partner’s ${agent}`,
      { 'user-agent': agent },
    ]),
    [
      'a phone with buttons',
      {
        'user-agent': 'Mozilla/5.0 (Mobile; LYF/F220B; rv:48.0) Gecko/48.0 Firefox/48.0 KAIOS/2.5',
      },
    ],
    ['Opera Mini', { 'user-agent': 'Opera/9.80 (Android; Opera Mini/36.2; U; hi) Presto/2.12' }],
    [
      'a partner’s embedded document',
      { 'sec-fetch-dest': 'embed', 'sec-fetch-site': 'cross-site' },
    ],
  ])('%s', (_, headers) => {
    expect(asked(headers)).toBeNull();
  });
});

describe('somebody who only looks', () => {
  it.each<[string, Record<string, string>]>([
    ['a page fetched ahead of time', { 'sec-purpose': 'prefetch' }],
    ['a page drawn ahead of time', { 'sec-purpose': 'prefetch;prerender' }],
    ['an older browser’s prefetch', { purpose: 'prefetch' }],
    ['Firefox’s prefetch', { 'x-moz': 'prefetch' }],
    ['Safari’s preview', { 'x-purpose': 'preview' }],
  ])('%s', (_, headers) => {
    expect(asked(headers)).toBe('AHEAD_OF_TIME');
  });

  it.each<[string, Record<string, string>]>([
    ['a picture in a page', { 'sec-fetch-dest': 'image', 'sec-fetch-site': 'cross-site' }],
    ['a script’s fetch', { 'sec-fetch-dest': 'empty', 'sec-fetch-site': 'cross-site' }],
    ['WhatsApp’s preview', { 'user-agent': 'WhatsApp/2.23.20.0 A' }],
    ['Viber’s preview', { 'user-agent': 'Viber/13.3.0.5' }],
    ['Signal’s preview', { 'user-agent': 'WhatsApp/2' }],
    ['Telegram’s preview', { 'user-agent': 'TelegramBot (like TwitterBot)' }],
    ['Skype’s preview', { 'user-agent': 'Mozilla/5.0 SkypeUriPreview Preview/0.5' }],
    ['iMessage’s preview', { 'user-agent': 'Mozilla/5.0 (Macintosh) facebookexternalhit/1.1' }],
    [
      'a crawler that does not say bot',
      { 'user-agent': 'Mozilla/5.0 (compatible; Google-InspectionTool/1.0;)' },
    ],
    ['a crawler that looks like a phone', { 'user-agent': `${CHROME} Chrome-Lighthouse` }],
    ['a search engine', { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1)' }],
  ])('%s', (_, headers) => {
    expect(asked(headers)).toBe('PREVIEW');
  });

  it('a HEAD', () => {
    expect(asked({}, 'HEAD')).toBe('HEADERS_ONLY');
  });
});
