import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
} from '@nestjs/common';
import { map, type Observable } from 'rxjs';

/** Wraps what a partner call answers as `{ success: true, data }`. */
@Injectable()
export class EnvelopeInterceptor implements NestInterceptor<object, object> {
  intercept(_context: ExecutionContext, next: CallHandler<object>): Observable<object> {
    return next.handle().pipe(map((data) => ({ success: true, data })));
  }
}
