import {
  applyDecorators,
  type CanActivate,
  type ExecutionContext,
  Injectable,
  UseGuards,
} from '@nestjs/common';
import type { Request } from 'express';
import { Fault } from '../errors/fault.js';
import { CSRF_FIELD, CsrfTokens } from './csrf-tokens.js';
import { enteredIn } from './read-form.js';

const CHANGES_NOTHING = new Set(['GET', 'HEAD', 'OPTIONS']);

/** @throws Fault form_expired for a form that did not come from a page of ours for this browser */
@Injectable()
export class CsrfGuard implements CanActivate {
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

/** For a handler or a controller: its posted forms must have `{{{csrf}}}`. */
export function CsrfProtected(): MethodDecorator & ClassDecorator {
  return applyDecorators(UseGuards(CsrfGuard));
}
