import { applyDecorators, UseGuards } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';
import { SCOPE_NOTE } from '../platform/index.js';
import { LimitsGuard } from './limits.guard.js';
import { PartnerGuard } from './partner.guard.js';
import { NeedsScope, ScopeGuard } from './scope.guard.js';
import type { Scope } from './scopes.js';

/** Puts a route under the partner's authentication (401, 403) and the key's limits (429). */
export function Authenticated(): MethodDecorator {
  return applyDecorators(UseGuards(PartnerGuard, LimitsGuard));
}

/**
 * Puts a route under the partner's authentication (401, 403), the key's limits (429) and a scope
 * (403), checked in this order and before anything of the body is parsed.
 */
export function Scoped(scope: Scope): MethodDecorator {
  return applyDecorators(
    NeedsScope(scope),
    Authenticated(),
    UseGuards(ScopeGuard),
    ApiExtension(SCOPE_NOTE, scope),
  );
}
