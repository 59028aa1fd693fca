import {
  All,
  type CanActivate,
  type ExecutionContext,
  Injectable,
  Module,
  Req,
  UseGuards,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { ApiExcludeController } from '@nestjs/swagger';
import { Fault, PartnerApi } from '../platform/index.js';
import type { PartnerRequest } from './partner-key.js';
import { Authenticated } from './scoped.decorator.js';

interface Layer {
  readonly route?: { readonly path: string; readonly methods: Methods };
  match(path: string): boolean;
}

/** Names in lower case. */
type Methods = Readonly<Record<string, boolean>>;

interface OtherMethodRequest extends PartnerRequest {
  allow: readonly string[];
}

@Injectable()
class KnownPathGuard implements CanActivate {
  constructor(private readonly host: HttpAdapterHost) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<OtherMethodRequest>();
    const { router } = this.host.httpAdapter.getInstance<{ router: { stack: Layer[] } }>();
    const routes = router.stack.flatMap((layer) => {
      const { route } = layer;
      // Serves every method, so it is not a call of the API.
      return route && !route.methods.trace && layer.match(request.path) ? route : [];
    });
    if (routes.length === 0) throw new Fault('route_not_found');
    // Log and metrics name the call, not this controller.
    request.route = routes[0];
    request.allow = routes.flatMap(({ methods }) => allowedBy(methods));
    return true;
  }
}

/** Returns 405, after authentication, where the path has another method. */
@ApiExcludeController()
@PartnerApi()
class OtherMethodsController {
  @All('*path')
  @Authenticated
  @UseGuards(KnownPathGuard)
  refuse(@Req() { allow }: OtherMethodRequest): never {
    throw new Fault('method_not_allowed', { allow });
  }
}

@Module({ controllers: [OtherMethodsController], providers: [KnownPathGuard] })
class LastRoutesModule {}

/** Import this last. Nest adds a dynamic module's imports before its own, so these routes are one level down. */
@Module({ imports: [LastRoutesModule] })
export class OtherMethodsModule {}

function allowedBy(methods: Methods): string[] {
  return Object.keys(methods).flatMap((method) =>
    method === 'get' ? ['GET', 'HEAD'] : method.toUpperCase(),
  );
}
