import {
  applyDecorators,
  Controller,
  UseInterceptors,
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
} from '@nestjs/common';
import { map, type Observable } from 'rxjs';
import { partnerRoutes } from './partner-routes.js';
import type { RawRequest } from './raw-request.js';

/** `{ success: true, data }` */
@Injectable()
export class EnvelopeInterceptor implements NestInterceptor<object, object> {
  intercept(context: ExecutionContext, next: CallHandler<object>): Observable<object> {
    const request = context.switchToHttp().getRequest<RawRequest>();
    return next.handle().pipe(
      map((data) => {
        request.answered = data;
        return { success: true, data };
      }),
    );
  }
}

export function PartnerApi(resource = ''): ClassDecorator {
  return applyDecorators(Controller(partnerRoutes(resource)), UseInterceptors(EnvelopeInterceptor));
}
