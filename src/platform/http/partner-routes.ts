import {
  applyDecorators,
  type CallHandler,
  Controller,
  type ExecutionContext,
  HttpCode,
  Injectable,
  type NestInterceptor,
  UseInterceptors,
} from '@nestjs/common';
import { ApiBody, ApiExtension, ApiExtraModels, ApiOperation, ApiQuery } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { map, type Observable } from 'rxjs';
import type { ErrorCode } from '../errors/error-catalogue.js';
import { IdempotentResult } from '../idempotency/idempotent-result.js';
import type { Examples } from '../openapi/open-api-document.js';

type Shape = new () => object;

export interface RawRequest extends Request {
  rawBody: Buffer;
  requestId: string;
  /** `data` of the response. */
  answered?: object;
  failedWith?: ErrorCode;
}

/** With and without `/api`; the signature covers the path as sent. */
function partnerRoutes(resource = ''): string[] {
  const suffix = resource === '' ? '' : `/${resource}`;
  return [`api/v1/partner${suffix}`, `v1/partner${suffix}`];
}

const LENDER_PATH = /^\/lender-api\/v1\//i;

const PARTNER_PATH = /^\/(api\/)?v1\/partner(\/|$)/i;

/** True also for unknown paths. */
export function isPartnerPath(path: string): boolean {
  return PARTNER_PATH.test(path);
}

export function isLenderPath(path: string): boolean {
  return LENDER_PATH.test(path);
}

/** `{ success: true, data }` */
@Injectable()
class EnvelopeInterceptor implements NestInterceptor<object, object> {
  intercept(context: ExecutionContext, next: CallHandler<object>): Observable<object> {
    const http = context.switchToHttp();
    return next.handle().pipe(
      map((result) => {
        const isIdempotent = result instanceof IdempotentResult;
        if (isIdempotent && result.isReplayed) {
          http.getResponse<Response>().setHeader('Idempotency-Replayed', 'true');
        }
        const data = isIdempotent ? result.answer : result;
        http.getRequest<RawRequest>().answered = data;
        return { success: true, data };
      }),
    );
  }
}

export function PartnerApi(resource = ''): ClassDecorator {
  return applyDecorators(Controller(partnerRoutes(resource)), UseInterceptors(EnvelopeInterceptor));
}

/** The document's builder adds the common parts. */
interface PartnerCallDescription {
  /** In generated clients. */
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  /** The class of `data`, described by `@ApiProperty`. */
  readonly answer: Shape;
  readonly query?: Shape;
  readonly body?: ({ type: Shape } | { schema: object }) & { examples: Examples };
  /** Only those that do not follow from address, session, body and idempotency key. */
  readonly failures?: readonly ErrorCode[];
  readonly session?: 'required' | 'optional';
  readonly isIdempotent?: boolean;
}

export interface PartnerCallNote extends Pick<
  PartnerCallDescription,
  'operationId' | 'description' | 'failures' | 'session' | 'isIdempotent'
> {
  readonly answer: string;
}

export const PARTNER_CALL_NOTE = 'x-partner-call';
export const SCOPE_NOTE = 'x-scope';
export const AT_LEAST_ONE_NOTE = 'x-at-least-one';

/** In the API document, a body needs at least one of these optional fields. */
export function AtLeastOne(...fields: string[]): ClassDecorator {
  return ApiExtension(AT_LEAST_ONE_NOTE, fields) as ClassDecorator;
}

export function PartnerCall({ answer, body, query, ...call }: PartnerCallDescription) {
  const { operationId, summary, description } = call;
  const note: PartnerCallNote = { ...call, answer: answer.name };
  return applyDecorators(
    HttpCode(200),
    ApiOperation({ operationId, summary, description }),
    ApiExtraModels(answer),
    ApiExtension(PARTNER_CALL_NOTE, note),
    ...(body ? [ApiBody({ required: true, ...(body as object) })] : []),
    ...(query ? [ApiQuery({ type: query })] : []),
  );
}
