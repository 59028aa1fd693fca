import { type CanActivate, type ExecutionContext, Injectable, SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { Fault } from '../platform/index.js';
import type { PartnerRequest } from './partner-request.js';
import type { Scope } from './scopes.js';

const SCOPE_KEY = 'rinpath:scope';

/** Names the scope that a route needs; read by `ScopeGuard`. */
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
