import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { type Environment, InjectEnvironment } from '../config/environment.js';

interface CookieTerms {
  /** Absent: until the browser is closed. */
  readonly maxAgeSeconds?: number;
}

const HOST_PREFIX = '__Host-';

/**
 * HttpOnly, SameSite=Lax; over https also Secure and `__Host-`, so that no sibling host can set
 * one.
 */
@Injectable()
export class PageCookies {
  private readonly isSecure: boolean;

  constructor(@InjectEnvironment environment: Environment) {
    this.isSecure = environment.baseUrl.startsWith('https:');
  }

  read(request: Request, name: string): string | undefined {
    return readCookie(request, this.nameOf(name));
  }

  /** @param name without the prefix */
  set(response: Response, name: string, value: string, { maxAgeSeconds }: CookieTerms = {}): void {
    response.cookie(this.nameOf(name), value, {
      httpOnly: true,
      secure: this.isSecure,
      sameSite: 'lax',
      path: '/',
      ...(maxAgeSeconds !== undefined && { maxAge: maxAgeSeconds * 1000 }),
    });
  }

  clear(response: Response, name: string): void {
    this.set(response, name, '', { maxAgeSeconds: 0 });
  }

  private nameOf(name: string): string {
    return this.isSecure ? `${HOST_PREFIX}${name}` : name;
  }
}

/** The first of duplicates. */
export function readCookie(request: Request, name: string): string | undefined {
  for (const part of (request.headers.cookie ?? '').split(';')) {
    const equals = part.indexOf('=');
    if (equals > 0 && part.slice(0, equals).trim() === name) {
      return decoded(part.slice(equals + 1).trim());
    }
  }
  return undefined;
}

function decoded(value: string): string | undefined {
  try {
    return decodeURIComponent(value);
  } catch {
    return undefined;
  }
}
