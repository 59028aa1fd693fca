import {
  applyDecorators,
  type CanActivate,
  createParamDecorator,
  type ExecutionContext,
  Injectable,
  SetMetadata,
  UseFilters,
  UseGuards,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import type { Scope } from '../../auth/index.js';
import { AnswersWithScreens, Fault } from '../../platform/index.js';
import { WorkbenchFaultFilter } from './workbench-fault.filter.js';
import { NotSignedIn } from './not-signed-in.js';
import { type WorkbenchVisitor, WorkbenchVisitors } from './workbench-visitors.js';

export interface WorkbenchRequest extends Request {
  workbenchVisitor?: WorkbenchVisitor;
}

const SCOPE_KEY = 'rinpath:workbench-scope';

/** Lets a visitor through whose key has the page's scope; without a session they are told how to get one. */
@Injectable()
export class WorkbenchGuard implements CanActivate {
  constructor(
    private readonly visitors: WorkbenchVisitors,
    private readonly reflector: Reflector,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<WorkbenchRequest>();
    const visitor = await this.visitors.of(request);
    if (typeof visitor === 'string') throw new NotSignedIn(visitor);
    request.workbenchVisitor = visitor;
    const scope = this.reflector.getAllAndOverride<Scope | undefined>(SCOPE_KEY, [
      context.getHandler(),
      context.getClass(),
    ]);
    if (scope === undefined || visitor.scopes.includes(scope)) return true;
    throw new Fault('scope_missing', {
      message: `The key that opened this session lacks the scope ${scope}`,
    });
  }
}

/** For a controller of the workbench's pages, every page and every form of it. */
export function SignedIn(): ClassDecorator {
  return applyDecorators(
    UseFilters(WorkbenchFaultFilter),
    UseGuards(WorkbenchGuard),
    AnswersWithScreens({ recordsNothing: true }),
  );
}

/** Names the scope that a page or a controller's pages need: that of the calls that say the same. */
export const NeedsWorkbenchScope = (scope: Scope) => SetMetadata(SCOPE_KEY, scope);

/** Who looks at the page. */
export const Visitor = createParamDecorator(
  (_: unknown, context: ExecutionContext): WorkbenchVisitor =>
    context.switchToHttp().getRequest<WorkbenchRequest>().workbenchVisitor!,
);
