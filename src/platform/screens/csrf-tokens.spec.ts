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
    return this.requestTo('/hosted');
  }

  requestTo(path: string): Request {
    const pairs = Object.entries(this.cookies).map(([name, value]) => `${name}=${value}`);
    return { path, headers: { cookie: pairs.join('; ') } } as Request;
  }

  get response(): Response {
    const keep = (name: string, value: string) => {
      this.cookies[name] = value;
    };
    return { cookie: keep } as unknown as Response;
  }
}

let browser: FakeBrowser;
let tokens: CsrfTokens;

function tokensOf(...keys: { name: string; bytes: Buffer }[]): CsrfTokens {
  return new CsrfTokens(new Keyring(keys), new RandomSource(), new PageCookies(ENVIRONMENT));
}

function issued(): string {
  return tokens.issue(browser.request, browser.response);
}

beforeEach(() => {
  browser = new FakeBrowser();
  tokens = tokensOf(OLD_KEY);
});

describe('a form’s token', () => {
  it('is valid for the browser that was shown it, on every replica', () => {
    const token = issued();
    expect(tokens.isValid(browser.request, token)).toBe(true);
    expect(tokensOf(OLD_KEY).isValid(browser.request, token)).toBe(true);
  });

  it('looks different on every page, and the earlier ones stay valid', () => {
    const [first, second] = [issued(), issued()];
    expect(first).not.toBe(second);
    expect(tokens.isValid(browser.request, first)).toBe(true);
    expect(tokens.isValid(browser.request, second)).toBe(true);
  });

  it('survives a new master key', () => {
    const token = issued();
    expect(tokensOf(NEW_KEY, OLD_KEY).isValid(browser.request, token)).toBe(true);
    expect(tokensOf(NEW_KEY).isValid(browser.request, token)).toBe(false);
  });

  it('is void in another browser, and in one without the cookie', () => {
    const token = issued();
    const other = new FakeBrowser();
    expect(tokens.isValid(other.request, token)).toBe(false);
    tokens.issue(other.request, other.response);
    expect(tokens.isValid(other.request, token)).toBe(false);
  });

  it('of before the sign-in is void after it', () => {
    browser.cookies[`__Host-${SESSION_COOKIE}`] = 'first';
    const token = issued();
    expect(tokens.isValid(browser.request, token)).toBe(true);
    browser.cookies[`__Host-${SESSION_COOKIE}`] = 'second';
    expect(tokens.isValid(browser.request, token)).toBe(false);
  });

  it.each(['', 'x', 'AAAA', 'a'.repeat(86)])('is not %j', (token) => {
    issued();
    expect(tokens.isValid(browser.request, token)).toBe(false);
  });

  it('relies on a cookie that only our own host can set', () => {
    issued();
    expect(Object.keys(browser.cookies)).toEqual(['__Host-csrf']);
  });
});
