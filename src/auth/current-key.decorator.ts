import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { PartnerRequest } from './partner-request.js';
import { readCredentials } from './request-credentials.js';

function keyOf(context: ExecutionContext) {
  return context.switchToHttp().getRequest<PartnerRequest>().partnerKey;
}

export const CurrentKey = createParamDecorator((_: unknown, context: ExecutionContext) =>
  keyOf(context),
);

/** `{ partnerId, keyId }` of the signer. */
export const CurrentPartner = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const { partnerId, id } = keyOf(context);
  return { partnerId, keyId: id };
});

export const CurrentRequest = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const request = context.switchToHttp().getRequest<PartnerRequest>();
  const { nonce } = readCredentials(request.headersDistinct);
  return { keyId: request.partnerKey.id, nonce: nonce.toLowerCase() };
});

export interface PartnerIdentity {
  readonly partnerId: string;
  readonly keyId: string;
}
