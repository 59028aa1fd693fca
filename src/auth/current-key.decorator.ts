import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { PartnerRequest } from './partner-request.js';
import { readCredentials } from './request-credentials.js';

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

/** The signed request itself: its key, and its nonce, which no other request of the key has. */
export const CurrentRequest = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const request = context.switchToHttp().getRequest<PartnerRequest>();
  const { nonce } = readCredentials(request.headersDistinct);
  return { keyId: request.partnerKey.id, nonce: nonce.toLowerCase() };
});

export interface PartnerIdentity {
  readonly partnerId: string;
  readonly keyId: string;
}
