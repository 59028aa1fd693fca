import type { Request } from 'express';
import { describe, expect, it } from 'vitest';
import { howUnvisited } from './visit.guard.js';

const CHROME =
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36';

function asked(headers: Record<string, string>, method = 'GET') {
  const request = { method, headers: { 'user-agent': CHROME, ...headers } };
  return howUnvisited(request as unknown as Request);
}

describe('a visitor', () => {
  it.each<Record<string, string>>([
    {},
    { 'sec-fetch-dest': 'document', 'sec-fetch-mode': 'navigate' },
    { 'sec-fetch-dest': 'iframe' },
    { 'sec-fetch-dest': 'embed', 'sec-fetch-site': 'cross-site' },
    // A script of our own page.
    { 'sec-fetch-dest': 'empty', 'sec-fetch-site': 'same-origin' },
    ...[
      '',
      'node',
      'axios/1.7.2',
      'okhttp/4.12.0',
      'python-requests/2.31.0',
      'curl/8.5.0',
      'Dart/3.0 (dart:io)',
      `${CHROME} [FB_IAB/FB4A;FBAV/500.0.0.0;]`,
      'Mozilla/5.0 (iPhone) Mobile/15E148 WhatsApp/23.1',
      'Mozilla/5.0 (iPhone) Mobile/15E148 Instagram 300.0.0',
      // Phones whose maker is called Cubot.
      CHROME.replace('Android 10; K', 'Android 6.0; CUBOT MAX Build/MRA58K'),
      CHROME.replace('Android 10; K', 'Android 12; KINGKONG/Cubot'),
      `${CHROME} MyApp/1.0 (https://partner.example)`,
      `${CHROME} Monitor/1`,
      CHROME.replace('Chrome/', 'HeadlessChrome/'),
      'Mozilla/5.0 (Mobile; LYF/F220B; rv:48.0) Gecko/48.0 Firefox/48.0 KAIOS/2.5',
      'Opera/9.80 (Android; Opera Mini/36.2; U; hi) Presto/2.12',
    ].map((agent) => ({ 'user-agent': agent })),
  ])('sends %j', (headers) => {
    expect(asked(headers)).toBeNull();
  });
});

describe('a program that only looks', () => {
  it.each<Record<string, string>>([
    { 'sec-purpose': 'prefetch' },
    { 'sec-purpose': 'prefetch;prerender' },
    { purpose: 'prefetch' },
    { 'x-moz': 'prefetch' },
    { 'x-purpose': 'preview' },
  ])('ahead of time sends %j', (headers) => {
    expect(asked(headers)).toBe('AHEAD_OF_TIME');
  });

  it.each<Record<string, string>>([
    { 'sec-fetch-dest': 'image', 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-dest': 'empty', 'sec-fetch-site': 'cross-site' },
    ...[
      'WhatsApp/2.23.20.0 A',
      'Viber/13.3.0.5',
      'WhatsApp/2',
      'TelegramBot (like TwitterBot)',
      'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
      'Mozilla/5.0 SkypeUriPreview Preview/0.5',
      'Mozilla/5.0 (Macintosh) facebookexternalhit/1.1',
      'Mozilla/5.0 (compatible; Google-InspectionTool/1.0;)',
      `${CHROME} Chrome-Lighthouse`,
      'Mozilla/5.0 (compatible; Googlebot/2.1)',
    ].map((agent) => ({ 'user-agent': agent })),
  ])('for a preview sends %j', (headers) => {
    expect(asked(headers)).toBe('PREVIEW');
  });

  it('a HEAD', () => {
    expect(asked({}, 'HEAD')).toBe('HEADERS_ONLY');
  });
});
