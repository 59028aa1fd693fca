import type { Request, Response } from 'express';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Environment } from '../config/environment.js';
import { Keyring } from '../crypto/keyring.js';
import { RandomSource } from '../ids/id-generator.js';
import { CsrfTokens, SESSION_COOKIE } from './csrf-tokens.js';
import { PageCookies } from './page-cookies.js';

const OLD_KEY = { name: 'old', bytes: Buffer.alloc(32, 1) };
const NEW_KEY = { name: 'new', bytes: Buffer.alloc(32, 2) };
const ENVIRONMENT = { baseUrl: 'https://loans.example' } as Environment;

/** A browser that sends the cookies it was given. */
class FakeBrowser {
  readonly cookies: Record<string, string> = {};

  get request(): Request {
    const pairs = Object.entries(this.cookies).map(([name, value]) => `${name}=${value}`);
    return { path: '/hosted', headers: { cookie: pairs.join('; ') } } as Request;
  }

  issued(by = tokens): string {
    const cookie = (name: string, value: string) => (this.cookies[name] = value);
    return by.issue(this.request, { cookie } as unknown as Response);
  }

  isTaken(token: string, by = tokens): boolean {
    return by.isValid(this.request, token);
  }
}

function tokensOf(...keys: { name: string; bytes: Buffer }[]): CsrfTokens {
  return new CsrfTokens(new Keyring(keys), new RandomSource(), new PageCookies(ENVIRONMENT));
}

const tokens = tokensOf(OLD_KEY);
let browser: FakeBrowser;

beforeEach(() => {
  browser = new FakeBrowser();
});

describe('a form’s token', () => {
  it('is valid for the browser that was shown it, on every replica, and under a new master key beside the old', () => {
    const token = browser.issued();
    const expected: [CsrfTokens, boolean][] = [
      [tokens, true],
      [tokensOf(OLD_KEY), true],
      [tokensOf(NEW_KEY, OLD_KEY), true],
      [tokensOf(NEW_KEY), false],
    ];
    for (const [by, isTaken] of expected) expect(browser.isTaken(token, by)).toBe(isTaken);
  });

  it('looks different on every page, and the earlier ones stay valid', () => {
    const shown = [browser.issued(), browser.issued()];
    expect(new Set(shown).size).toBe(2);
    expect(shown.map((token) => browser.isTaken(token))).toEqual([true, true]);
  });

  it('is void in another browser, and in one without the cookie', () => {
    const token = browser.issued();
    const other = new FakeBrowser();
    expect(other.isTaken(token)).toBe(false);
    other.issued();
    expect(other.isTaken(token)).toBe(false);
  });

  it('of before the sign-in is void after it', () => {
    browser.cookies[`__Host-${SESSION_COOKIE}`] = 'first';
    const token = browser.issued();
    expect(browser.isTaken(token)).toBe(true);
    browser.cookies[`__Host-${SESSION_COOKIE}`] = 'second';
    expect(browser.isTaken(token)).toBe(false);
  });

  it.each(['', 'x', 'AAAA', 'a'.repeat(86)])('is not %j', (token) => {
    browser.issued();
    expect(browser.isTaken(token)).toBe(false);
  });

  it('relies on a cookie that only our own host can set', () => {
    browser.issued();
    expect(Object.keys(browser.cookies)).toEqual(['__Host-csrf']);
  });
});
