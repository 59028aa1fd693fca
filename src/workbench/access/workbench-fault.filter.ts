import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { Response } from 'express';
import { Fault, FaultFilter, type Page, Screens } from '../../platform/index.js';
import { closedPage, faultPage } from '../pages/workbench-page.js';
import { NotSignedIn, type WorkbenchRequest, WorkbenchVisitors } from './workbench-visitors.js';

/**
 * Shows client errors as pages with their code, and how to sign in; server errors, and programs,
 * get the usual answer.
 */
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
