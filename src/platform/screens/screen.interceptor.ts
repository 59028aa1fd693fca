import {
  applyDecorators,
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import { mergeMap, type Observable } from 'rxjs';
import { ANSWERED } from '../http/bounded-server.js';
import { Screens, type ScreenModel } from './screens.js';
import { VisitGuard } from './visit.guard.js';

/** views/<name>.hbs in the layout. */
export class Page {
  /** @param status absent: the handler's `@HttpCode`, or 200 */
  constructor(
    readonly name: string,
    readonly model: ScreenModel,
    readonly status?: number,
  ) {}
}

/** 303 */
export class SeeOther {
  constructor(readonly path: string) {}
}

/** Another site, after a posted form; see `Screens.leave`. */
export class LeaveTo {
  /** @param name of that site, for the applicant */
  constructor(
    readonly url: string,
    readonly name: string,
  ) {}
}

export class PageFile {
  constructor(
    readonly headers: Readonly<Record<string, string>>,
    readonly body: Buffer,
  ) {}
}

type ScreenAnswer = Page | SeeOther | LeaveTo | PageFile;

@Injectable()
class ScreenInterceptor implements NestInterceptor<ScreenAnswer, symbol> {
  constructor(private readonly screens: Screens) {}

  intercept(context: ExecutionContext, next: CallHandler<ScreenAnswer>): Observable<symbol> {
    const http = context.switchToHttp();
    const [request, response] = [http.getRequest<Request>(), http.getResponse<Response>()];
    return next.handle().pipe(
      mergeMap(async (answer) => {
        await this.send(answer, request, response);
        return ANSWERED;
      }),
    );
  }

  private async send(answer: ScreenAnswer, request: Request, response: Response): Promise<void> {
    if (answer instanceof Page) {
      if (answer.status !== undefined) response.status(answer.status);
      await this.screens.render(request, response, answer.name, answer.model);
    } else if (answer instanceof SeeOther) {
      response.redirect(303, answer.path);
    } else if (answer instanceof LeaveTo) {
      await this.screens.leave(request, response, answer.url, answer.name);
    } else if (answer instanceof PageFile) {
      for (const [name, value] of Object.entries(answer.headers)) response.setHeader(name, value);
      response.end(answer.body);
    } else {
      throw new TypeError('the handler of a screen returned no page');
    }
  }
}

/**
 * @param recordsNothing for pages that browsers may prefetch, since showing them leaves no record
 */
export function AnswersWithScreens({ recordsNothing = false } = {}): MethodDecorator &
  ClassDecorator {
  return applyDecorators(
    ...(recordsNothing ? [] : [UseGuards(VisitGuard)]),
    UseInterceptors(ScreenInterceptor),
  );
}
