import {
  applyDecorators,
  type ArgumentsHost,
  type CanActivate,
  Catch,
  type ExceptionFilter,
  type ExecutionContext,
  Injectable,
  SetMetadata,
  UseFilters,
  UseGuards,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Response } from 'express';
import type { Scope } from '../../auth/index.js';
import {
  AnswersWithScreens,
  Fault,
  FaultFilter,
  fromRequest,
  type Page,
  Screens,
} from '../../platform/index.js';
import { closedPage, faultPage } from '../pages/workbench-page.js';
import {
  NotSignedIn,
  requireScope,
  type WorkbenchRequest,
  WorkbenchVisitors,
} from './workbench-visitors.js';

/** Server errors and programs get the usual response. */
@Catch()
export class WorkbenchFaultFilter implements ExceptionFilter {
  constructor(
    private readonly faults: FaultFilter,
    private readonly screens: Screens,
    private readonly visitors: WorkbenchVisitors,
  ) {}

  async catch(error: unknown, host: ArgumentsHost): Promise<void> {
    const http = host.switchToHttp();
    const request = http.getRequest<WorkbenchRequest>();
    const response = http.getResponse<Response>();
    try {
      const page = await this.pageOf(error, request);
      if (!page) this.faults.catch(error, host);
      else {
        response.status(page.status ?? 200);
        await this.screens.render(request, response, page.name, page.model);
      }
    } catch (another) {
      this.faults.catch(another, host);
    }
  }

  private async pageOf(error: unknown, request: WorkbenchRequest): Promise<Page | null> {
    if (error instanceof NotSignedIn) {
      return closedPage(error.why, await this.visitors.hasDemonstration());
    }
    const isForPerson = request.accepts(['json', 'html']) === 'html';
    if (!(error instanceof Fault) || error.status >= 500 || !isForPerson) return null;
    return faultPage(error, request.requestId, request.workbenchVisitor ?? null);
  }
}

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

export const SignedIn = applyDecorators(
  UseFilters(WorkbenchFaultFilter),
  UseGuards(WorkbenchGuard),
  AnswersWithScreens({ recordsNothing: true }),
);

/** Use the scope of the API calls with the same content. */
export const NeedsWorkbenchScope = (scope: Scope) => SetMetadata(SCOPE_KEY, scope);

export const Visitor = fromRequest(({ workbenchVisitor }: WorkbenchRequest) => workbenchVisitor!);
