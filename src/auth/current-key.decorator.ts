import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { PartnerRequest } from './partner-request.js';

function keyOf(context: ExecutionContext) {
  return context.switchToHttp().getRequest<PartnerRequest>().partnerKey;
}

/** The key that signed the request. */
export const CurrentKey = createParamDecorator((_: unknown, context: ExecutionContext) =>
  keyOf(context),
);

/** Who signed the request: `{ partnerId, keyId }`. */
export const CurrentPartner = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const { partnerId, id } = keyOf(context);
  return { partnerId, keyId: id };
});

export interface PartnerIdentity {
  readonly partnerId: string;
  readonly keyId: string;
}
