import { applyDecorators, Controller, UseInterceptors } from '@nestjs/common';
import { EnvelopeInterceptor } from './envelope.interceptor.js';
import { partnerRoutes } from './partner-routes.js';

/** A controller of the partner API: its two routes, and the envelope around what it answers. */
export function PartnerApi(resource = ''): ClassDecorator {
  return applyDecorators(Controller(partnerRoutes(resource)), UseInterceptors(EnvelopeInterceptor));
}
