/**
 * Where a partner controller is served: with the `/api` prefix and without it. A signature covers
 * the path as it was sent.
 */
export function partnerRoutes(resource = ''): string[] {
  const suffix = resource === '' ? '' : `/${resource}`;
  return [`api/v1/partner${suffix}`, `v1/partner${suffix}`];
}
