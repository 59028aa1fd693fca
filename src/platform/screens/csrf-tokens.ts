import {
  Injectable,
  applyDecorators,
  type CanActivate,
  type ExecutionContext,
  HttpCode,
  Post,
  UseGuards,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import { equalBytes, Keyring } from '../crypto/keyring.js';
import { RandomSource } from '../ids/id-generator.js';
import { PageCookies } from './page-cookies.js';
import { Fault } from '../errors/fault.js';
import { enteredIn } from './read-form.js';

export const SESSION_COOKIE = 'session';
/** Separate, so that signing in to one does not invalidate the other's forms. */
export const WORKBENCH_COOKIE = 'workbench';
export const WORKBENCH_PATH = '/workbench';
export const CSRF_FIELD = 'csrf';

/** The random half of every token. */
export const CSRF_COOKIE = 'csrf';
const PURPOSE = 'screens.csrf';

/**
 * A keyed hash of both cookies, so tokens expire at sign-in. Masked with a new pad per page,
 * against BREACH.
 */
@Injectable()
export class CsrfTokens {
  constructor(
    private readonly keyring: Keyring,
    private readonly random: RandomSource,
    private readonly cookies: PageCookies,
  ) {}

  /** Sets the cookie when it is missing. */
  issue(request: Request, response: Response): string {
    let secret = this.cookies.read(request, CSRF_COOKIE);
    if (!secret) {
      secret = this.random.token();
      this.cookies.set(response, CSRF_COOKIE, secret);
    }
    const hash = Buffer.from(this.keyring.lookupHash(this.bound(request, secret), PURPOSE), 'hex');
    const pad = this.random.bytes(hash.length);
    return Buffer.concat([pad, exclusiveOr(hash, pad)]).toString('base64url');
  }

  isValid(request: Request, token: string): boolean {
    const secret = this.cookies.read(request, CSRF_COOKIE);
    if (!secret) return false;
    const bytes = Buffer.from(token, 'base64url');
    const half = bytes.length / 2;
    if (!Number.isInteger(half)) return false;
    const given = exclusiveOr(bytes.subarray(half), bytes.subarray(0, half));
    return this.keyring
      .lookupHashes(this.bound(request, secret), PURPOSE)
      .some((hash) => equalBytes(Buffer.from(hash, 'hex'), given));
  }

  private bound(request: Request, secret: string): string {
    const session = isOfWorkbench(request) ? WORKBENCH_COOKIE : SESSION_COOKIE;
    return `${secret}\n${this.cookies.read(request, session) ?? ''}`;
  }
}

function isOfWorkbench({ path }: Request): boolean {
  return path === WORKBENCH_PATH || path.startsWith(`${WORKBENCH_PATH}/`);
}

function exclusiveOr(left: Buffer, right: Buffer): Buffer {
  return Buffer.from(left.map((byte, index) => byte ^ (right[index] ?? 0)));
}

const CHANGES_NOTHING = new Set(['GET', 'HEAD', 'OPTIONS']);

/** @throws Fault form_expired */
@Injectable()
class CsrfGuard implements CanActivate {
  constructor(private readonly tokens: CsrfTokens) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request>();
    if (CHANGES_NOTHING.has(request.method)) return true;
    const isForeign = request.headers['sec-fetch-site'] === 'cross-site';
    const token = enteredIn(request)[CSRF_FIELD] ?? '';
    if (isForeign || !this.tokens.isValid(request, token)) throw new Fault('form_expired');
    return true;
  }
}

/** The form must contain `{{{csrf}}}`. A page in response has status 200. */
export function FormPost(path?: string): MethodDecorator {
  return applyDecorators(Post(path), HttpCode(200), UseGuards(CsrfGuard));
}
