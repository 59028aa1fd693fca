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
import type { Scope } from '../../auth/index.js';
import { AnswersWithScreens } from '../../platform/index.js';
import { WorkbenchFaultFilter } from './workbench-fault.filter.js';
import {
  NotSignedIn,
  requireScope,
  type WorkbenchRequest,
  type WorkbenchVisitor,
  WorkbenchVisitors,
} from './workbench-visitors.js';

const SCOPE_KEY = 'rinpath:workbench-scope';

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
    if (scope !== undefined) requireScope(visitor, scope);
    return true;
  }
}

export function SignedIn(): ClassDecorator {
  return applyDecorators(
    UseFilters(WorkbenchFaultFilter),
    UseGuards(WorkbenchGuard),
    AnswersWithScreens({ recordsNothing: true }),
  );
}

/** The scope of the API calls that show the same. */
export const NeedsWorkbenchScope = (scope: Scope) => SetMetadata(SCOPE_KEY, scope);

export const Visitor = createParamDecorator(
  (_: unknown, context: ExecutionContext): WorkbenchVisitor =>
    context.switchToHttp().getRequest<WorkbenchRequest>().workbenchVisitor!,
);
