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
import type { PartnerRequest } from './partner-request.js';
import { Authenticated } from './scoped.decorator.js';

/** A layer of Express' router, as far as it matters here. */
interface Layer {
  readonly route?: { readonly path: string; readonly methods: Methods };
  match(path: string): boolean;
}

/** In lower case, those that are served. */
type Methods = Readonly<Record<string, boolean>>;

interface OtherMethodRequest extends PartnerRequest {
  allow: readonly string[];
}

/** Lets on what names the path of a call, with another method; what names none is not found. */
@Injectable()
export class KnownPathGuard implements CanActivate {
  constructor(private readonly host: HttpAdapterHost) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<OtherMethodRequest>();
    const { router } = this.host.httpAdapter.getInstance<{ router: { stack: Layer[] } }>();
    const routes = router.stack.flatMap((layer) => {
      const { route } = layer;
      // What serves every method is no call.
      return route && !route.methods.trace && layer.match(request.path) ? route : [];
    });
    if (routes.length === 0) throw new Fault('route_not_found');
    // The log and the metrics name the call, not this controller.
    request.route = routes[0];
    request.allow = routes.flatMap(({ methods }) => allowedBy(methods));
    return true;
  }
}

/** Answers 405, after authentication, where another method is served; its routes come last. */
@ApiExcludeController()
@PartnerApi()
export class OtherMethodsController {
  @All('*path')
  @Authenticated()
  @UseGuards(KnownPathGuard)
  refuse(@Req() { allow }: OtherMethodRequest): never {
    throw new Fault('method_not_allowed', { allow });
  }
}

@Module({ controllers: [OtherMethodsController], providers: [KnownPathGuard] })
class LastRoutesModule {}

/**
 * To be imported last. Nest adds the modules that a dynamic module names before what those import: one
 * level down, the routes come after those of every other module.
 */
@Module({ imports: [LastRoutesModule] })
export class OtherMethodsModule {}

function allowedBy(methods: Methods): string[] {
  return Object.keys(methods).flatMap((method) =>
    method === 'get' ? ['GET', 'HEAD'] : method.toUpperCase(),
  );
}
