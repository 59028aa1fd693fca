import { isPartnerPath } from '../../src/platform/index.js';
import type { TestService } from './service.js';

export interface ServedRoute {
  readonly method: string;
  readonly path: string;
}

interface Layer {
  readonly route?: { readonly path: string; readonly methods: Record<string, boolean> };
}

/** Every route of a service, in its router's order; without those that reject every method. */
export function servedRoutes(service: Pick<TestService, 'app'>): ServedRoute[] {
  const { router } = service.app.getHttpAdapter().getInstance() as { router: { stack: Layer[] } };
  return router.stack.flatMap(({ route }) => {
    if (!route || route.path.includes('*') || route.methods.trace) return [];
    const { path, methods } = route;
    return Object.keys(methods).map((method) => ({ method: method.toUpperCase(), path }));
  });
}

/** The routes that need no partner key. */
export function routesWithoutKey(service: Pick<TestService, 'app'>): ServedRoute[] {
  return servedRoutes(service).filter(({ path }) => !isPartnerPath(path));
}
