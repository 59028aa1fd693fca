import {
  applyDecorators,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
  Injectable,
  SetMetadata,
} from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';
import { Reflector } from '@nestjs/core';
import { SCOPE_NOTE, Fault } from '../platform/index.js';
import { LimitsGuard } from './limits.guard.js';
import { PartnerGuard } from './partner.guard.js';
import type { Scope } from './partner-key.js';
import type { PartnerRequest } from './partner-request.js';

const SCOPE_KEY = 'rinpath:scope';

export const NeedsScope = (scope: Scope) => SetMetadata(SCOPE_KEY, scope);

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

/** Requires the partner's authentication (401, 403) and the key's limits (429). */
export function Authenticated(): MethodDecorator {
  return applyDecorators(UseGuards(PartnerGuard, LimitsGuard));
}

/** `Authenticated`, then a scope (403); all before any of the body is parsed. */
export function Scoped(scope: Scope): MethodDecorator {
  return applyDecorators(
    NeedsScope(scope),
    Authenticated(),
    UseGuards(ScopeGuard),
    ApiExtension(SCOPE_NOTE, scope),
  );
}
