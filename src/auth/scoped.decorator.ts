import {
  applyDecorators,
  type CanActivate,
  type ExecutionContext,
  Injectable,
  SetMetadata,
  UseGuards,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiExtension } from '@nestjs/swagger';
import { ThrottlerGuard, type ThrottlerRequest } from '@nestjs/throttler';
import type { Response } from 'express';
import {
  Fault,
  type RateLimitFigures,
  SCOPE_NOTE,
  writeRateLimitHeaders,
} from '../platform/index.js';
import type { PartnerRequest, Scope } from './partner-key.js';
import { PartnerGuard } from './partner.guard.js';

const MINUTE_SECONDS = 60;
const DAY_SECONDS = 86_400;

interface Window {
  limit: number;
  used: number;
  resetSeconds: number;
}

@Injectable()
export class LimitsGuard extends ThrottlerGuard {
  protected override handleRequest(properties: ThrottlerRequest): Promise<boolean> {
    const http = properties.context.switchToHttp();
    const request = http.getRequest<PartnerRequest>();
    const { minute, day } = windowsOf(request);
    const figures = nearestExhaustion(minute, day);
    writeRateLimitHeaders(http.getResponse<Response>(), figures);
    if (request.admission.outcome !== 'LIMITED') return Promise.resolve(true);
    return Promise.reject(
      new Fault('rate_limited', { retryAfterSeconds: secondsUntilRoom(minute, day) }),
    );
  }
}

function windowsOf({ partnerKey, admission }: PartnerRequest): { minute: Window; day: Window } {
  return {
    minute: {
      limit: partnerKey.minuteLimit,
      used: admission.minuteUsed,
      resetSeconds: admission.minuteReset,
    },
    day: { limit: partnerKey.dayLimit, used: admission.dayUsed, resetSeconds: admission.dayReset },
  };
}

function remaining(window: Window): number {
  return Math.max(0, window.limit - window.used);
}

/** On a tie, the window that frees up later. */
function nearestExhaustion(minute: Window, day: Window): RateLimitFigures {
  const margin = remaining(day) - remaining(minute) || minute.resetSeconds - day.resetSeconds;
  const nearest = margin < 0 ? day : minute;
  return {
    limit: nearest.limit,
    remaining: remaining(nearest),
    resetSeconds: nearest.resetSeconds,
    policy: `${minute.limit};w=${MINUTE_SECONDS}, ${day.limit};w=${DAY_SECONDS}`,
  };
}

function secondsUntilRoom(minute: Window, day: Window): number {
  const full = [minute, day].filter((window) => remaining(window) === 0);
  return Math.max(1, ...full.map((window) => window.resetSeconds));
}

const SCOPE_KEY = 'rinpath:scope';

const NeedsScope = (scope: Scope) => SetMetadata(SCOPE_KEY, scope);

@Injectable()
export class ScopeGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const scope = this.reflector.get<Scope>(SCOPE_KEY, context.getHandler());
    const { partnerKey } = context.switchToHttp().getRequest<PartnerRequest>();
    if (partnerKey.scopes.has(scope)) return true;
    throw new Fault('scope_missing', { message: `This API key lacks the scope ${scope}` });
  }
}

/** Requires authentication (401, 403) and the key's limits (429). */
export const Authenticated = UseGuards(PartnerGuard, LimitsGuard);

/** `Authenticated` and a scope (403), all before the body is parsed. */
export function Scoped(scope: Scope): MethodDecorator {
  return applyDecorators(
    NeedsScope(scope),
    Authenticated,
    UseGuards(ScopeGuard),
    ApiExtension(SCOPE_NOTE, scope),
  );
}
