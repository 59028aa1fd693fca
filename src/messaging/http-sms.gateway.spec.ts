import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fillRequest } from './http-sms.gateway.js';

const NASTY = `a&b="c"\\ <d> 100% it's {{link}}\n+ ऋण`;

function fill(
  own: { url?: string; headers?: Record<string, string>; body?: string | null },
  text = NASTY,
) {
  return fillRequest(
    { url: 'https://sms.example/send', headers: {}, body: null, ...own },
    { text, mobile: '9876543210' },
  );
}

/** No lone surrogates: no encoding carries them. */
const texts = fc.string({ unit: 'grapheme', maxLength: 60 });

describe('a request template', () => {
  it('has every value arrive as it is in a JSON body, in a form and in the address', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const json = fill({ body: '{"t":"{{text}}","m":{{mobile}}}' }, text).body;
        expect(JSON.parse(json)).toEqual({ t: text, m: 9_876_543_210 });
        const query = 't={{text}}&x=1';
        const { body, url } = fill({ url: `https://a.example/?${query}`, body: query }, text);
        for (const fields of [new URLSearchParams(body), new URL(url).searchParams])
          expect(Object.fromEntries(fields)).toEqual({ t: text, x: '1' });
      }),
    );
  });

  it('keeps a value within its piece of the path', () => {
    const { url } = fill({ url: 'https://a.example/{{text}}/end' }, '../../x?y#z');
    expect(new URL(url).pathname).toBe('/..%2F..%2Fx%3Fy%23z/end');
  });

  it('escapes for XML where the body is that', () => {
    const headers = { 'Content-Type': 'text/xml; charset=utf-8' };
    const { body } = fill({ headers, body: '<t>{{text}}</t>' }, `<a href="x">&'`);
    expect(body).toBe('<t>&lt;a href=&quot;x&quot;&gt;&amp;&apos;</t>');
  });

  it('leaves a plain text alone', () => {
    const { body } = fill({ headers: { 'Content-Type': 'text/plain' }, body: '{{text}}' });
    expect(body).toBe(NASTY);
  });

  it('lets no value break out of a header', () => {
    const { headers } = fill({ headers: { 'X-Text': '{{text}}' } }, 'a\r\nX-Evil: 1 ऋण');
    expect(headers['x-text']).toBe('a%0D%0AX-Evil: 1 %E0%A4%8B%E0%A4%A3');
  });

  it.each([
    ['{"a":1}', 'application/json'],
    [' [1]', 'application/json'],
    ['a={{text}}', 'application/x-www-form-urlencoded'],
  ])('knows the type of %s when the configuration names none', (body, type) => {
    expect(fill({ body }).headers).toEqual({ 'content-type': type });
  });

  it('keeps the type that the configuration names, however it is written', () => {
    const { headers, body } = fill({
      headers: { 'CONTENT-TYPE': 'application/vnd.sms+json' },
      body: '{"t":"{{ text }}"}',
    });
    expect(headers).toEqual({ 'content-type': 'application/vnd.sms+json' });
    expect(JSON.parse(body)).toEqual({ t: NASTY });
  });

  it('sends no body and no type where the template has none', () => {
    expect(fill({})).toEqual({ url: 'https://sms.example/send', headers: {}, body: '' });
  });

  it('fills in nothing for a name that it does not know, of the object’s own least of all', () => {
    expect(fill({ body: 'a={{nothing}}&b={{constructor}}' }).body).toBe('a=&b=');
  });
});
